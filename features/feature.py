"""What a feature is, whatever it is a feature of: a measure joined to its evidence, with its promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Evidence = TypeVar("Evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature(Generic[Evidence]):
    """One feature: what it computes, and what is promised of it.

    ``group``: by what it relies on. ``compute``: evidence of n pairs → float64[n]. ``formula`` and
    ``description`` say it in symbols and in words. ``tables``: those of ``snapshots.layout`` that it reads.
    ``range``: the least and the largest value it can take. ``absent``: its value without evidence.
    ``symmetric``: whether a pair and its reverse have the same value, to the last bit. ``source``: where it
    is defined. ``version`` grows when the definition changes, so that a model trained on the old one is
    refused.
    """

    name: str
    group: str
    compute: Callable[[Evidence], NDArray[np.float64]]
    formula: str
    description: str
    tables: tuple[str, ...]
    range: tuple[float, float]
    source: str
    absent: float = 0.0
    symmetric: bool = True
    version: int = 1

    @property
    def signature(self) -> str:
        """Name and version, as a model file stores them."""
        return f"{self.name}@{self.version}"


AnyFeature = Feature[Any]
"""A feature of whatever: of concepts, or of terms."""
