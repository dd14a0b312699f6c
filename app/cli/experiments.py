"""``wort experiments``: the experiments of papers, repeated with our tables, ours beside theirs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.settings import read_settings

if TYPE_CHECKING:
    from measures.arrays import Floats
    from papers.tables import Experiment, PaperTable
    from snapshots.snapshot import Snapshot
    from training.benchmarks.judgements import Benchmark

ReadSnapshot = Annotated[
    Path | None, typer.Option(help="The snapshot to work with; without it, the one that comes with wort.")
]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")]
Json = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]

experiments = typer.Typer(help="Repeat the experiments of papers: ours beside theirs.", no_args_is_help=True)


@experiments.command()
def tr9856(
    snapshot: ReadSnapshot = None,
    pairs: Annotated[
        Path | None, typer.Option(help="The file of TR9856; without it, it is looked for in WORT_DATA_DIR.")
    ] = None,
    markdown: Markdown = False,
    json: Json = False,
) -> None:
    """Relatedness of free terms: the tables 2 to 5 of TR9856 (Levy et al. 2015), and what they leave open."""
    # Imported here, so that help is quick.
    from features.terms.extract import TermExtractor
    from papers.tr9856.experiments import run_tr9856
    from snapshots.naming.resolver import Resolver

    benchmark, opened = _opened("tr9856", pairs, snapshot)
    show(run_tr9856(benchmark, TermExtractor.open(opened, Resolver.open(opened))), markdown, json)


@experiments.command()
def bird(
    snapshot: ReadSnapshot = None,
    pairs: Annotated[
        Path | None, typer.Option(help="The file of BiRD; without it, it is looked for in WORT_DATA_DIR.")
    ] = None,
    encoder: Annotated[
        Path | None,
        typer.Option(help="The folder of a sentence encoder, to be judged beside (extra encoder)."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="A file for the plot of Figure 2, as SVG.")] = None,
    markdown: Markdown = False,
    json: Json = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the plot if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Composition of bigrams: Table 4 and Figure 2 of BiRD (Asaadi et al. 2019)."""
    from app.cli.outputs import check_outputs
    from app.cli.progress import steps
    from features.terms.catalogue import TERM_FEATURES
    from features.terms.extract import TermExtractor, TermPair
    from papers.bird.plot import alpha_sweep
    from papers.bird.report import experiment, run_bird
    from snapshots.naming.resolver import Resolver
    from training.benchmarks.judgements import Judgement
    from training.evaluation.baselines import title_cosine

    check_outputs(plot, force=force)
    benchmark, opened = _opened("bird", pairs, snapshot)

    def beside(judged: list[Judgement]) -> dict[str, Floats]:
        extractor = TermExtractor.open(opened, Resolver.open(opened))
        values = extractor.extract([TermPair(one.left, one.right) for one in judged])
        columns = dict(zip((feature.name for feature in TERM_FEATURES), values.T, strict=True))
        if encoder is not None:
            texts = [one.left for one in judged], [one.right for one in judged]
            columns[f"title cosine ({encoder.name})"] = title_cosine(encoder, *texts)
        return columns

    with steps(quiet) as shown_steps:
        results, ranges = run_bird(benchmark, opened, shown_steps, beside)
    if plot is not None:
        plot.write_text(alpha_sweep(results))
    show(experiment(results, ranges, benchmark, opened.id), markdown, json)


def _opened(name: str, pairs: Path | None, snapshot: Path | None) -> tuple[Benchmark, Snapshot]:
    """The benchmark, from ``pairs`` or where it is found, and the snapshot, the starter if none is set."""
    from app.serving.starter import snapshot_path
    from snapshots.snapshot import Snapshot
    from training.benchmarks.declared import locate, named
    from training.benchmarks.read import read_declared

    settings = read_settings(("snapshot",), snapshot=snapshot)
    declaration = named(name)
    benchmark = read_declared(declaration, pairs or locate(declaration, settings.data_dir))
    return benchmark, Snapshot.open(settings.snapshot or snapshot_path())


def show(experiment: Experiment, markdown: bool, json: bool) -> None:
    """Print the tables of an experiment: for people, as Markdown, or as JSON."""
    if json:
        sys.stdout.buffer.write(experiment.json())
        return
    if markdown:
        typer.echo(experiment.markdown(), nl=False)
        return
    from rich.console import Console

    console = Console()
    for table in experiment.tables:
        console.print(_rich(table))
        if table.note:
            console.print(f"  {table.note}\n", style="dim", markup=False, highlight=False)


def _rich(table: PaperTable) -> object:
    """The table for the terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    from papers.tables import numeric, shown

    drawn = Table(title=escape(table.title), title_justify="left", box=SIMPLE_HEAD)
    for place, column in enumerate(table.columns):
        drawn.add_column(escape(column), justify="right" if numeric(table, place) else "left")
    for row in table.rows:
        drawn.add_row(*(escape(shown(cell)) for cell in row))
    return drawn
