"""``wort download``: fetch a dump from the official site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from app.cli.progress import steps


def download(
    wiki: Annotated[str, typer.Option(help="The wiki's database name: simplewiki, enwiki, ltgwiki …")],
    date: Annotated[str, typer.Option(help="A dump's date, YYYYMMDD, or latest.")] = "latest",
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to put the files in.")] = Path(),
    site: Annotated[
        str | None, typer.Option(help="A mirror's address, if not the official site.", envvar="WORT_DUMPS")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Fetch a Wikipedia dump: resumed where an earlier try broke off, its checksums verified."""
    # Imported here: no other command talks to the network.
    from app.outputs import check_folder
    from wiki.download import OFFICIAL_SITE
    from wiki.download import download as fetch
    from wiki.patience import Patience

    if not re.fullmatch(r"latest|\d{8}", date):
        raise typer.BadParameter("a date is written YYYYMMDD, or latest", param_hint="--date")
    if not re.fullmatch(r"[a-z0-9_]+", wiki):
        raise typer.BadParameter(
            "a wiki is named as its database is: simplewiki, enwiki", param_hint="--wiki"
        )
    check_folder(output)
    shown_name = ""
    with steps(quiet) as shown:

        def advance(name: str, received: int, total: int) -> None:
            nonlocal shown_name
            if name != shown_name:
                shown.begin(name, "bytes")
                shown_name = name
            shown.advance_to(received, total)

        patience = Patience(told=lambda reason: typer.echo(f"wort: {reason}", err=True))
        paths = fetch(wiki, output, date, site or OFFICIAL_SITE, advance, patience)
    for path in paths:
        typer.echo(path)
