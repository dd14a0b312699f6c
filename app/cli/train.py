"""``wort train``: from people's judgements to a model."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from app.cli.benchmark_options import (
    Cost,
    DataDir,
    OtherColumn,
    Precision,
    Quiet,
    Recall,
    RelatedAt,
    ReportFile,
    ReportPage,
    Resamples,
    benchmarks,
)
from app.cli.interruption import told_when_stopped
from app.cli.progress import steps
from app.cli.settings import read_settings


def train(
    snapshot: Annotated[Path, typer.Option(help="The snapshot to learn on.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model file to write.")],
    pairs: Annotated[
        Path | None,
        typer.Option(help="The judgements: WORD's file, or a .csv, .tsv or .jsonl file with a topic a row."),
    ] = None,
    benchmark: Annotated[
        str | None, typer.Option(help="A declared benchmark instead: its name, or a .toml file.")
    ] = None,
    data_dir: DataDir = None,
    terms: Annotated[
        bool,
        typer.Option("--terms", help="Train a model of free terms, not of concepts; topics may be absent."),
    ] = False,
    report: ReportFile = None,
    html: ReportPage = None,
    design: Annotated[
        str,
        typer.Option(
            help="The addends, and the signs of their weights. Of concepts: the features with fixed "
            "transforms besides, and no weight below 0 (default); the same with weights of either sign "
            "(unconstrained); the features as they are, with such weights (plain); a log-logistic model, "
            "with a text encoder's cosines where the snapshot has them (plus). Of terms: default, "
            "positive, plus (with --encoder), log-logistic, words or tr9856."
        ),
    ] = "default",
    encoder: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the encoder that the snapshot's vectors are of; with --terms, of one that "
            "compares terms as texts. Where it was tuned on these judgements, their cosines are those of "
            "encoders that had not seen their topics."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="The model's name; its file's name if unset.")] = None,
    left: Annotated[str | None, typer.Option(help="The column of one side in --pairs.")] = None,
    right: OtherColumn = None,
    score: Annotated[str | None, typer.Option(help="The column of the score, from 0 to 1.")] = None,
    topic: Annotated[
        str | None, typer.Option(help="The column of the topic, one of which is left out.")
    ] = None,
    related_at: RelatedAt = 0.5,
    precision: Precision = None,
    recall: Recall = None,
    cost: Cost = None,
    resamples: Resamples = 1000,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the outputs if they exist.")] = False,
    quiet: Quiet = False,
) -> None:
    """Train a model on people's judgements, and report how good it is.

    The figures are by leave-one-topic-out: each pair is predicted by a model that saw no pair of its topic.
    The model that is written is fitted to all pairs. Rows marked Test are never read.
    """
    # Imported here, so that help is quick and serving does without scikit-learn.
    from app.cli.outputs import check_outputs, write
    from app.cli.reports.figures import show
    from encoders.encoder import open_encoder
    from snapshots.snapshot import Snapshot
    from training.design import DESIGNS
    from training.evaluation.columns import Sampling
    from training.evaluation.sources import ALL
    from training.left_out import (
        check_encoder,
        check_text_encoder,
        encoder_behind,
        left_out_of,
        weighs_cosines,
    )
    from training.statistics.thresholds import Wanted
    from training.terms.design import TERM_DESIGNS
    from training.terms.train import train_term_model
    from training.train import SCARCE, train_concept_model

    check_outputs(output, report, html, force=force)
    designs = TERM_DESIGNS if terms else DESIGNS
    if design not in designs:
        raise typer.BadParameter(f"{design!r} is none of {', '.join(designs)}.", param_hint="--design")
    if benchmark == ALL:
        raise typer.BadParameter("a model is trained on one benchmark. Name it.", param_hint="--benchmark")
    opened = Snapshot.open(snapshot)
    if terms:
        check_text_encoder(designs[design], encoder is not None)
        of_texts = None if encoder is None else open_encoder(encoder)
    else:
        encoder = encoder or encoder_behind(opened)
        check_encoder(opened, designs[design], encoder)
    (judgements,), _ = benchmarks(
        pairs,
        [] if benchmark is None else [benchmark],
        (left, right, score, topic),
        "train",
        read_settings(data_dir=data_dir),
        opened.manifest.language,
    )
    if not terms:
        _hint(opened.manifest.settings.get("encoder") is not None, design, weighs_cosines(designs[design]))
    with (
        told_when_stopped("stopped. No model is written; the same command begins anew."),
        steps(quiet) as shown,
    ):
        trained = (partial(train_term_model, encoder=of_texts) if terms else train_concept_model)(
            judgements,
            opened,
            designs[design],
            name or output.stem,
            Sampling(resamples),
            shown,
            Wanted(related_at, precision, recall, cost),
            None if encoder is None else left_out_of(encoder, judgements),
        )
    trained.model.save(output)
    show(trained.report, report, html)
    write(trained.report.json(), report)
    if html is not None:
        from training.reports.page import render

        write(render(trained.report, trained.predictions).encode(), html)
    # The warning stands in the report, on standard output, which may go elsewhere.
    unreliable = any(note.startswith(SCARCE) for note in trained.report.notes)
    learnt = ", learnt from too little to be relied on" if unreliable else ""
    typer.echo(f"{output}: model {trained.model.name}{learnt}", err=True)


def _hint(has_vectors: bool, design: str, weighs: bool) -> None:
    """Tell who leaves a snapshot's vectors unused that there is a design which does not."""
    if has_vectors and not weighs:
        typer.echo(
            f"wort: this snapshot has an encoder's vectors, which the design {design} does not weigh; "
            "--design plus does.",
            err=True,
        )
