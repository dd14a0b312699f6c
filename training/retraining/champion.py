"""The champion, the model in force: its snapshot, what it learnt from, what it says of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from features.catalogue import FEATURE_NAMES
from measures.arrays import Bools, Floats, Ints
from models.protocol import RelatednessModel
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.declared import find, shipped
from training.benchmarks.read import read_declared
from training.left_out import OF_CONCEPTS
from training.retraining.held_out import ReadPairs, reproduced
from training.retraining.unseen import unseen_values
from training.retraining.validate import JudgedRow, JudgedSet, on_scale, resolve


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

    def read(
        self, rows: Sequence[JudgedRow], spellings: Mapping[str, tuple[str, ...]]
    ) -> tuple[ReadPairs, Bools]:
        """The rows that its snapshot resolves, as the model reads them, and which they are, bool[n]."""
        pairs, _, resolved, kept = resolve(rows, spellings, self.resolver)
        return read_by(self.model, self.snapshot, pairs.left, pairs.right, pairs.scores, resolved), kept


@dataclass(frozen=True, slots=True)
class LearntFrom:
    """The rows that the champion learnt from, their ``spellings``, and what it was fitted to."""

    rows: Sequence[JudgedRow]
    spellings: Mapping[str, tuple[str, ...]]
    pairs: ReadPairs


def what_it_learnt_from(
    champion: Champion,
    sets: Sequence[JudgedSet],
    spellings: Mapping[str, tuple[str, ...]],
    data_dir: Path | None = None,
) -> LearntFrom | None:
    """What the champion learnt from, None where that is not known.

    It is looked for in the report that the champion was registered with, among the declared benchmarks in
    ``data_dir``, and among ``sets``. Of the file that it was trained on only the checksum is known, and
    whoever gives that file now says which column is the score, and on what scale. So it is believed if the
    model can be fitted to it again.
    """

    def learnt_from(rows: Sequence[JudgedRow], also: Mapping[str, tuple[str, ...]]) -> LearntFrom:
        """What the champion learnt from, if these are the rows."""
        read, _ = champion.read(rows, {**spellings, **also})
        return LearntFrom(rows, {**spellings, **also}, read.of(~read.identical))

    reported = rows_learnt(champion.report)
    if reported is not None:
        rows = [JudgedRow(row.left, row.right, row.score, row.topic, 0, own=row.own) for row in reported]
        return learnt_from(rows, {})
    checksum = champion.model.trained_on.checksum
    declared = declared_set(checksum, data_dir)
    if declared is not None:
        return learnt_from(on_scale([declared])[0], declared.benchmark.spellings)
    for judged in sets:
        if judged.benchmark.checksum == checksum:
            learnt = learnt_from(on_scale([judged])[0], judged.benchmark.spellings)
            if reproduced(champion.model, learnt.pairs, learnt.pairs.values):
                return learnt
    return None


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


def read_by(
    model: RelatednessModel,
    snapshot: Snapshot,
    left: Ints,
    right: Ints,
    scores: Floats,
    rows: Sequence[JudgedRow],
) -> ReadPairs:
    """Judged pairs of concepts of a snapshot, as a model reads them.

    ``left``, ``right``: concept ids, int64[n]; ``scores``: float64[n]; ``rows``: how each pair is judged. Of
    pairs that the snapshot's encoder was tuned on, its cosines are those of encoders that had not seen them.
    """
    unseen = unseen_values(snapshot, left, right, rows)
    values = model.read_from(unseen.values, FEATURE_NAMES)
    together = unseen.fold if set(model.reads).intersection(OF_CONCEPTS) else None
    return ReadPairs(left, right, values, scores, tuple(row.topic for row in rows), together)
