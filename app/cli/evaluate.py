"""``wort evaluate``: a model judged by people's judgements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

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
from app.cli.exit_codes import FINDINGS
from app.cli.progress import steps
from app.cli.settings import LOOKED_AT, read_settings

if TYPE_CHECKING:
    from app.scoring.concepts import Scorer
    from app.settings import Settings
    from training.benchmarks.judgements import Benchmark
    from training.evaluation.judges import Judges


def evaluate(
    pairs: Annotated[
        Path | None,
        typer.Option(help="The judgements: WORD's file, or a .csv, .tsv or .jsonl file of pairs."),
    ] = None,
    benchmark: Annotated[
        list[str] | None,
        typer.Option(
            help="A declared benchmark: its name, a .toml file that declares one, or `all` that are found. "
            "Several make one leaderboard."
        ),
    ] = None,
    data_dir: DataDir = None,
    snapshot: Annotated[
        Path | None,
        typer.Option(help="The snapshot to score with; without it, the one that comes with wort."),
    ] = None,
    model: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The model to judge; without it, the one that comes with wort. Several stand side by side "
            "on the leaderboard, and a report is on the first.",
        ),
    ] = None,
    term_model: Annotated[
        Path | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The model of free terms to judge; without it, the one that comes with wort for the "
            "snapshot, if there is one. Named here, it judges pairs of concepts by their titles too.",
        ),
    ] = None,
    encoder: Annotated[
        list[Path] | None,
        typer.Option(
            help="The folder of a sentence encoder, wort's or of sentence-transformers: a baseline, by the "
            "titles alone; several stand side by side. A model of terms that compares texts does so by the "
            "first that is wort's, or else by WORT_ENCODER or the one that comes with wort."
        ),
    ] = None,
    features: Annotated[
        bool,
        typer.Option("--features", help="Show every single feature on the leaderboard, not the best alone."),
    ] = False,
    split: Annotated[
        Literal["train", "test", "all"], typer.Option(help="Which rows to judge, where the file marks them.")
    ] = "all",
    rejected: Annotated[
        bool, typer.Option("--rejected", help="Judge the measures too that the paper tried and left out.")
    ] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Fit models without each feature, and with it alone.")
    ] = False,
    learners: Annotated[
        bool, typer.Option("--learners", help="Fit other learners on the same folds.")
    ] = False,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="All three of these, and tests of every two measures (in --report and --html)."
        ),
    ] = False,
    report: ReportFile = None,
    html: ReportPage = None,
    min_pearson: Annotated[
        float | None, typer.Option(help="Exit with 1 if the model's Pearson correlation is below this.")
    ] = None,
    min_spearman: Annotated[
        float | None, typer.Option(help="Exit with 1 if the model's Spearman correlation is below this.")
    ] = None,
    left: Annotated[str | None, typer.Option(help="The column of one concept in --pairs.")] = None,
    right: OtherColumn = None,
    score: Annotated[str | None, typer.Option(help="The column of the score, on any scale.")] = None,
    topic: Annotated[str | None, typer.Option(help="The column of the topic, if there is one.")] = None,
    related_at: RelatedAt = 0.5,
    precision: Precision = None,
    recall: Recall = None,
    cost: Cost = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a model that was trained on another snapshot.")
    ] = False,
    resamples: Resamples = 1000,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the report if it exists.")] = False,
    quiet: Quiet = False,
) -> None:
    """Judge a model, single features and baselines by pairs that people scored.

    One benchmark gives a report in detail, several a leaderboard: a row each. The model is judged as it is;
    --ablation and --learners fit others beside it, which are judged out of fold and not kept.
    """
    # Imported here, so that help is quick.
    from app.cli.outputs import check_outputs, write
    from app.cli.reports.figures import show, show_board
    from app.model_names import check_model_name
    from app.serving.starter import open_scorer
    from papers.word.learners import compare_learners
    from papers.word.rejected import rejected_section
    from training.evaluation.columns import Sampling
    from training.evaluation.detail import Sections, detailed
    from training.evaluation.evaluate import shortfalls
    from training.evaluation.judging import in_detail, in_short, leaderboard, predict_each
    from training.statistics.thresholds import Wanted

    check_outputs(report, html, force=force)
    if html is not None:
        from training.reports.page import render, render_leaderboard
    named = model or []
    for other in named:
        check_model_name(other)
    settings = read_settings(
        LOOKED_AT,
        snapshot=snapshot,
        model=named[0] if named else None,
        term_model=term_model,
        data_dir=data_dir,
    )
    floors = {"pearson": min_pearson, "spearman": min_spearman}
    scorer = open_scorer(settings.snapshot, settings.model, strict)
    sources, left_out = benchmarks(
        pairs,
        benchmark or [],
        (left, right, score, topic),
        split,
        settings,
        scorer.snapshot.manifest.language,
    )
    judges = _judges(scorer, sources, settings, named[1:], encoder or [], features)
    sampling = Sampling(resamples)
    single = len(sources) == 1 and in_detail(judges, sources[0]) and not left_out
    if not single and any(floor is not None for floor in floors.values()):
        raise typer.BadParameter("--min-pearson and --min-spearman are of one benchmark of pairs.")
    with steps(quiet) as shown:
        predictions = predict_each(judges, sources, split, shown)
        if not single:
            board = leaderboard(judges, predictions, left_out, sampling, shown)
            reports = in_short(judges, predictions, sampling, shown) if html is not None else []
        else:
            wanted = Sections(
                rejected_section if rejected or full else None,
                ablation or full,
                compare_learners if learners or full else None,
                full,
            )
            thresholds = Wanted(related_at, precision, recall, cost)
            reports = [detailed(predictions[0], judges, wanted, sampling, shown, thresholds)]
    if not single:
        show_board(board, report, html)
        write(board.json(), report)
        if html is not None:
            write(render_leaderboard(board, reports).encode(), html)
        return
    ((reported, predicted),) = reports
    show(reported, report, html, full=full)
    write(reported.json(), report)
    if html is not None:
        write(render(reported, predicted).encode(), html)
    below = shortfalls(reported, floors)
    for line in below:
        typer.echo(f"wort: {line}", err=True)
    if below:
        raise typer.Exit(FINDINGS)


def _judges(
    scorer: Scorer,
    sources: Sequence[Benchmark],
    settings: Settings,
    others: Sequence[Path],
    encoders: Sequence[Path],
    features: bool,
) -> Judges:
    """The models and the baselines.

    Where no model of terms is named, there is one only if some of the ``sources`` are of terms or documents.
    ``others``: further models of concepts; ``features``: whether every single feature is judged.

    Raises:
        typer.BadParameter: two models, or two encoders, have one name.
    """
    from app.scoring.offered import reads_encoder
    from app.scoring.terms import term_model_trained_on
    from app.serving.encoder import EncoderPlace
    from app.serving.starter import concept_model, term_model
    from encoders.card import CARD
    from training.evaluation.judges import Judges

    of_terms, named = None, settings.term_model
    if named is not None:
        of_terms = term_model(scorer.snapshot, named)
    elif any(source.kind in {"terms", "documents"} for source in sources):
        of_terms = term_model_trained_on(scorer.snapshot.id)
    of_texts = None
    if of_terms is not None and reads_encoder(of_terms):
        own = next((encoder for encoder in encoders if (encoder / CARD).is_file()), settings.encoder)
        of_texts = EncoderPlace(own).open()
    try:
        return Judges.open(
            scorer.snapshot,
            scorer.model,
            of_terms,
            resolver=scorer.resolver,
            terms_of_concepts=named is not None,
            encoders=encoders,
            others=[concept_model(scorer.snapshot, other) for other in others],
            each_feature=features,
            of_texts=of_texts,
        )
    except ValueError as same:
        raise typer.BadParameter(f"{same}.") from same
