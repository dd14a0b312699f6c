"""What may be expected of a score: an interval around it, its calibration, and what thresholds divide."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import msgspec
import numpy as np

from measures.arrays import Floats, Ints
from models.errors import BadNumbers

MOST_POINTS = 1000
"""Points of a curve; ours have ten to twenty."""


class IntervalBands(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """How far from a score a panel's answer lies, ``level`` of the time: the quantiles of signed residuals.

    ``scores``: where the bins of scores begin, ascending; a score below the first is of the first. ``below``
    and ``above``: how far the interval of a score of the bin reaches on either side; 1 where it reaches the
    end of the range, whatever the score. ``by_evidence``: where a score says more or less by how much it
    rests on, the bands of pairs with so much evidence, which take the place of those of all.

    Raises:
        BadNumbers: the lists do not go together, or a number is none that residuals have.
    """

    level: float
    scores: tuple[float, ...]
    below: tuple[float, ...]
    above: tuple[float, ...]
    by_evidence: tuple[EvidenceBands, ...] = ()

    def __post_init__(self) -> None:
        sizes = {len(self.scores), len(self.below), len(self.above)}
        if len(sizes) != 1 or not 1 <= len(self.scores) <= MOST_POINTS:
            raise BadNumbers("the interval's lists are not of one length. Train the model again.")
        if not 0.0 < self.level < 1.0:
            raise BadNumbers(
                f"the interval's level {self.level} is not between 0 and 1. Train the model again."
            )
        check_shares((*self.scores, *self.below, *self.above), "the interval")
        check_ascending(self.scores, "the interval's scores")
        check_ascending(
            tuple(each.features for each in self.by_evidence), "the numbers of features of the interval"
        )
        if any(each.bands.by_evidence or each.bands.level != self.level for each in self.by_evidence):
            raise BadNumbers("the interval's bands by evidence are not of one kind. Train the model again.")

    def around(self, scores: Floats, evidence: Ints | None = None) -> tuple[Floats, Floats]:
        """The ends of the interval of each score, float64[n] each: within [0, 1], the score between them.

        ``evidence``: how many features of each pair have some, int64[n]; None where that is not known, and
        the bands of all pairs are taken.
        """
        if self.by_evidence and evidence is not None:
            return self._around_by_evidence(scores, evidence)
        bins, below, above = self._arrays
        place = np.maximum(np.searchsorted(bins, scores, "right") - 1, 0)
        return np.maximum(scores - below[place], 0.0), np.minimum(scores + above[place], 1.0)

    def _around_by_evidence(self, scores: Floats, evidence: Ints) -> tuple[Floats, Floats]:
        starts = [each.features for each in self.by_evidence]
        group = np.maximum(np.searchsorted(starts, evidence, "right") - 1, 0)
        low, high = np.zeros(len(scores)), np.ones(len(scores))
        for number, each in enumerate(self.by_evidence):
            own = group == number
            low[own], high[own] = each.bands.around(scores[own])
        return low, high

    @cached_property
    def _arrays(self) -> tuple[Floats, Floats, Floats]:
        return np.array(self.scores), np.array(self.below), np.array(self.above)


class EvidenceBands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bands of pairs of which at least so many ``features`` have evidence, and fewer than the next say.

    Pairs with fewer than the first say are of the first.
    """

    features: int
    bands: IntervalBands


class Estimate(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A share, and the ends of its 95 % interval; None where undefined."""

    value: float | None
    low: float | None
    high: float | None


class OperatingPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to expect if pairs of at least the score ``threshold`` are called related.

    ``precision``: the share of those called so that are; ``recall``: the share of those that are that are
    called so; ``above``: the share of all pairs that is called so.
    """

    threshold: float
    precision: Estimate
    recall: Estimate
    above: Estimate


class OperatingPoints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Thresholds of the scores, ascending, and what to expect of each, on pairs that were left out.

    ``related_at``: the share of judges from which on a pair counts as related; ``related``: the share of the
    pairs that are.

    Raises:
        BadNumbers: they do not ascend, or a number is no share.
    """

    related_at: float
    related: float
    points: tuple[OperatingPoint, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.points) <= MOST_POINTS:
            raise BadNumbers(f"the model has {len(self.points)} operating points. Train it again.")
        estimates = [each for point in self.points for each in (point.precision, point.recall, point.above)]
        known = [end for each in estimates for end in (each.value, each.low, each.high) if end is not None]
        thresholds = tuple(point.threshold for point in self.points)
        check_shares((self.related_at, self.related, *thresholds, *known), "an operating point")
        check_ascending(thresholds, "the thresholds")


class CalibrationBin(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Pairs of about one score: how many, their mean prediction, and the mean share of judges for them."""

    pairs: int
    predicted: float
    judged: float


class CalibrationCurve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people said of pairs by the score that was predicted, ascending, of pairs that were left out.

    Raises:
        BadNumbers: the predictions do not ascend, a number is no share, or a bin has no pairs.
    """

    bins: tuple[CalibrationBin, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.bins) <= MOST_POINTS:
            raise BadNumbers(f"the model has {len(self.bins)} bins of calibration. Train it again.")
        if any(each.pairs < 1 for each in self.bins):
            raise BadNumbers("a bin of the calibration has no pairs. Train the model again.")
        predicted = tuple(each.predicted for each in self.bins)
        check_shares((*predicted, *(each.judged for each in self.bins)), "the calibration")
        check_ascending(predicted, "the calibration's predictions")

    @property
    def error(self) -> float:
        """The expected calibration error: how far the two means are apart, averaged over the pairs."""
        apart = sum(each.pairs * abs(each.judged - each.predicted) for each in self.bins)
        return apart / sum(each.pairs for each in self.bins)


def check_shares(numbers: tuple[float, ...], what: str) -> None:
    """Refuse numbers that are no shares.

    Raises:
        BadNumbers: one is below 0, above 1 or none; the message says ``what`` has it.
    """
    for number in numbers:
        if not 0.0 <= number <= 1.0:
            raise BadNumbers(f"{what} has {number}, which is not between 0 and 1. Train the model again.")


def check_ascending(numbers: tuple[float, ...] | tuple[int, ...], what: str) -> None:
    """Refuse numbers that do not ascend.

    Raises:
        BadNumbers: one is no greater than the one before it; the message says ``what`` they are.
    """
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise BadNumbers(f"{what} do not ascend. Train the model again.")
