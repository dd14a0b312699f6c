"""Write the dump of a synthetic Wikipedia.

    python -m benchmarks.synthetic 30000 OUTPUT --workers 2

makes ``synthetic-30000-pages-articles-multistream.xml.bz2`` and its index in the folder OUTPUT.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from benchmarks.synthetic.dump import write_dump
from benchmarks.synthetic.pages import SyntheticWiki


def main(
    articles: Annotated[
        int,
        typer.Argument(help="How many articles; redirects, disambiguation pages and categories come on top."),
    ],
    output: Annotated[Path, typer.Argument(help="The folder for the dump and its index.")],
    seed: Annotated[int, typer.Option(help="Another seed, another wiki.")] = 1,
    text: Annotated[
        float, typer.Option(help="Scales the length of articles; their links stay as many.")
    ] = 1.0,
    workers: Annotated[int | None, typer.Option(help="Processes; one a core by default.", min=1)] = None,
) -> None:
    """Write the dump of a synthetic Wikipedia, shaped as real ones are."""
    start = time.monotonic()
    wiki = SyntheticWiki(articles, seed, text)
    columns = BarColumn(), MofNCompleteColumn(), "streams", TimeRemainingColumn()
    with Progress(*columns, transient=True) as shown:
        task = shown.add_task("", total=wiki.streams)
        path = write_dump(
            wiki,
            output,
            f"synthetic{articles}",
            workers or len(os.sched_getaffinity(0)),
            lambda done, _: shown.update(task, completed=done),
        )
    seconds, size = time.monotonic() - start, path.stat().st_size
    typer.echo(f"{path}: {size / 1e6:,.1f} MB in {seconds:,.0f} s, {size / 1e6 / seconds:.1f} MB/s")


if __name__ == "__main__":
    typer.run(main)
