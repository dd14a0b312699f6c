"""From scores to yes or no: which threshold does what is wanted, what to expect of it, and drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isclose
from statistics import NormalDist
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query, Request, Response

from app.pages.registered import DescribedModel, described_model, followed
from app.pages.rendering import PageRoute, Ref, page
from app.serving.models import ModelOf
from app.serving.serving import Serving
from app.web.responses.answering import answer
from models.expectation import CalibrationBin, CalibrationCurve, Estimate, OperatingPoint, OperatingPoints
from models.figures import told
from models.thresholds import ConfusionShares, confusion_shares, of_cost, of_precision, of_recall

HEIGHT = 240
"""Of a drawing, in pixels; it is as wide as the page has room."""

PAIRS = 1000
"""Of so many pairs it is said what becomes of them."""

LARGEST_DOT = 9.0
"""The radius in pixels of the calibration's dot of the most pairs; areas are as the numbers of pairs."""

SMALLEST_DOT = 3.0
"""The radius in pixels of a dot of few pairs, so that it can be seen."""

MOST_COST = 1000.0
"""The greatest ratio of costs that is asked for; beyond it, nothing is called related anyway."""

_Z2 = NormalDist().inv_cdf(0.975) ** 2
"""The square of the quantile for an interval of 95 %."""

WISH = 80.0
"""The precision and the recall, in percent, that the fields have where nobody wished for another."""

