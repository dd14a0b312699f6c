"""``wort mcp``: answer assistants, over standard input and output."""

from __future__ import annotations

from app.cli.settings import ServedModel, ServedSnapshot, Strict, read_settings
from app.serving.garbage import starting


def mcp(snapshot: ServedSnapshot = None, model: ServedModel = None, strict: Strict = None) -> None:
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
