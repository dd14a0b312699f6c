"""What a feature is, whatever it is a feature of: what is promised of it, and what computes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from features.kinds import Kind, Parts, tables_of
from measures.arrays import Floats

Evidence = TypeVar("Evidence")


class ByKind(Protocol):
    """Evidence of n pairs, by kind."""

    def __getitem__(self, item: Kind | Parts, /) -> Floats:
        """The numbers of a kind, or some of them: float64[parts, n]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnyFeature:
    """What is promised of a feature.

    ``group``: by what it relies on. ``formula`` and ``description`` say it in symbols and in words.
    ``range``: the least and the largest value it can take. ``source``: where it is defined. ``tables``: those
    of ``snapshots.layout`` that it reads. ``absent``: its value without evidence. ``symmetric``: whether a
    pair and its reverse have the same value, to the last bit. ``version`` grows when the definition changes,
    so that a model trained on the old one is refused.
    """

    name: str
    group: str
    formula: str
    description: str
    range: tuple[float, float]
    source: str
    tables: tuple[str, ...] = ()
    absent: float = 0.0
    symmetric: bool = True
    version: int = 1

    @property
    def signature(self) -> str:
        """Name and version, as a model file stores them."""
        return f"{self.name}@{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConceptFeature(AnyFeature):
    """A feature of pairs of concepts: a measure applied to evidence, from whose kinds its tables follow.

    ``measure``: one of ``measures``. ``evidence``: what it takes, in order.
    """

    measure: Callable[..., Any]
    evidence: tuple[Kind | Parts, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", tables_of(self.evidence))

    def compute(self, evidence: ByKind) -> Floats:
        """The feature by NumPy alone, float64[n]: what ``features.extract`` has compiled, to the last bit."""
        return np.asarray(self.measure(*(row for item in self.evidence for row in evidence[item])))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Feature(AnyFeature, Generic[Evidence]):
    """A feature of something else: ``compute`` turns the evidence of n pairs into float64[n]."""

    compute: Callable[[Evidence], Floats]
