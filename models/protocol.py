"""What a model of relatedness is, whatever was fitted: what it reads, how it scores, what it says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from measures.arrays import Bools, Floats, Ints
from models.errors import BadNumbers, WrongFeatures
from models.expectation import CalibrationCurve, IntervalBands, OperatingPoints
from models.whole_file import whole_file

FORMAT = 1
"""The version of the model file that is written and read here, for models of every type."""

LARGEST = 1e4
"""A number beyond this is a damaged file.

Scores differ by 1 at most, and features by hundredths and more where they say something. What is fitted
has weights below a hundred; with one of ten thousand, a ten-thousandth of a feature would decide. A sum of
numbers below it times features keeps ten decimals, and cannot overflow.
"""

MOST_PAIRS = 2**53
"""No count of pairs is beyond this, which JSON's readers agree on."""

CLIP = (0.0, 0.99)
"""The range that scores are cut to. 1 is the score of a concept with itself, or of a term, and of no other
pair: 0.99 stays below it where scores are shown with two digits, too."""

Unit = Literal["score", "evidence"]
"""What a raw score, the intercept and the contributions are in: scores, or what scores rise with."""

_NEAR = 1e-9
"""A raw score as near to the intercept as this is taken to be it, where the two are divided by."""


class Coefficient(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that was fitted: the ``weight`` of a feature, transformed."""

    feature: str
    transform: str
    weight: float


class TrainingSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The judgements that a model was fitted to.

    ``checksum``: BLAKE2b-256 of the file, in hex. ``pairs``: those that training read; ``fitted``: those of
    them whose two concepts are in the snapshot and differ. ``topics``: those of the fitted pairs. A model
    states both; None where a registry was not told. ``parts``: where several files were joined, their
    checksums; ``checksum`` is then a digest of these.
    """

    name: str
    checksum: str
    pairs: int
    fitted: int | None = None
    topics: int | None = None
    parts: tuple[str, ...] = ()


class FoldResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the pairs of a topic were predicted by a model that saw none of them; None where undefined."""

    topic: str
    pairs: int
    pearson: float | None
    spearman: float | None


class TextsEncoder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which encoder of texts: its ``name``, the ``digest`` of its files, and which ``kind`` of it encodes."""

    name: str
    digest: str
    kind: str

    def __str__(self) -> str:
        return f"{self.name} ({self.digest}, {self.kind})"


class RelatednessModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A model of relatedness, and what its file holds.

    A kind of model says its own ``type``, whatever fields of its own, and ``contributions``; it is entered in
    ``models.files.TYPES``. What a score is made of follows from these. One whose raw score is no score yet
    says its ``unit``, and what scores they stand for (``clipped``).

    ``features``: the signatures (name@version) of the features it reads, in the order in which it takes them.
    ``coefficients``: what was fitted, to be shown to people. ``intercept``: what every pair begins with.
    ``clip``: the range the score is cut to; a file of an earlier version says 1, and is cut where ``CLIP``
    ends all the same. ``snapshot``: the id of the snapshot it was trained on. ``metrics``: correlations of
    its out-of-fold predictions. ``created``: ISO 8601, UTC. ``interval_bands``, ``operating_points`` and
    ``calibration``: what may be expected of its scores, by such predictions; unset in a file that does not
    say. ``encoder``: where it compares texts, what encoded those that it learnt from; of concepts the
    snapshot says so.

    Raises:
        ModelError: it lists a feature twice, or a number cannot be used.
    """

    unit: ClassVar[Unit] = "score"

    format: int = FORMAT
    type: str
    name: str
    features: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    intercept: float
    clip: tuple[float, float] = CLIP
    trained_on: TrainingSet
    snapshot: str
    metrics: dict[str, float | None]
    cross_validation: tuple[FoldResult, ...]
    created: str
    code_version: str
    interval_bands: IntervalBands | UnsetType = UNSET
    operating_points: OperatingPoints | UnsetType = UNSET
    calibration: CalibrationCurve | UnsetType = UNSET
    encoder: TextsEncoder | UnsetType = UNSET

    def __post_init__(self) -> None:
        if len(set(self.reads)) != len(self.reads):
            raise WrongFeatures("the model lists a feature twice. Train it again.")
        check_number(self.intercept, "the intercept")
        for metric, value in self.metrics.items():
            check_number(value or 0.0, f"the metric {metric}")
        trained_on = self.trained_on
        counts = [trained_on.pairs, trained_on.fitted, trained_on.topics]
        for fold in self.cross_validation:
            check_number(fold.pearson or 0.0, f"the correlation of {fold.topic}")
            check_number(fold.spearman or 0.0, f"the correlation of {fold.topic}")
            counts.append(fold.pairs)
        for count in counts:
            if count is None or not 0 <= count < MOST_PAIRS:
                raise BadNumbers(f"the model counts {count} pairs or topics. Train it again.")
        low, high = self.clip
        if not (0.0 <= low < min(high, CLIP[1]) and high <= 1.0):
            raise BadNumbers(f"the clip [{low}, {high}] is not a range within [0, 1]. Train the model again.")

    def contributions(self, values: Floats) -> Floats:
        """What each feature adds to the raw score: float64[n, features], the intercept apart.

        ``values``: float64[n, features], in the order of ``features``. Row i depends on row i alone, to the
        last bit.

        Raises:
            ValueError: ``values`` does not have a column for each feature.
        """
        raise NotImplementedError

    def interval(
        self, values: Floats, scores: Floats | None = None, known: Bools | None = None
    ) -> tuple[Floats, Floats] | None:
        """Between which shares a panel's answer to each pair lies, float64[n] each.

        ``scores``: those of ``values``, where they are known already; ``known``: as for ``evidence_in``.

        The interval holds the score, and the answer of a panel such as those that the model learnt from in
        the share of pairs that ``interval_bands`` names. None from a model that does not know.
        """
        bands = self.interval_bands
        if bands is UNSET:
            return None
        scores = self.score(values) if scores is None else scores
        return bands.around(scores, evidence_in(values, known) if bands.by_evidence else None)

    def score_contributions(self, values: Floats) -> Floats:
        """What each feature adds to the score: float64[n, features], beside ``clipped`` of the intercept.

        Where contributions are no shares of a score, as evidence is not, or a score is cut, each is scaled
        by the same number a pair: what the score gains over that of no evidence, divided by what the raw
        score gains. They keep their signs and their proportions, and sum to what the score gains, but for
        rounding. These are the integrated gradients of the score along the straight way from no contribution
        to all of them (Sundararajan et al. 2017), which are the Aumann-Shapley values of these: the one
        division that treats contributions alike and adds up, where all grow together.
        """
        contributions, raw = self.contributions(values), self.raw(values)
        # At the intercept the quotient is the slope of the score there.
        near = np.abs(raw - self.intercept) < _NEAR
        start = np.where(near, self.intercept - _NEAR, self.intercept)
        end = np.where(near, self.intercept + _NEAR, raw)
        gain: Floats = (self.clipped(end) - self.clipped(start)) / (end - start)
        added: Floats = contributions * gain[:, np.newaxis]
        return added

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The names of its features, without the versions of their definitions."""
        return tuple(name_of(signature) for signature in self.features)

    @property
    def weighed(self) -> RelatednessModel:
        """The model of the features that have weight: the same scores and intervals, to the bit, for less."""
        return self

    def read_from(self, values: Floats, names: Sequence[str]) -> Floats:
        """The features it reads, in its order, of ``values``, float64[n, k], whose columns are ``names``."""
        if self.reads == tuple(names):
            return values
        return values[:, [names.index(name) for name in self.reads]]

    def raw(self, values: Floats) -> Floats:
        """What pairs are ranked by: float64[n], in the ``unit``; ``values`` as for ``contributions``.

        The intercept, then the contributions one by one from left to right, so that whoever adds up the
        published ones has the raw score exactly; a matrix product would add in an order of its own.
        """
        contributions = self.contributions(values)
        if len(contributions) == 1:
            # An addition of Python's takes a twentieth of the time that one of NumPy's takes.
            alone = self.intercept
            for contribution in contributions[0].tolist():
                alone += contribution
            return np.array([alone])
        total = np.full(len(contributions), self.intercept)
        for column in contributions.T:
            total += column
        return total

    def score(self, values: Floats) -> Floats:
        """The relatedness of each pair: float64[n], within ``clip``.

        Two identical concepts are the caller's case: their score is 1 whatever the features say.
        """
        return self.clipped(self.raw(values))

    def clipped(self, raw: Floats) -> Floats:
        """The scores of raw ones, cut to ``clip``: never 1, and in the order of the raw ones."""
        low, high = self.clip
        return np.minimum(np.maximum(raw, low), min(high, CLIP[1]))

    def check_snapshot(self, snapshot: str) -> str | None:
        """The warning owed to who scores with the snapshot of this id; None if it is the model's own."""
        if snapshot == self.snapshot:
            return None
        warning = (
            f"The model {self.name} was trained on snapshot {self.snapshot} and scores with {snapshot}: "
            "features that depend on the size of the wiki move with it."
        )
        own, other = (of.partition("-")[0] for of in (self.snapshot, snapshot))
        if own == other:
            return warning
        return f"{warning} No judgements of {other} were seen: there its scores and intervals may mean less."

    def check_encoder(self, encoder: TextsEncoder) -> str | None:
        """The warning owed to who scores with this encoder of texts; None if it is the model's own.

        A model whose file names none is not warned of: it compares no texts.
        """
        own = self.encoder
        if own is UNSET or (own.digest, own.kind) == (encoder.digest, encoder.kind):
            return None
        warning = (
            f"The model {self.name} was trained with the encoder {own} and compares texts by {encoder}: "
            "its scores are not calibrated to that one."
        )
        if own.digest == encoder.digest and own.kind == "onnx":
            return f"{warning} Install ONNX Runtime (the extra `encoder` of wort-server) to run its own."
        return warning

    def encoded(self) -> bytes:
        """The content of its file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    def save(self, path: Path | str) -> None:
        """Write the model file: whole or not at all."""
        with whole_file(Path(path)) as file:
            file.write(self.encoded())


def check_number(number: float, what: str) -> None:
    """Refuse a number that no trained model has.

    Raises:
        BadNumbers: it is not finite, or beyond ``LARGEST``; the message says ``what`` it is.
    """
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise BadNumbers(f"{what} is {number}, which no trained model has. Train it again.")


def evidence_in(values: Floats, known: Bools | None = None) -> Ints:
    """How many features of each pair have evidence: int64[n]. Of ``values``, float64[n, k], 0 is none.

    ``known``: whether both sides are known in most of their words, bool[n]; None where all are. No feature
    counts where they are not: that two terms stand in no sentence together says something of words that are
    known, and nothing of others.
    """
    counts = np.asarray(np.count_nonzero(values, axis=1), np.int64)
    return counts if known is None else counts * known


def name_of(signature: str) -> str:
    """The name of a feature, without the version of its definition.

    >>> name_of("MW@2")
    'MW'
    """
    return signature.partition("@")[0]
