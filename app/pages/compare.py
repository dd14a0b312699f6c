"""The pages that people see: two concepts and their score at ``/``, the interface at ``/docs``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.scoring.concepts import Scorer
from app.serving.serving import Serving
from app.wire.described import SnapshotInfo
from app.wire.relatedness import Explanation, PairResult
from features.catalogue import FEATURES

LONGEST = 1000
"""Characters that a field takes: any title or address fits."""

EXAMPLES = (("Atheism", "Religion"), ("Biology", "Evolution"), ("Jazz", "Photosynthesis"))
"""Pairs that the empty page offers, those of them that the snapshot knows."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
# Swagger UI sets styles from its script and draws with data: images.
_DOCS_HEADERS = {
    **_HEADERS,
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
}
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Bar:
    """A contribution drawn from zero: where it begins and how long it is, in percent of the width."""

    zero: float
    start: float
    length: float
    negative: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the explanation. ``value`` is None for the intercept."""

    name: str
    description: str
    value: float | None
    contribution: float
    bar: Bar


@router.get("/")
async def home(
    request: Request,
    left: Annotated[str, Query(max_length=LONGEST)] = "",
    right: Annotated[str, Query(max_length=LONGEST)] = "",
) -> Response:
    """The form and, where two concepts are named, what is known of them."""
    workers = request.app.state.workers
    # Read once: the whole page speaks of one release.
    serving: Serving = request.app.state.source.current
    scorer = serving.scorer
    left, right = left.strip(), right.strip()
    result: PairResult | None = None
    examples: list[tuple[str, str]] = []
    with workers.place():
        if left and right:
            result = await workers.run(lambda: compare(scorer, left, right))
        else:
            examples = await workers.run(lambda: known_examples(scorer))
    return _html(
        "page.html",
        _HEADERS,
        left=left,
        right=right,
        result=result,
        groups=explain(result.explanation) if result and result.explanation else None,
        examples=examples,
        snapshot=scorer.snapshot_info,
        model=scorer.model_info,
        site=wikipedia(scorer.snapshot_info),
    )


@router.get("/docs")
async def docs() -> Response:
    """The interface, to read and to try."""
    return _html("docs.html", _DOCS_HEADERS)


def compare(scorer: Scorer, left: str, right: str) -> PairResult:
    """The explained result of one pair."""
    return scorer.score([(left, right)], explain=True)[0]


def known_examples(scorer: Scorer) -> list[tuple[str, str]]:
    """Those of the ``EXAMPLES`` that ``scorer`` can score."""
    results = scorer.score(EXAMPLES)
    return [pair for pair, result in zip(EXAMPLES, results, strict=True) if result.status == "ok"]


def explain(explanation: Explanation) -> list[tuple[str, list[Row]]]:
    """The explanation's lines by group of features, in the order in which they are added."""
    contributions = [explanation.intercept, *(entry.contribution for entry in explanation.contributions)]
    bars = draw(contributions)
    rows = [
        (
            feature.group,
            Row(feature.name, feature.description, entry.value, entry.contribution, bar),
        )
        for feature, entry, bar in zip(FEATURES, explanation.contributions, bars[1:], strict=True)
    ]
    start = Row("Intercept", "where every pair begins", None, explanation.intercept, bars[0])
    return [
        ("Start", [start]),
        *((group, [row for _, row in members]) for group, members in groupby(rows, key=lambda row: row[0])),
    ]


def draw(contributions: Sequence[float]) -> list[Bar]:
    """A bar for each contribution, all on one scale that holds zero and every one of them."""
    low, high = min(0.0, *contributions), max(0.0, *contributions)
    percent = 100 / ((high - low) or 1.0)
    return [
        Bar(-low * percent, (min(0.0, value) - low) * percent, abs(value) * percent, value < 0)
        for value in contributions
    ]


def wikipedia(snapshot: SnapshotInfo) -> str | None:
    """Where the snapshot's articles stand on the web, up to the title; None where that is no Wikipedia."""
    code = snapshot.wiki.removesuffix("wiki")
    if code == snapshot.wiki or not code.replace("_", "").isalnum():
        return None
    return f"https://{code.replace('_', '-')}.wikipedia.org/wiki/"


def _html(template: str, headers: dict[str, str], **context: object) -> Response:
    content = _TEMPLATES.get_template(template).render(**context)
    return Response(content, headers=headers, media_type="text/html")


def _number(number: float, form: str = ".3f") -> str:
    """Three decimals, with a real minus sign, and none before zero."""
    return f"{round(number, 3) or 0.0:{form}}".replace("-", "−")


def _address(left: str, right: str) -> str:
    return f"?{urlencode({'left': left, 'right': right}, quote_via=quote)}"


_TEMPLATES.filters["number"] = _number
_TEMPLATES.filters["article"] = lambda title: quote(title.replace(" ", "_"), safe="/:(),!'*@")
_TEMPLATES.globals["address"] = _address
