"""``wort mcp``: answer assistants, over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.settings import read_settings
from app.serving.garbage import starting


def mcp(
    snapshot: Annotated[
        Path | None,
        typer.Option(help="The snapshot to serve; without it and --model, the release in force is followed."),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="The model to score with; without it, the one that comes with wort.")
    ] = None,
    strict: Annotated[
        bool | None, typer.Option("--strict", help="Refuse a model that was trained on another snapshot.")
    ] = None,
) -> None:
    """Serve assistants over the Model Context Protocol: the tools relatedness, explain, related and search.

    An assistant starts this command itself and speaks with it over standard input and output. What is served
    is what `wort serve` would serve; no network is needed.
    """
    with starting():
        # Imported here: no other command needs the protocol.
        from app.assistant.server import server
        from app.logs import configure
        from app.serving.follower import source

        settings = read_settings(snapshot=snapshot, model=model, strict=strict)
        configure(settings.log_level, settings.log_format)
        assistants = server(source(settings))
    assistants.run("stdio")
