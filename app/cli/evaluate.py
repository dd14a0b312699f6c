"""``wort evaluate``: a model judged by people's judgements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.exit_codes import FINDINGS
from app.cli.progress import steps


def evaluate(
    pairs: Annotated[
        Path, typer.Option(help="The judgements: WORD's file, or a .csv, .tsv or .jsonl file of pairs.")
    ],
    snapshot: Annotated[Path, typer.Option(help="The snapshot to score with.")],
    model: Annotated[Path, typer.Option(help="The model to judge.")],
    split: Annotated[
        Literal["train", "test", "all"], typer.Option(help="Which rows to judge, where the file marks them.")
    ] = "all",
    report: Annotated[
        Path | None, typer.Option(help="A file for the report as JSON; - for standard output.")
    ] = None,
    min_pearson: Annotated[
        float | None, typer.Option(help="Exit with 1 if the model's Pearson correlation is below this.")
    ] = None,
    min_spearman: Annotated[
        float | None, typer.Option(help="Exit with 1 if the model's Spearman correlation is below this.")
    ] = None,
    left: Annotated[str | None, typer.Option(help="The column of one concept.")] = None,
    right: Annotated[str | None, typer.Option(help="The column of the other.")] = None,
    score: Annotated[str | None, typer.Option(help="The column of the score, on any scale.")] = None,
    topic: Annotated[str | None, typer.Option(help="The column of the topic, if there is one.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a model that was trained on another snapshot.")
    ] = False,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples behind an interval.", min=1)] = 1000,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the report if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Judge a model, and each feature alone, on pairs that people scored. Nothing is fitted."""
    # Imported here, so that help is quick.
    from app.cli.figures import check_outputs, show
    from app.scoring import Scorer
    from features.extract import extract
    from training.benchmarks.pairs import columns_named
    from training.benchmarks.read import read_benchmark
    from training.coverage import cover
    from training.evaluate import Judged, judge, model_predictions, notes_on, shortfalls

    check_outputs(report, force=force)
    benchmark = read_benchmark(pairs, split, columns_named(left, right, score, topic))
    scorer = Scorer.open(snapshot, model, strict)
    with steps(quiet) as shown:
        shown.begin("finding the concepts", "titles")
        covered, coverage = cover(benchmark, scorer.resolver, shown.advance_to)
        shown.begin("computing the features")
        values = extract(scorer.snapshot, covered.left, covered.right)
        shown.begin("judging features and model", "measures")
        reported = judge(
            Judged(
                benchmark, split, covered, coverage, values, model_predictions(scorer.model, covered, values)
            ),
            model=scorer.model.name,
            snapshot=scorer.snapshot.id,
            predictions="model",
            notes=notes_on(scorer.model, scorer.snapshot.id, benchmark, split),
            resamples=resamples,
            progress=shown.advance_to,
        )
    show(reported, report)
    below = shortfalls(reported, {"pearson": min_pearson, "spearman": min_spearman})
    for line in below:
        typer.echo(f"wort: {line}", err=True)
    if below:
        raise typer.Exit(FINDINGS)
