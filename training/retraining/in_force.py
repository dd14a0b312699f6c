"""The model in force: its snapshot, what it learnt from, and what it says of pairs that are held out."""

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
from training.coverage import CoveredPairs, Progress, cover
from training.retraining.folds import Folds
from training.retraining.held_out import Learnt, Predicted, held_out, reproduced, values_read
from training.retraining.validate import JudgedSet, Row, Validated, as_benchmark, on_scale, resolved_rows


class LearntRow(msgspec.Struct, frozen=True, array_like=True):
    """A pair that a model was fitted to, as its report keeps it: titles, score on [0, 1], topic, whose."""

    left: str
    right: str
    score: float
    topic: str | None
    own: bool


class _Kept(msgspec.Struct):
    """What is read again of the report that a model was registered with."""

    learnt: tuple[LearntRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class InForce:
    """The model that a candidate must pass, on the snapshot that it scores with.

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
class Known:
    """The rows that the model in force learnt from, their ``spellings``, and what it was fitted to."""

    rows: list[Row]
    spellings: Mapping[str, tuple[str, ...]]
    learnt: Learnt


@dataclass(frozen=True, slots=True)
class Rival:
    """What the model in force says of a candidate's pairs.

    ``common``: which of the pairs it can be compared on, bool[n]: its snapshot resolves them, and it can be
    held out; ``predicted``: of those; ``itself``: what it says itself of each pair, without being held out,
    float64[n], NaN where its snapshot does not resolve it; ``resolved``: of all rows on their scale, those
    that its snapshot resolves; ``known``: what it learnt from, None where that is not known.
    """

    common: Bools
    predicted: Predicted
    itself: Floats
    resolved: int
    known: Known | None


def predict(
    in_force: InForce,
    sets: Sequence[JudgedSet],
    validated: Validated,
    folds: Folds,
    data_dir: Path | None = None,
    progress: Progress | None = None,
) -> Rival:
    """What the model in force says of each pair, without having learnt from the pair's fold.

    What it learnt from is looked for in the report that it was registered with, among the declared benchmarks
    in ``data_dir``, and among ``sets``. ``progress`` counts folds.
    """
    pairs, rows, common = in_its_snapshot(in_force, validated.judged.rows, validated.spellings)
    _, coverage = cover(as_benchmark(validated.rows, validated.spellings), in_force.resolver)
    known = _known(in_force, sets, validated.spellings, data_dir)
    features = values_read(in_force.model, in_force.snapshot, pairs.left, pairs.right)
    itself = np.full(len(common), np.nan)
    # Two concepts of one snapshot may be one of the other, by a redirect.
    itself[common] = np.where(pairs.identical, 1.0, in_force.model.score(features))
    predicted = held_out(
        in_force.model,
        known.learnt if known is not None else None,
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
    return Rival(common, replace(predicted, values=values[comparable]), itself, coverage.resolved, known)


def rows_learnt(report: bytes | None) -> tuple[LearntRow, ...] | None:
    """The rows that a registered report says its model learnt from; None where it does not."""
    if report is None:
        return None
    try:
        return msgspec.json.decode(report, type=_Kept).learnt
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


def in_its_snapshot(
    in_force: InForce, rows: Sequence[Row], spellings: Mapping[str, tuple[str, ...]]
) -> tuple[CoveredPairs, list[Row], Bools]:
    """The rows that the snapshot in force resolves: as pairs, as rows, and which they are, bool[n]."""
    pairs, coverage = cover(as_benchmark(rows, spellings), in_force.resolver)
    kept = resolved_rows(rows, coverage)
    return pairs, [row for row, is_kept in zip(rows, kept, strict=True) if is_kept], kept


def _known(
    in_force: InForce,
    sets: Sequence[JudgedSet],
    spellings: Mapping[str, tuple[str, ...]],
    data_dir: Path | None,
) -> Known | None:
    """What the model in force learnt from, None where that is not known.

    Of the file that it was trained on only the checksum is known, and whoever gives that file now says which
    column is the score, and on what scale. So it is believed if the model can be fitted to it again.
    """
    kept = rows_learnt(in_force.report)
    if kept is not None:
        return _known_by(
            in_force, [Row("", row.own, row.left, row.right, row.score, row.topic) for row in kept], spellings
        )
    checksum = in_force.model.trained_on.checksum
    declared = declared_set(checksum, data_dir)
    if declared is not None:
        return _known_by(in_force, on_scale([declared])[0], {**spellings, **declared.benchmark.spellings})
    for given in sets:
        if given.benchmark.checksum == checksum:
            known = _known_by(in_force, on_scale([given])[0], {**spellings, **given.benchmark.spellings})
            if reproduced(in_force.model, known.learnt):
                return known
    return None


def _known_by(in_force: InForce, rows: list[Row], spellings: Mapping[str, tuple[str, ...]]) -> Known:
    """What the model in force learnt from, if these are the rows."""
    pairs, found, _ = in_its_snapshot(in_force, rows, spellings)
    two = ~pairs.identical
    left, right = pairs.left[two], pairs.right[two]
    learnt = Learnt(
        left,
        right,
        values_read(in_force.model, in_force.snapshot, left, right),
        pairs.scores[two],
        tuple(row.topic for row, differ in zip(found, two.tolist(), strict=True) if differ),
    )
    return Known(rows, spellings, learnt)
