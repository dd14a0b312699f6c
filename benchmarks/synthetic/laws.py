"""Distributions given by a few measured points, from which numbers are drawn by the thousand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PROBABILITIES = (0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0)
TOPS = (0.00003, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0)
RANKS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)

_FIRST_RANK = 1e-12
_LAST_RANK = 1e12


@dataclass(frozen=True, slots=True)
class Quantiles:
    """A distribution of sizes by its quantiles at ``PROBABILITIES``, log-uniform between two of them."""

    values: tuple[float, ...]

    def draw(self, random: np.random.Generator, count: int) -> NDArray[np.float64]:
        """``count`` sizes, float64."""
        logarithms = np.log1p(self.values)
        return np.expm1(np.interp(random.random(count), PROBABILITIES, logarithms))


@dataclass(frozen=True, slots=True)
class Popularity:
    """How a whole falls on its parts: the share of it that the share ``TOPS`` of the largest parts has.

    A power law holds between two points. Where a wiki is larger than the one measured, the share that
    parts before the first point have goes on falling as their number to the power of ``hubs``.
    """

    shares: tuple[float, ...]
    hubs: float = 0.2

    def draw(self, random: np.random.Generator, count: int) -> NDArray[np.float64]:
        """``count`` relative ranks in [0, 1), float64: 0 is the most popular part, 1 behind the last."""
        first = self.shares[0] * (_FIRST_RANK / TOPS[0]) ** self.hubs
        # Within a power law the logarithms of rank and share lie on a line.
        shares, ranks = np.log((first, *self.shares)), np.log((_FIRST_RANK, *TOPS))
        drawn = np.log(1 - random.random(count))
        return np.minimum(np.exp(np.interp(drawn, shares, ranks)), np.nextafter(1, 0))


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How often words occur: the share of all occurrences that the first words up to ``RANKS`` have.

    Behind the last of them frequency falls as rank to the power of −``exponent``, without end: a longer text
    has ever more different words (Heaps' law), about as many as its length to the power of 1 / ``exponent``.
    """

    shares: tuple[float, ...]
    exponent: float

    def draw(self, random: np.random.Generator, count: int) -> NDArray[np.int64]:
        """``count`` words by their rank from 0, int64."""
        tail = np.geomspace(RANKS[-1], _LAST_RANK, 60)[1:]
        rest = 1 - (1 - self.shares[-1]) * (tail / RANKS[-1]) ** (1 - self.exponent)
        shares = np.concatenate([[0.0], self.shares, rest])
        # A rank r stands for the numbers from r to r + 1.
        edges = np.log(np.concatenate([[1.0], np.add(RANKS, 1.0), tail]))
        ranks: NDArray[np.int64] = np.exp(np.interp(random.random(count), shares, edges)).astype(np.int64)
        return ranks - 1
