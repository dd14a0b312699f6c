"""The linear model: its file, what it refuses, and how it scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from measures.arrays import Floats
from models.errors import BadNumbers, ModelError, NotAModel, UnknownTransform, WrongFeatures, WrongModelFormat
from models.given import content_of, refuse_repeated_keys
from models.transforms import TRANSFORMS
from models.whole_file import whole_file

FORMAT = 1
"""The version of the model file that is written and read here."""

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

FEW = 5
"""Names of features that a message lists."""


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One addend of the model: ``weight`` times the transformed feature."""

    feature: str
    transform: str
    weight: float


class TrainingSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The judgements that the model was fitted to.

    ``checksum``: BLAKE2b-256 of the file, in hex. ``pairs``: those that training read; ``fitted``: those of
    them whose two concepts are in the snapshot and differ. ``topics``: those of the fitted pairs. ``parts``:
    where several files were joined, their checksums; ``checksum`` is then a digest of these.
    """

    name: str
    checksum: str
    pairs: int
    fitted: int
    topics: int
    parts: tuple[str, ...] = ()


class FoldResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the pairs of a topic were predicted by a model that saw none of them; None where undefined."""

    topic: str
    pairs: int
    pearson: float | None
    spearman: float | None


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A linear model over the features, as ``model.json`` holds it.

    ``features``: the signatures (name@version) of the columns of X, in order. ``clip``: the range the score
    is cut to; a file of an earlier version says 1, and is cut where ``CLIP`` ends all the same. ``snapshot``:
    the id of the snapshot it was trained on. ``metrics``: correlations of its out-of-fold predictions.
    ``created``: ISO 8601, UTC.

    Raises:
        ModelError: the numbers or terms cannot be used.
    """

    format: int = FORMAT
    type: Literal["linear"] = "linear"
    name: str
    features: tuple[str, ...]
    terms: tuple[Term, ...]
    intercept: float
    clip: tuple[float, float] = CLIP
    trained_on: TrainingSet
    snapshot: str
    metrics: dict[str, float | None]
    cross_validation: tuple[FoldResult, ...]
    created: str
    code_version: str

    def __post_init__(self) -> None:
        columns = _columns(self.features)
        if len(columns) != len(self.features):
            raise WrongFeatures("the model lists a feature twice. Train it again.")
        if not self.terms:
            raise NotAModel("the model has no terms. Train it again.")
        seen = set()
        for term in self.terms:
            if term.feature not in columns:
                raise WrongFeatures(
                    f"a term weighs {term.feature!r}, a feature that the model does not list. Train it again."
                )
            if term.transform not in TRANSFORMS:
                raise UnknownTransform(
                    f"a term transforms {term.feature} by {term.transform!r}; known here are "
                    f"{', '.join(TRANSFORMS)}. "
                    "Use the version of wort that trained the model, or train it again."
                )
            if (term.feature, term.transform) in seen:
                raise NotAModel(f"the term {term.transform} of {term.feature} stands twice. Train it again.")
            seen.add((term.feature, term.transform))
            _check(term.weight, f"the weight of {term.feature} ({term.transform})")
        _check(self.intercept, "the intercept")
        for metric, value in self.metrics.items():
            _check(value or 0.0, f"the metric {metric}")
        for fold in self.cross_validation:
            _check(fold.pearson or 0.0, f"the correlation of {fold.topic}")
            _check(fold.spearman or 0.0, f"the correlation of {fold.topic}")
        trained_on = self.trained_on
        counts = (trained_on.pairs, trained_on.fitted, trained_on.topics)
        for count in (*counts, *(fold.pairs for fold in self.cross_validation)):
            if not 0 <= count < MOST_PAIRS:
                raise BadNumbers(f"the model counts {count} pairs or topics. Train it again.")
        low, high = self.clip
        if not (0.0 <= low < min(high, CLIP[1]) and high <= 1.0):
            raise BadNumbers(f"the clip [{low}, {high}] is not a range within [0, 1]. Train the model again.")

    @classmethod
    def load(cls, path: Path | str, signatures: Sequence[str]) -> Model:
        """Read a model file; ``signatures`` are those of the features computed here, in order.

        Raises:
            ModelError: the file cannot be used as a model of these features; nothing else is raised.
        """
        try:
            content = content_of(Path(path))
        except OSError as error:
            raise NotAModel(f"{path} cannot be read as a model file: {error.strerror or error}.") from error
        try:
            return cls.loads(content, signatures)
        except ModelError as error:
            raise type(error)(f"{path}: {error}") from error

    @classmethod
    def loads(cls, content: bytes, signatures: Sequence[str]) -> Model:
        """The model of a model file's ``content``; ``signatures`` as for ``load``.

        Raises:
            ModelError: the content cannot be used as a model of these features; nothing else is raised.
        """
        model = _decode(content)
        _check_features(model.features, tuple(signatures))
        return model

    def save(self, path: Path | str) -> None:
        """Write the model file: whole or not at all."""
        with whole_file(Path(path)) as file:
            file.write(msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n")

    def contributions(self, values: Floats) -> Floats:
        """What each feature adds to the raw score: float64[n, features], the intercept apart.

        ``values``: float64[n, features], in the order of ``features``. A feature's terms are summed in the
        order of the file. Row i depends on row i alone, to the last bit.

        Raises:
            ValueError: ``values`` does not have a column for each feature.
        """
        if values.ndim != 2 or values.shape[1] != len(self.features):
            raise ValueError(f"features of shape {values.shape} given to a model of {len(self.features)}")
        columns = _columns(self.features)
        added = np.zeros(values.shape)
        for term in self.terms:
            column = columns[term.feature]
            added[:, column] += term.weight * TRANSFORMS[term.transform].apply(values[:, column])
        return added

    def raw(self, values: Floats) -> Floats:
        """The unclipped score: float64[n].

        The intercept, then the contributions one by one from left to right, so that the published
        contributions sum to it exactly; a matrix product would add in an order of its own.
        """
        total = np.full(len(values), self.intercept)
        for contribution in self.contributions(values).T:
            total += contribution
        return total

    def score(self, values: Floats) -> Floats:
        """The relatedness of each pair: float64[n], the raw score cut to ``clip``.

        Two identical concepts are the caller's case: their score is 1 whatever the features say.
        """
        return self.clipped(self.raw(values))

    def clipped(self, raw: Floats) -> Floats:
        """Raw scores cut to ``clip``: never 1, and in the order of the raw ones where they differ."""
        low, high = self.clip
        return np.clip(raw, low, min(high, CLIP[1]))

    def check_snapshot(self, snapshot: str) -> str | None:
        """The warning owed to who scores with the snapshot of this id; None if it is the model's own."""
        if snapshot == self.snapshot:
            return None
        return (
            f"The model {self.name} was trained on snapshot {self.snapshot} and scores with {snapshot}: "
            "features that depend on the size of the wiki move with it."
        )


