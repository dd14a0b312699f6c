"""Which models there are, how good they are, and what is in force."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from fastapi import APIRouter, Request, Response

from app.pages.registered import (
    RegistryListing,
    ReportedMeasure,
    described_model,
    followed,
    listing,
    report_page,
)
from app.pages.rendering import PageRoute, Ref, page
from app.serving.models import ModelOf
from app.serving.serving import Serving
from app.web.problems import NOT_FOUND, ProblemError, registry_problems
from app.web.responses.answering import answer
from models.protocol import FoldResult
from wort.schemas.releases import ModelsResponse

REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"
)
"""What a kept report may load when it is shown: nothing but what is in it."""

STEP = 0.025
"""Topics whose correlations are within one step stand in one column."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class Dot:
    """A topic in the drawing: how far from the left, in percent, and the how manieth of its column it is."""

    across: float
    up: int
    fold: FoldResult


@dataclass(frozen=True, slots=True)
class Topics:
    """The correlations within topics, on a scale from ``low`` to 1.

    ``folds``: all topics, by their correlation, the greatest first, those without one at the end.
    ``high``: dots of the highest column. ``mean``: where the mean stands, in percent of the width.
    ``undefined``: topics without a correlation.
    """

    folds: list[FoldResult]
    dots: list[Dot]
    low: float
    high: int
    mean: float
    undefined: int


@dataclass(frozen=True, slots=True)
class MeasureBar:
    """A measure in the drawing: its correlation, and where it and its interval stand, in percent."""

    name: str
    value: float
    length: float
    low: float
    high: float
    model: bool


@router.get("/releases")
async def releases(request: Request, model: Ref = "", of: ModelOf = "concepts") -> Response:
    """What is in force; a model described, the one in force where none is named; and what else there is."""
    source = request.app.state.source
    url = followed(source, request.app.state.settings)

    def drawn(serving: Serving) -> Response:
        described: ModelsResponse = source.describe()
        registry = RegistryListing([], []) if url is None else listing(url)
        shown = described_model(serving, None if registry.trouble else url, model, of)
        return page(
            request,
            serving,
            "models.html",
            described=described,
            registry=registry,
            shown=shown,
            asked=model,
            of=of,
            in_force=serving.scorer.model_info.version,
            topics=topics(shown.fitted.cross_validation),
            measures=judged(shown.measures),
        )

    return await answer(request, drawn, even_damaged=True)


@router.get("/report")
async def report(request: Request, model: Ref) -> Response:
    """The report that was kept with a version of a model, as it was drawn then."""
    url = followed(request.app.state.source, request.app.state.settings)

    def drawn(_: Serving) -> Response:
        with registry_problems():
            content = None if url is None else report_page(url, model)
        if content is None:
            raise ProblemError(NOT_FOUND, f"There is no report on a model {model}.")
        return Response(content, headers={"Content-Security-Policy": REPORT_POLICY}, media_type="text/html")

    return await answer(request, drawn)


def topics(folds: tuple[FoldResult, ...]) -> Topics | None:
    """The correlations within topics as dots in columns; None where there are none."""
    known = sorted((fold.pearson, fold.topic, fold) for fold in folds if fold.pearson is not None)
    if not known:
        return None
    low = min(0.0, known[0][0])
    columns: dict[int, int] = {}
    dots = []
    for value, _, fold in known:
        column = round((value - low) / STEP)
        columns[column] = columns.get(column, -1) + 1
        dots.append(Dot(100 * column * STEP / (1 - low), columns[column], fold))
    mean = 100 * (fmean(value for value, _, _ in known) - low) / (1 - low)
    undefined = sorted((fold for fold in folds if fold.pearson is None), key=lambda fold: fold.topic)
    listed = [fold for _, _, fold in sorted(known, key=lambda one: (-one[0], one[1]))] + undefined
    return Topics(listed, dots, low, max(columns.values()) + 1, mean, len(undefined))


def judged(measures: tuple[ReportedMeasure, ...]) -> list[MeasureBar]:
    """Measures by their correlation, the greatest first; those without one are left out.

    The last of ``measures`` is the model.
    """
    shown = []
    for number, measure in enumerate(measures, 1):
        figure = measure.pearson.pooled
        if figure.value is not None:
            ends = (figure.value if end is None else end for end in (figure.low, figure.high))
            low, high = (100 * min(1.0, max(0.0, end)) for end in ends)
            length = 100 * max(0.0, figure.value)
            shown.append(MeasureBar(measure.name, figure.value, length, low, high, number == len(measures)))
    return sorted(shown, key=lambda one: -one.value)
