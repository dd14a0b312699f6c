"""The options that training, retraining and evaluating have in common, and the benchmarks that they name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from app.settings import Settings
    from training.benchmarks.judgements import Benchmark, Split
    from training.evaluation.report import LeftOut

DataDir = Annotated[
    Path | None, typer.Option(help="The folder of benchmark files; without it, WORT_DATA_DIR.")
]
ReportFile = Annotated[
    Path | None, typer.Option(help="A file for the report as JSON; - for standard output.")
]
ReportPage = Annotated[
    Path | None, typer.Option(help="A file for the report as a page with plots; - for standard output.")
]
OtherColumn = Annotated[str | None, typer.Option(help="The column of the other.")]
Resamples = Annotated[int, typer.Option(help="Bootstrap resamples behind an interval.", min=1)]
RelatedAt = Annotated[
    float,
    typer.Option(
        help="Of thresholds: the share of judges from which on a pair counts as related.", min=0.0, max=1.0
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(help="Choose a threshold of the score: the least of this precision.", min=0.0, max=1.0),
]
Recall = Annotated[
    float | None,
    typer.Option(help="Choose a threshold: the greatest of this recall.", min=0.0, max=1.0),
]
Cost = Annotated[
    float | None,
    typer.Option(
        help="Choose the threshold of the least cost, where a false “related” costs this many missed ones.",
        min=0.0,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


def benchmarks(
    pairs: Path | None,
    names: Sequence[str],
    columns: tuple[str | None, str | None, str | None, str | None],
    split: Split,
    settings: Settings,
    language: str,
) -> tuple[list[Benchmark], list[LeftOut]]:
    """The benchmarks to judge by, rankings as pairs, and those left out.

    ``columns``: those of left, right, score and topic that were named.

    Raises:
        typer.BadParameter: neither or both of a file and names, or no folder to look in.
        BenchmarkError: one of them cannot be found or read.
    """
    from training.benchmarks.pairs import columns_named
    from training.benchmarks.read import read_benchmark
    from training.evaluation.sources import judgements_of

    if (pairs is None) == (not names):
        raise typer.BadParameter("say what to judge by: either --pairs FILE or --benchmark NAME.")
    if pairs is not None:
        return [read_benchmark(pairs, split, columns_named(*columns))], []
    if any(columns):
        raise typer.BadParameter("--left, --right, --score and --topic name columns of --pairs.")
    if settings.data_dir is None and not all(name.lower().endswith(".toml") for name in names):
        raise typer.BadParameter(
            "it is not known in which folder the files of benchmarks lie. Set WORT_DATA_DIR or --data-dir, "
            "or declare a benchmark with the path of its file in a .toml file."
        )
    return judgements_of(names, settings.data_dir, split, language)
