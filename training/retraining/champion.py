"""The champion, the model in force: its snapshot, what it learnt from, what it says of pairs held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np

from measures.arrays import Bools, Floats
from models.protocol import RelatednessModel
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.declared import find, shipped
from training.benchmarks.read import read_declared
from training.progress import Progress
from training.retraining.folds import Folds
from training.retraining.held_out import HeldOut, Learnt, held_out, reproduced, values_read
from training.retraining.validate import JudgedRow, JudgedSet, Validated, on_scale, resolve


class LearntRow(msgspec.Struct, frozen=True, array_like=True):
    """A pair that a model was fitted to, as its report keeps it: titles, score on [0, 1], topic, whose."""

    left: str
    right: str
    score: float
    topic: str | None
    own: bool


class _LearntReport(msgspec.Struct):
    """What is read again of the report that a model was registered with."""

    learnt: tuple[LearntRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class Champion:
    """The model that a challenger must pass, on the snapshot that it scores with.

    ``name``: what reports call it; ``release``: the number of its release, 0 where none is registered;
    ``report``: the report it was registered with, None where there is none.
    """

    name: str
    release: int
    model: RelatednessModel
    snapshot: Snapshot
    resolver: Resolver
    report: bytes | None = None


@dataclass(frozen=True, slots=True)
class LearntFrom:
    """The rows that the champion learnt from, their ``spellings``, and what it was fitted to."""

    rows: list[JudgedRow]
    spellings: Mapping[str, tuple[str, ...]]
    learnt: Learnt


@dataclass(frozen=True, slots=True)
class ChampionPredictions:
    """What the champion says of a challenger's pairs.

    ``common``: which of the pairs it can be compared on, bool[n]: its snapshot resolves them, and it can be
    held out; ``predicted``: of those; ``itself``: what it says itself of each pair, without being held out,
    float64[n], NaN where its snapshot does not resolve it; ``resolved``: of all rows on their scale, those
    that its snapshot resolves; ``learnt_from``: None where that is not known.
    """

    common: Bools
    predicted: HeldOut
    itself: Floats
    resolved: int
    learnt_from: LearntFrom | None


def champion_predictions(
    champion: Champion,
    sets: Sequence[JudgedSet],
    validated: Validated,
    folds: Folds,
    data_dir: Path | None = None,
    progress: Progress | None = None,
) -> ChampionPredictions:
    """What the champion says of each pair, without having learnt from the pair's fold.

    What it learnt from is looked for in the report that it was registered with, among the declared benchmarks
    in ``data_dir``, and among ``sets``. ``progress`` counts folds.
    """
    pairs, _, rows, common = resolve(validated.judged.rows, validated.spellings, champion.resolver)
    coverage = resolve(validated.rows, validated.spellings, champion.resolver).coverage
    learnt_from = _learnt_from(champion, sets, validated.spellings, data_dir)
    features = values_read(champion.model, champion.snapshot, pairs.left, pairs.right)
    itself = np.full(len(common), np.nan)
    # Two concepts of one snapshot may be one of the other, by a redirect.
    itself[common] = np.where(pairs.identical, 1.0, champion.model.score(features))
    predicted = held_out(
        champion.model,
        learnt_from.learnt if learnt_from is not None else None,
        pairs.left,
        pairs.right,
        features,
        tuple(row.topic for row in rows),
        folds.of(common),
        progress,
    )
    values = np.where(pairs.identical, 1.0, predicted.values)
    comparable = ~np.isnan(values)
    common[common] = comparable
    return ChampionPredictions(
        common, replace(predicted, values=values[comparable]), itself, coverage.resolved, learnt_from
    )


def rows_learnt(report: bytes | None) -> tuple[LearntRow, ...] | None:
    """The rows that a registered report says its model learnt from; None where it does not."""
    if report is None:
        return None
    try:
        return msgspec.json.decode(report, type=_LearntReport).learnt
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def declared_set(checksum: str, data_dir: Path | None) -> JudgedSet | None:
    """The declared benchmark whose file has this checksum, its train rows; None where it is not at hand."""
    for declaration in shipped().values():
        if all(form.checksum != checksum for form in declaration.forms):
            continue
        path = find(declaration, data_dir)
        if path is not None:
            read = read_declared(declaration, path, "train")
            if read.checksum == checksum:
                return JudgedSet(read, False, read.low, read.high)
    return None


def _learnt_from(
    champion: Champion,
    sets: Sequence[JudgedSet],
    spellings: Mapping[str, tuple[str, ...]],
    data_dir: Path | None,
) -> LearntFrom | None:
    """What the champion learnt from, None where that is not known.

    Of the file that it was trained on only the checksum is known, and whoever gives that file now says which
    column is the score, and on what scale. So it is believed if the model can be fitted to it again.
    """
    reported = rows_learnt(champion.report)
    if reported is not None:
        return _learnt_from_rows(
            champion,
            [JudgedRow("", row.own, row.left, row.right, row.score, row.topic) for row in reported],
            spellings,
        )
    checksum = champion.model.trained_on.checksum
    declared = declared_set(checksum, data_dir)
    if declared is not None:
        return _learnt_from_rows(
            champion, on_scale([declared])[0], {**spellings, **declared.benchmark.spellings}
        )
    for judged in sets:
        if judged.benchmark.checksum == checksum:
            rows = on_scale([judged])[0]
            learnt_from = _learnt_from_rows(champion, rows, {**spellings, **judged.benchmark.spellings})
            if reproduced(champion.model, learnt_from.learnt):
                return learnt_from
    return None


def _learnt_from_rows(
    champion: Champion, rows: list[JudgedRow], spellings: Mapping[str, tuple[str, ...]]
) -> LearntFrom:
    """What the champion learnt from, if these are the rows."""
    pairs, _, resolved, _ = resolve(rows, spellings, champion.resolver)
    two = ~pairs.identical
    left, right = pairs.left[two], pairs.right[two]
    learnt = Learnt(
        left,
        right,
        values_read(champion.model, champion.snapshot, left, right),
        pairs.scores[two],
        tuple(row.topic for row, differ in zip(resolved, two.tolist(), strict=True) if differ),
    )
    return LearntFrom(rows, spellings, learnt)