def _columns(features: Sequence[str]) -> dict[str, int]:
    """The column of each feature by its name, without the version of its definition."""
    return {signature.split("@")[0]: column for column, signature in enumerate(features)}


def _check(number: float, what: str) -> None:
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise BadNumbers(f"{what} is {number}, which no trained model has. Train it again.")


class _Header(msgspec.Struct):
    """What is read of a file first, to tell another version from a damaged file."""

    format: Any = None
    type: Any = None


def _decode(content: bytes) -> Model:
    try:
        header = msgspec.json.decode(content, type=_Header)
        if header.format is None or header.type is None:
            raise NotAModel(
                "this is JSON, but not a model: it states no format and type. `wort train` writes one."
            )
        if header.format != FORMAT or isinstance(header.format, bool):
            raise WrongModelFormat(
                f"the model has format {header.format!r}, and this version of wort reads {FORMAT}. "
                "Use the version that wrote it, or train it again with `wort train`."
            )
        if header.type != "linear":
            raise WrongModelFormat(
                f"the model is of type {header.type!r}, and this version of wort knows linear ones alone. "
                "Use the version that wrote it, or train it again with `wort train`."
            )
        refuse_repeated_keys(content)
        return msgspec.json.decode(content, type=Model)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotAModel(
            f"this is not a whole model file ({error}). Copy it again, or write it again with `wort train`."
        ) from error


def _check_features(trained: tuple[str, ...], here: tuple[str, ...]) -> None:
    """Refuse a model whose columns are not those computed here."""
    if trained == here:
        return
    trained_names, names = list(_columns(trained)), list(_columns(here))
    if trained_names == names:
        found, expected = next(pair for pair in zip(trained, here, strict=True) if pair[0] != pair[1])
        reason = f"was trained on {found}, and this version of wort computes {expected}"
    elif sorted(trained_names) == sorted(names):
        reason = "lists the features in another order than this version of wort computes them"
    else:
        other = sorted(set(trained_names) ^ set(names))
        more = f" and {len(other) - FEW} more" if len(other) > FEW else ""
        reason = (
            "was trained on other features than this version of wort computes: they differ in "
            f"{', '.join(other[:FEW])}{more}"
        )
    raise WrongFeatures(f"the model {reason}. Train it again with `wort train`.")
