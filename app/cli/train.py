"""``wort train``: from people's judgements to a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.progress import steps


def train(
    pairs: Annotated[
        Path,
        typer.Option(help="The judgements: WORD's file, or a .csv, .tsv or .jsonl file with a topic a row."),
    ],
    snapshot: Annotated[Path, typer.Option(help="The snapshot to learn on.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model file to write.")],
    report: Annotated[
        Path | None, typer.Option(help="A file for the report as JSON; - for standard output.")
    ] = None,
    design: Annotated[
        Literal["default", "plain"],
        typer.Option(help="The features as they are (plain), or with fixed transforms besides (default)."),
    ] = "default",
    name: Annotated[str | None, typer.Option(help="The model's name; its file's name if unset.")] = None,
    left: Annotated[str | None, typer.Option(help="The column of one concept.")] = None,
    right: Annotated[str | None, typer.Option(help="The column of the other.")] = None,
    score: Annotated[str | None, typer.Option(help="The column of the score, from 0 to 1.")] = None,
    topic: Annotated[
        str | None, typer.Option(help="The column of the topic, one of which is left out.")
    ] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples behind an interval.", min=1)] = 1000,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the outputs if they exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Train a model on people's judgements, and report how good it is.

    The figures are by leave-one-topic-out: each pair is predicted by a model that saw no pair of its topic.
    The model that is written is fitted to all pairs. Rows marked Test are never read.
    """
    # Imported here, so that help is quick and serving does without scikit-learn.
    from app.cli.figures import check_outputs, show
    from features.extract import extract
    from tables.resolver import Resolver
    from tables.snapshot import Snapshot
    from training.benchmarks.pairs import columns_named
    from training.benchmarks.read import read_benchmark
    from training.coverage import cover
    from training.design import DESIGNS
    from training.evaluate import Judged, judge
    from training.train import check_trainable, left_out_predictions
    from training.train import train as train_model

    check_outputs(output, report, force=force)
    benchmark = read_benchmark(pairs, "train", columns_named(left, right, score, topic))
    check_trainable(benchmark)
    opened = Snapshot.open(snapshot)
    with steps(quiet) as shown:
        shown.begin("finding the concepts", "titles")
        covered, coverage = cover(benchmark, Resolver.open(opened), shown.advance_to)
        shown.begin("computing the features")
        values = extract(opened, covered.left, covered.right)
        shown.begin("leaving one topic out", "topics")
        predicted = left_out_predictions(covered, values, DESIGNS[design], shown.advance_to)
        shown.begin("judging features and model", "measures")
        reported = judge(
            Judged(benchmark, "train", covered, coverage, values, predicted),
            model=name or output.stem,
            snapshot=opened.id,
            predictions="out-of-fold",
            resamples=resamples,
            progress=shown.advance_to,
        )
    train_model(benchmark, covered, values, DESIGNS[design], reported).save(output)
    show(reported, report)
    typer.echo(f"{output}: model {reported.model}", err=True)
