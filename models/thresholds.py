"""Which of a model's thresholds to call pairs related by, for what is wanted of it.

A model's file holds a dozen or two; ``training.statistics.thresholds`` chooses among all scores of its pairs.
Two more follow from what the words mean: at 0 every pair is called related, above every score none is.
"""

from __future__ import annotations

from dataclasses import dataclass

from models.expectation import Estimate, OperatingPoint, OperatingPoints

NONE_ABOVE = 1.0
"""The threshold that calls nothing related: the score of no two different sides reaches it."""


@dataclass(frozen=True, slots=True)
class ConfusionShares:
    """The confusion matrix of a threshold, as shares of all pairs, which sum to 1.

    ``right``: called related, and related; ``wrong``: called so, and not; ``missed``: related, and not called
    so; ``rest``: neither.
    """

    right: float
    wrong: float
    missed: float
    rest: float


def confusion_shares(related: float, point: OperatingPoint) -> ConfusionShares:
    """What becomes of all pairs, of which the share ``related`` is, at the threshold of ``point``.

    >>> unknown = (None, None)
    >>> half, whole = Estimate(0.5, *unknown), Estimate(1.0, *unknown)
    >>> confusion_shares(0.25, OperatingPoint(0.3, precision=half, recall=whole, above=half))
    ConfusionShares(right=0.25, wrong=0.25, missed=0.0, rest=0.5)
    """
    above, precision = point.above.value or 0.0, point.precision.value or 0.0
    right = above * precision
    # Rounding may leave a trace of a pair on the wrong side of none.
    missed = max(0.0, related - right)
    return ConfusionShares(right, above - right, missed, max(0.0, 1.0 - above - missed))


def all_called(related: float) -> OperatingPoint:
    """The threshold 0: every pair is called related, and the share ``related`` of them is."""
    whole = Estimate(1.0, 1.0, 1.0)
    return OperatingPoint(0.0, Estimate(related, None, None), whole, whole)


def none_called() -> OperatingPoint:
    """The threshold above all scores: no pair is called related."""
    none = Estimate(0.0, 0.0, 0.0)
    return OperatingPoint(NONE_ABOVE, Estimate(None, None, None), none, none)


def of_precision(points: OperatingPoints, wanted: float) -> OperatingPoint | None:
    """The least threshold of at least the ``wanted`` precision; None where none has it.

    The least one has the greatest recall of all that do.
    """
    return next((one for one in with_zero(points) if _reaches(one.precision, wanted)), None)


def of_recall(points: OperatingPoints, wanted: float) -> OperatingPoint:
    """The greatest threshold of at least the ``wanted`` recall; it mostly has the best precision."""
    ascending = with_zero(points)
    return next((one for one in reversed(ascending) if _reaches(one.recall, wanted)), ascending[0])


def of_cost(points: OperatingPoints, cost: float) -> OperatingPoint:
    """The threshold of the least cost, where a false "related" costs ``cost`` times a missed one.

    Of several, the greatest: above all scores, where calling nothing related costs least.
    """
    descending = [none_called(), *reversed(with_zero(points))]
    return min(descending, key=lambda one: expected_cost(points.related, one, cost))


def expected_cost(related: float, point: OperatingPoint, cost: float) -> float:
    """What errors at a threshold cost a pair: ``cost`` if it is falsely called related, 1 if it is missed."""
    shares = confusion_shares(related, point)
    return cost * shares.wrong + shares.missed


def with_zero(points: OperatingPoints) -> list[OperatingPoint]:
    """The thresholds, ascending, from the one that calls everything related."""
    has_zero = points.points[0].threshold == 0.0
    return [*([] if has_zero else [all_called(points.related)]), *points.points]


def _reaches(estimate: Estimate, wanted: float) -> bool:
    """Whether a share is what is wanted, or more; one that is not defined is not."""
    return estimate.value is not None and estimate.value >= wanted
