"""Benchmarks judged: the leaderboard of several, and the report on each of which one can be made."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version

from models.protocol import RelatednessModel
from models.storage.times import now
from training.benchmarks.judgements import Benchmark, Split
from training.errors import TooFewPairs
from training.evaluation.columns import Sampling
from training.evaluation.detail import detailed, other_language
from training.evaluation.judges import JudgePredictions, Judges, predict
from training.evaluation.rankings import row_of
from training.evaluation.report import Leaderboard, LeftOut, Predictions, Report
from training.progress import NoProgress, Steps, counting


def predict_each(
    judges: Judges,
    benchmarks: Sequence[Benchmark],
    split: Split = "all",
    steps: Steps = NoProgress(),  # noqa: B008 - without state
) -> list[JudgePredictions]:
    """What all judges say of all benchmarks; ``split``: the rows of them that were read."""
    predictions = []
    for benchmark in benchmarks:
        steps.begin(f"scoring {benchmark.name}", "titles")
        predictions.append(predict(judges, benchmark, split, steps.advance_to))
    return predictions


def leaderboard(
    judges: Judges,
    predictions: Sequence[JudgePredictions],
    left_out: Sequence[LeftOut] = (),
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    steps: Steps = NoProgress(),  # noqa: B008 - without state
) -> Leaderboard:
    """A row for each benchmark, of ``predict_each``; ``left_out``: those that are to be named without one."""
    steps.begin("judging", "benchmarks")
    rows = tuple(row_of(each, judges, sampling) for each in counting(predictions, steps.advance_to))
    concepts, terms = judges.names
    return Leaderboard(
        snapshot=judges.snapshot.id,
        model=concepts,
        term_model=terms,
        encoder=", ".join(judges.encoders) or None,
        others=tuple(model.name for model in judges.others),
        rows=rows,
        left_out=tuple(left_out),
        resampling=sampling.described("topics where a benchmark has them, else pairs"),
        notes=(
            *_warnings(judges, predictions),
            *(note for each in predictions for note in other_language(each, judges)),
        ),
        created=now(),
        code_version=version("wort-server"),
    )


def in_detail(judges: Judges, benchmark: Benchmark) -> bool:
    """Whether a report in detail can be made of the benchmark: a model scores its pairs."""
    return benchmark.kind in {"concepts", "terms"} or (
        benchmark.kind == "documents" and judges.names[1] is not None
    )


def in_short(
    judges: Judges,
    predictions: Sequence[JudgePredictions],
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    steps: Steps = NoProgress(),  # noqa: B008 - without state
) -> list[tuple[Report, Predictions]]:
    """The report on each benchmark of which one can be made, without the sections that take long."""
    reports = []
    steps.begin("reporting on each", "benchmarks")
    for each in counting(predictions, steps.advance_to):
        if in_detail(judges, each.benchmark):
            with suppress(TooFewPairs):
                reports.append(detailed(each, judges, sampling=sampling))
    return reports


def _warnings(judges: Judges, predictions: Sequence[JudgePredictions]) -> tuple[str, ...]:
    """What a reader of a leaderboard must know, in sentences."""
    foreign = (model.check_snapshot(judges.snapshot.id) for model in judges.models)
    seen = [
        f"{each.benchmark.name}: {model.name} was trained on this file, and its figures here are of pairs "
        f"that it has seen. Of pairs left out they were {_metrics(model)}."
        for each in predictions
        for model in judges.trained_on(each)
    ]
    tuned = [
        f"{each.benchmark.name}: the encoder {card.name} was tuned on this file. Its cosines here, and the "
        "features and models that rest on them, are of pairs that it has seen."
        for each in predictions
        for card in judges.tuned_on(each)
    ]
    return (*(warning for warning in foreign if warning is not None), *judges.warnings, *seen, *tuned)


def _metrics(model: RelatednessModel) -> str:
    kinds = ("pearson", "spearman")
    figures = (model.metrics.get(kind, model.metrics.get(f"{kind}_ten_folds")) for kind in kinds)
    return " / ".join("undefined" if figure is None else f"{figure:.3f}" for figure in figures)
