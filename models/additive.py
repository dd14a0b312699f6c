"""Models that add up: an intercept, and features times weights, some of them transformed.

The transforms are declared here, and never fitted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from measures.arrays import Floats, Ints
from models.errors import NotAModel, UnknownTransform, WrongFeatures
from models.protocol import Coefficient, RelatednessModel, check_number, name_of

BLOCK = 512
"""Rows that are added at once: few enough that what comes in between stays in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Transform:
    """A transform of a feature's values, element by element.

    Every transform is finite on all finite values and maps 0, absent evidence, to 0. Where the formula is
    not defined below 0, a negative value counts as 0.
    """

    name: str
    formula: str
    apply: Callable[[Floats], Floats]


def _identity(values: Floats) -> Floats:
    return values


def _positive(values: Floats) -> Floats:
    return np.maximum(values, 0.0)


def _square(values: Floats) -> Floats:
    return np.maximum(values, 0.0) ** 2


def _square_root(values: Floats) -> Floats:
    return np.sqrt(np.maximum(values, 0.0))


def _log1p20(values: Floats) -> Floats:
    return np.log1p(20.0 * np.maximum(values, 0.0))


TRANSFORMS: dict[str, Transform] = {
    transform.name: transform
    for transform in (
        Transform("identity", "x", _identity),
        Transform("positive", "max(x, 0)", _positive),
        Transform("square", "max(x, 0)²", _square),
        Transform("sqrt", "√x", _square_root),
        Transform("log1p20", "log(1 + 20 x)", _log1p20),
    )
}
"""Every transform by name. A changed formula is a new name: model files out there keep their meaning."""


class _Addends(NamedTuple):
    """Coefficients of one transform and of as many features, at ``places``; ``columns`` picks these."""

    places: tuple[int, ...]
    columns: slice | Ints
    weights: Floats
    transform: Callable[[Floats], Floats]


class AdditiveModel(RelatednessModel, frozen=True, kw_only=True):
    """A model whose raw score is a sum of addends, each of one feature.

    ``coefficients``: the addends, each a ``weight`` times the transformed feature; in the file, ``terms``.

    Raises:
        ModelError: the numbers or coefficients cannot be used.
    """

    coefficients: tuple[Coefficient, ...] = msgspec.field(name="terms")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.coefficients:
            raise NotAModel("the model has no terms. Train it again.")
        seen = set()
        for addend in self.coefficients:
            feature, transform = addend.feature, addend.transform
            if feature not in self.reads:
                raise WrongFeatures(
                    f"a term weighs {feature!r}, a feature that the model does not list. Train it again."
                )
            if transform not in TRANSFORMS:
                raise UnknownTransform(
                    f"a term transforms {feature} by {transform!r}; known here are {', '.join(TRANSFORMS)}. "
                    "Use the version of wort that trained the model, or train it again."
                )
            if (feature, transform) in seen:
                raise NotAModel(f"the term {transform} of {feature} stands twice. Train it again.")
            seen.add((feature, transform))
            check_number(addend.weight, f"the weight of {feature} ({transform})")

    @cached_property
    def weighed(self) -> AdditiveModel:
        """As of any model; itself where its intervals count features with evidence, whatever these weigh."""
        bands = self.interval_bands
        weighed = tuple(addend for addend in self.coefficients if addend.weight)
        if not weighed or (bands is not UNSET and bands.by_evidence):
            return self
        named = {addend.feature for addend in weighed}
        features = tuple(signature for signature in self.features if name_of(signature) in named)
        return replace(self, features=features, coefficients=weighed)

    def contributions(self, values: Floats) -> Floats:
        """As of any model; a feature's addends are summed in the order of the file."""
        if values.ndim != 2 or values.shape[1] != len(self.features):
            raise ValueError(f"features of shape {values.shape} given to a model of {len(self.features)}")
        if len(values) == 1:
            return np.array([self._of_one(values[0])])
        added = np.zeros(values.shape)
        for start in range(0, len(values), BLOCK):
            rows, to = values[start : start + BLOCK], added[start : start + BLOCK]
            for _, columns, weights, transform in self._addends:
                to[:, columns] += weights * transform(rows[:, columns])
        return added

    def _of_one(self, values: Floats) -> list[float]:
        """The contributions of the features of one pair, which Python adds in less time than NumPy."""
        added = [0.0] * len(values)
        for places, columns, weights, transform in self._addends:
            weighed = zip(places, weights.tolist(), transform(values[columns]).tolist(), strict=True)
            for place, weight, value in weighed:
                added[place] += weight * value
        return added

    @cached_property
    def _addends(self) -> tuple[_Addends, ...]:
        """The coefficients by transform: every feature's first one, then every second one, and so on."""
        places: dict[tuple[int, str], list[tuple[int, float]]] = {}
        before: dict[str, int] = {}
        for feature, transform, weight in map(msgspec.structs.astuple, self.coefficients):
            turn = before[feature] = before.get(feature, -1) + 1
            places.setdefault((turn, transform), []).append((self.reads.index(feature), weight))
        addends = []
        for (_, transform), group in sorted(places.items(), key=lambda place: place[0][0]):
            columns, weights = zip(*group, strict=True)
            addends.append(
                _Addends(columns, _picking(columns), np.array(weights), TRANSFORMS[transform].apply)
            )
        return tuple(addends)


def _picking(places: tuple[int, ...]) -> slice | Ints:
    """What picks these columns: a slice where they follow one another, since that copies nothing."""
    first, last = places[0], places[-1]
    if places == tuple(range(first, last + 1)):
        return slice(first, last + 1)
    return np.array(places, np.int64)
