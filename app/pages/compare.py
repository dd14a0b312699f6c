"""Two concepts: their score, where it stands, what it adds up from, and the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.api.terms import term_scorer
from app.pages.bars import Bar, bars
from app.pages.examples import example_pairs
from app.pages.forms import check_complete, link, noted_status, of_model, overlong
from app.pages.programs import programs, said_by
from app.pages.rendering import PageRoute, Ref, TypedField, page, wants_json
from app.scoring.concepts import Scorer
from app.scoring.doubts import doubts
from app.scoring.in_words import answer_of, in_words, is_shown, shares_by_group, start_of
from app.scoring.mixed_links import Mixed, mixed_links
from app.scoring.notes import noted
from app.scoring.panels import panel_says
from app.serving.serving import Serving
from app.web.problems import ProblemError
from app.web.responses.answering import answer, respond, scorer_by
from wort.schemas.explanations import Explanation
from wort.schemas.relatedness import PairResult

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class ExplanationRow:
    """One line of the explanation. ``value`` is None for the intercept.

    ``added``: what it adds to the score.
    """

    name: str
    description: str
    value: float | None
    added: float
    bar: Bar


@dataclass(frozen=True, slots=True)
class ExplanationGroup:
    """The lines of a group of features. ``added``: what they add to the score together."""

    name: str
    added: float
    rows: list[ExplanationRow]

    @property
    def telling(self) -> list[ExplanationRow]:
        """The lines that are shown at once: of features that add what three decimals show, and the start."""
        return [row for row in self.rows if is_shown(row.added) or row.value is None]

    @property
    def silent(self) -> list[ExplanationRow]:
        """The lines of features that add nothing to this score, which are folded into one."""
        return [row for row in self.rows if not is_shown(row.added) and row.value is not None]


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Where the icon is, for browsers that show no page of ours but an answer, and look for it here."""
    return RedirectResponse("static/icon.svg")


@router.get("/")
async def compare(
    request: Request, left: TypedField = "", right: TypedField = "", model: Ref = ""
) -> Response:
    """The form and, where two concepts are named, what is known of them."""
    left, right = left.strip(), right.strip()
    wrong = {"left": overlong(left), "right": overlong(right)}
    named = of_model(model)
    asked = bool(left and right) and not any(wrong.values())
    if not asked:
        check_complete(request, "Name two concepts to compare, as left and right.", wrong.values())

    def drawn(serving: Serving) -> Response:
        scorer = scorer_by(serving, model or None)
        (result,) = scorer.score([(left, right)], explain=True) if asked else [None]
        if result and wants_json(request):
            return respond(answer_of(noted(scorer, [result]), scorer.model_info, scorer.snapshot_info))
        mixed = mixed_links(scorer, result) if result else []
        return page(
            request,
            serving,
            "compare.html",
            status=noted_status(request, wrong.values()),
            model=scorer.model_info,
            by_model=model,
            wrong={name: error and error.detail for name, error in wrong.items()},
            left=left,
            right=right,
            result=result,
            in_words=None if not result or result.score is None else in_words(result.score, result.interval),
            panel=panel_says(result.score or 0.0, result.interval) if result and result.interval else None,
            namesakes=namesakes(scorer, result, mixed) if result else [],
            doubts=doubts(scorer, result, "“{}”".format, mixed) if result else [],
            thresholds=bool(scorer.model.operating_points),
            groups=rows_by_group(result.explanation) if result and result.explanation else None,
            examples=[] if result or any(wrong.values()) else example_pairs(scorer),
            as_terms=address_as_terms(serving, left, right, model)
            if result and result.score is None
            else None,
            to=link("./", ("left", left), ("right", right), *named),
            called=programs(
                request,
                "v1/relatedness",
                {"pairs": [{"left": left, "right": right}], "explain": True} | dict(named),
                f"client.relatedness({left!r}, {right!r}, explain=True{said_by(model)})",
                "relatedness/score_pairs",
            ),
        )

    return await answer(request, drawn)


def address_as_terms(serving: Serving, left: str, right: str, model: str = "") -> str | None:
    """Where two sides that have no score as concepts are compared as terms; None where that has no answer."""
    try:
        scorer = term_scorer(serving, model or None)
    except ProblemError:
        return None
    if not scorer.answers(left, right):
        return None
    return link("terms", ("left", left), ("right", right), *of_model(model))


def namesakes(scorer: Scorer, result: PairResult, mixed: Sequence[Mixed]) -> list[tuple[str, str, str]]:
    """Other concepts that are called as one that was asked for, or as both are together, or may be meant.

    Each is the last of three: before it stand the two titles to compare instead. ``mixed``: ``mixed_links``.
    """
    left, right = result.resolved.left, result.resolved.right
    titles = left.title or "", right.title or ""
    found = []
    for place, side in enumerate((left, right)):
        for other in scorer.pairs.namesakes(side):
            found.append((other, titles[1], other) if place == 0 else (titles[0], other, other))
    for made in scorer.pairs.together(left, right):
        # What is meant is a kind of that with which its title ends.
        is_left = made.lower().startswith(f"{titles[1].lower()} ")
        found.append((made, titles[1], made) if is_left else (titles[0], made, made))
    for title, meant, beside in mixed:
        if meant not in (other for *_, other in found):
            found.append((meant, beside, meant) if title == titles[0] else (beside, meant, meant))
    return found


def rows_by_group(explanation: Explanation) -> list[ExplanationGroup]:
    """What the features add to the score, by group; first what every pair begins with."""
    start, groups = start_of(explanation), shares_by_group(explanation)
    shares = [share for group in groups for share in group.features]
    start_bar, *drawn = bars([start, *(share.added for share in shares)])
    rows = iter(
        ExplanationRow(share.feature.name, share.feature.description, share.value, share.added, bar)
        for share, bar in zip(shares, drawn, strict=True)
    )
    first = ExplanationRow("Intercept", "where every pair begins", None, start, start_bar)
    return [
        ExplanationGroup("Start", start, [first]),
        *(
            ExplanationGroup(group.name, group.added, [next(rows) for _ in group.features])
            for group in groups
        ),
    ]