Percent = Annotated[float | None, Query(ge=1, le=100)]
Wish = Literal["precision", "recall", "cost", "threshold"]

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class ChosenThreshold:
    """What was wished for, and the threshold that does it; ``point`` is None where none does.

    ``value``: in percent, but for a cost and a threshold. ``shares``: what becomes of all pairs.
    """

    wish: Wish
    value: float
    point: OperatingPoint | None
    shares: ConfusionShares | None

    @property
    def at_least(self) -> dict[str, float]:
        """The precision and the recall that the page's fields have, as shares, to read figures by."""
        return {name: (self.value if self.wish == name else WISH) / 100 for name in ("precision", "recall")}

    @property
    def elsewhere(self) -> bool:
        """Whether what is shown is another threshold than the one that was asked for."""
        return (
            self.wish == "threshold"
            and self.point is not None
            and not isclose(self.value, self.point.threshold)
        )

    @property
    def of_pairs(self) -> tuple[int, ...]:
        """What becomes of ``PAIRS`` pairs: rightly and wrongly called related, missed, rightly left out."""
        shares = self.shares
        parts = (shares.right, shares.wrong, shares.missed, shares.rest) if shares is not None else ()
        return whole_parts(parts, PAIRS)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A ``share`` at a threshold, as it is drawn: ``across`` in percent of the width, heights in pixels.

    ``low`` and ``high``: where its interval ends; where the share itself is, if it has none.
    """

    share: float
    across: float
    height: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ThresholdPlot:
    """Precision and recall over the threshold: the points, and the pairs of them that lines join."""

    precision: list[CurvePoint]
    recall: list[CurvePoint]

    @property
    def lines(self) -> list[tuple[str, CurvePoint, CurvePoint]]:
        """The lines of both curves, each with the name of its curve."""
        curves = (("precision", self.precision), ("recall", self.recall))
        return [(name, *ends) for name, curve in curves for ends in pairwise(curve)]


@dataclass(frozen=True, slots=True)
class CalibrationDot:
    """A bin of the calibration as drawn: ``across`` in percent, ``height`` and ``radius`` in pixels."""

    across: float
    height: float
    radius: float
    bin: CalibrationBin


@router.get("/threshold")
async def threshold(
    request: Request,
    model: Ref = "",
    of: ModelOf = "concepts",
    precision: Percent = None,
    recall: Percent = None,
    cost: Annotated[float | None, Query(gt=0, le=MOST_COST)] = None,
    threshold: Annotated[float | None, Query(ge=0, le=1)] = None,
) -> Response:
    """The thresholds of a model, the one in force where none is named, and that which does what is wanted."""
    source = request.app.state.source
    url = followed(source, request.app.state.settings)

    def drawn(serving: Serving) -> Response:
        # The registry need not be there for the model in force.
        shown = (
            described_model(serving, url, model, of)
            if model or of == "terms"
            else DescribedModel(serving.scorer.model)
        )
        given, curve = shown.fitted.operating_points or None, shown.fitted.calibration or None
        measured = sum(one.pairs for one in curve.bins) if curve else 0
        points = given and with_widths(given, measured)
        return page(
            request,
            serving,
            "threshold.html",
            called=called(serving, shown, of),
            asked=model,
            of=of,
            points=points,
            has_widened=points != given,
            measured=measured,
            chosen=points and chosen(points, precision, recall, cost, threshold),
            plot=points and threshold_plot(points),
            curve=curve,
            dots=curve and calibration_dots(curve),
            height=HEIGHT,
            pairs=PAIRS,
            told=told,
            percent_like=percent_like,
            wish_at_first=WISH,
        )

    return await answer(request, drawn, even_damaged=True)


def called(serving: Serving, shown: DescribedModel, of: ModelOf) -> str:
    """What a model is called: its version, where it has one, else by itself."""
    version = serving.scorer.model_info.version if shown.answers and of == "concepts" else None
    return shown.ref or version or shown.fitted.name


def chosen(
    points: OperatingPoints,
    precision: float | None = None,
    recall: float | None = None,
    cost: float | None = None,
    threshold: float | None = None,
) -> ChosenThreshold:
    """What to expect of the threshold that does what is wanted; without a wish, of that of the fewest errors.

    ``precision`` and ``recall`` are in percent. ``threshold``: the nearest of which it is known is taken, the
    lesser of two that are as near.
    """
    wish: Wish
    point: OperatingPoint | None
    if precision is not None:
        wish, value, point = "precision", precision, of_precision(points, precision / 100)
    elif recall is not None:
        wish, value, point = "recall", recall, of_recall(points, recall / 100)
    elif threshold is not None:
        wish, value = "threshold", threshold
        # Rounded: 0.47 is as near 0.46 as it is near 0.48, whatever floats make of that.
        point = min(points.points, key=lambda one: round(abs(one.threshold - value), 9))
    else:
        wish, value = "cost", 1.0 if cost is None else cost
        point = of_cost(points, value)
    shares = None if point is None else confusion_shares(points.related, point)
    return ChosenThreshold(wish, value, point, shares)


def with_widths(points: OperatingPoints, pairs: int) -> OperatingPoints:
    """The thresholds with an interval for each share of 0 or 1, too, of ``pairs`` in all.

    Pairs that are drawn anew from those that are all alike are alike again: they say nothing of others.
    """

    def widened(point: OperatingPoint) -> OperatingPoint:
        called = round(pairs * (point.above.value or 0.0))
        return OperatingPoint(
            point.threshold,
            wilson(point.precision, called),
            wilson(point.recall, round(pairs * points.related)),
            wilson(point.above, pairs),
        )

    return msgspec.structs.replace(points, points=tuple(map(widened, points.points)))


def wilson(share: Estimate, pairs: int) -> Estimate:
    """A share of ``pairs`` with Wilson's interval (1927), where it is 0 or 1 and its own has no width.

    >>> round(wilson(Estimate(1.0, 1.0, 1.0), 16).low or 0.0, 3)
    0.806
    >>> wilson(Estimate(0.5, 0.5, 0.5), 16).low, wilson(Estimate(1.0, 1.0, 1.0), 0).low
    (0.5, 1.0)
    """
    if share.value not in (0.0, 1.0) or share.low is None or share.low != share.high or pairs < 1:
        return share
    beyond = _Z2 / (pairs + _Z2)
    return Estimate(1.0, 1.0 - beyond, 1.0) if share.value else Estimate(0.0, 0.0, beyond)


def whole_parts(shares: Sequence[float], total: int) -> tuple[int, ...]:
    """Shares of a whole as whole numbers that add up to ``total``: those cut most get one more.

    >>> whole_parts((1 / 3, 1 / 3, 1 / 3), 1000)
    (334, 333, 333)
    """
    exact = [round(total * share / sum(shares), 6) for share in shares]
    parts = [int(part) for part in exact]
    most_cut = sorted(range(len(parts)), key=lambda place: parts[place] - exact[place])
    for place in most_cut[: total - sum(parts)]:
        parts[place] += 1
    return tuple(parts)


def percent_like(shown: str, share: float) -> str:
    """A share in percent with as many decimals as ``shown``: an interval has those of what it is around.

    >>> percent_like("83", 0.799), percent_like("79.7", 0.85)
    ('80', '85.0')
    """
    return f"{100 * share:.{len(shown.partition('.')[2])}f}"


def threshold_plot(points: OperatingPoints) -> ThresholdPlot:
    """Precision and recall of each threshold that has them, as they are drawn."""
    return ThresholdPlot(
        _curve([(one.threshold, one.precision) for one in points.points]),
        _curve([(one.threshold, one.recall) for one in points.points]),
    )


def calibration_dots(curve: CalibrationCurve) -> list[CalibrationDot]:
    """The bins of a calibration as dots: how far across is what was predicted, how high what people said."""
    most = max(each.pairs for each in curve.bins)
    return [
        CalibrationDot(
            100 * each.predicted,
            HEIGHT * (1 - each.judged),
            max(SMALLEST_DOT, LARGEST_DOT * (each.pairs / most) ** 0.5),
            each,
        )
        for each in curve.bins
    ]


def _curve(shares: list[tuple[float, Estimate]]) -> list[CurvePoint]:
    drawn = []
    for at, share in shares:
        if share.value is not None:
            ends = (share.value if end is None else end for end in (share.value, share.low, share.high))
            drawn.append(CurvePoint(share.value, 100 * at, *(HEIGHT * (1 - end) for end in ends)))
    return drawn
