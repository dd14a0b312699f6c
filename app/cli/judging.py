"""What ``wort evaluate`` judges, and by what: benchmarks, models, baselines, from its options."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from app.cli.progress import NoProgress
from app.errors import NoTermModel
from app.scoring.model_kinds import load_term_model
from app.scoring.terms import shipped_term_model
from measures.arrays import Floats
from training.benchmarks.declared import find_all, shipped
from training.benchmarks.judgements import Benchmark, Split
from training.benchmarks.pairs import columns_named
from training.benchmarks.rankings import Rankings
from training.benchmarks.read import read_benchmark
from training.errors import NotABenchmark, TooFewPairs
from training.evaluation.answers import Answers, Baseline, Judges, Pairs, answer
from training.evaluation.baselines import random_baseline, title_cosine
from training.evaluation.columns import SEED, Sampling
from training.evaluation.detail import Sections, detailed, other_language
from training.evaluation.leaderboard import ENCODER, RANDOM, board
from training.evaluation.rankings import as_pairs, row_of
from training.evaluation.report import Leaderboard, LeftOut, Predictions, Report
from training.evaluation.sources import asked_for
from training.evaluation.term_judge import TermJudge

if TYPE_CHECKING:
    from app.cli.progress import Steps
    from app.scoring.concepts import Scorer
    from app.settings import Settings
    from models.model import Model

Columns = tuple[str | None, str | None, str | None, str | None]
"""The columns of left, right, score and topic that a person named."""


def benchmarks(
    pairs: Path | None,
    names: Sequence[str],
    columns: Columns,
    split: Split,
    settings: Settings,
    language: str,
) -> tuple[list[Benchmark], list[LeftOut]]:
    """The benchmarks to judge by, rankings as pairs, and those left out.

    Raises:
        typer.BadParameter: neither or both of a file and names, or no folder to look in.
        BenchmarkError: one of them cannot be found or read.
    """
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
    sources, left_out = asked_for(names, settings.data_dir or Path(), language, split)
    if not sources:
        raise NotABenchmark(_nothing_to_judge_by(left_out, settings.data_dir))
    return [as_pairs(source) if isinstance(source, Rankings) else source for source in sources], left_out


def _nothing_to_judge_by(left_out: Sequence[LeftOut], data_dir: Path | None) -> str:
    """Why there is nothing: of files that were found what is wrong with each, of all others no more."""
    found = find_all(shipped().values(), data_dir)
    wrong = "; ".join(f"{each.benchmark}: {each.reason}" for each in left_out if each.benchmark in found)
    if not wrong:
        return (
            f"no benchmark's file was found under {data_dir}. `wort benchmarks` says where to get each; put "
            "them there, or name another folder with --data-dir."
        )
    return f"no benchmark that was found can be judged by ({wrong}). `wort benchmarks` lists all."


def judges(
    scorer: Scorer, sources: Sequence[Benchmark], term_model: Path | None, encoder: Path | None
) -> Judges:
    """The models, and the baselines beside them: chance, and the ``encoder`` where there is one.

    Where no ``term_model`` is named, there is one only if some of the ``sources`` are of terms or documents.
    """
    model = None
    if term_model is not None:
        model = load_term_model(term_model)
    elif any(source.kind in {"terms", "documents"} for source in sources):
        model = term_model_of(scorer.snapshot.id)
    baselines = [Baseline(RANDOM, lambda texts: random_baseline(len(texts), SEED))]
    if encoder is not None:
        baselines.append(Baseline(ENCODER, partial(_cosines, encoder)))
    return Judges(
        scorer.snapshot,
        scorer.resolver,
        scorer.model,
        None if model is None else TermJudge.open(scorer.snapshot, scorer.resolver, model),
        terms_of_concepts=term_model is not None,
        baselines=tuple(baselines),
    )


def _cosines(encoder: Path, texts: Pairs) -> Floats:
    return title_cosine(encoder, [left for left, _ in texts], [right for _, right in texts])


def term_model_of(snapshot: str) -> Model | None:
    """The model of terms that comes with wort and was trained on the snapshot of this id, if there is one."""
    try:
        model = shipped_term_model(snapshot)
    except NoTermModel:
        return None
    return model if model.snapshot == snapshot else None


def in_detail(asked: Judges, sources: Sequence[Benchmark]) -> bool:
    """Whether there is one benchmark, of which a report in detail can be made: a model scores its pairs."""
    kinds = {"concepts", "terms"} if len(asked.models) == 1 else {"concepts", "terms", "documents"}
    return len(sources) == 1 and sources[0].kind in kinds


def answered(asked: Judges, sources: Sequence[Benchmark], split: Split, shown: Steps) -> list[Answers]:
    """What all judges say of all benchmarks."""
    found = []
    for source in sources:
        shown.begin(f"scoring {source.name}", "titles")
        found.append(answer(asked, source, split, shown.advance_to))
    return found


def leaderboard(
    asked: Judges,
    answers: Sequence[Answers],
    left_out: Sequence[LeftOut],
    encoder: Path | None,
    sampling: Sampling,
    shown: Steps,
) -> Leaderboard:
    """A row for each benchmark."""
    rows = []
    shown.begin("judging", "benchmarks")
    for done, each in enumerate(answers, start=1):
        rows.append(row_of(each, asked, sampling))
        shown.advance_to(done, len(answers))
    return board(
        rows,
        left_out,
        snapshot=asked.snapshot.id,
        names=asked.names,
        encoder=None if encoder is None else encoder.name,
        sampling=sampling,
        notes=(
            *warnings(asked, answers),
            *(note for each in answers for note in other_language(each, asked)),
        ),
    )


def in_short(
    asked: Judges, answers: Sequence[Answers], sampling: Sampling, shown: Steps
) -> list[tuple[Report, Predictions]]:
    """The report on each benchmark of which one can be made, without the sections that take long."""
    reports = []
    shown.begin("reporting on each", "benchmarks")
    for done, each in enumerate(answers, start=1):
        if in_detail(asked, [each.benchmark]):
            with suppress(TooFewPairs):
                reports.append(detailed(each, asked, sampling, Sections(), NoProgress()))
        shown.advance_to(done, len(answers))
    return reports


def warnings(asked: Judges, answers: Sequence[Answers]) -> tuple[str, ...]:
    """What a reader of a leaderboard must know, in sentences."""
    foreign = (model.check_snapshot(asked.snapshot.id) for model in asked.models)
    seen = [
        f"{each.benchmark.name}: {model.name} was trained on this file, and its figures here are of pairs "
        f"that it has seen. Of pairs left out they were {_metrics(model)}."
        for each in answers
        for model in asked.trained_on(each)
    ]
    return (*(warning for warning in foreign if warning is not None), *seen)


def _metrics(model: Model) -> str:
    kinds = ("pearson", "spearman")
    figures = (model.metrics.get(kind, model.metrics.get(f"{kind}_ten_folds")) for kind in kinds)
    return " / ".join("undefined" if figure is None else f"{figure:.3f}" for figure in figures)
