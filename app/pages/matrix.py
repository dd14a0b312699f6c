"""Some concepts with one another: a heat map, in which related ones stand side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from fastapi import APIRouter, Request, Response

from app.pages.examples import example_concepts
from app.pages.forms import Form, check_complete, form_of, link, moved, noted_status, of_model, overlong
from app.pages.lists import bracketed, cells, ended, parted, rejoined, unlisted, without_heads
from app.pages.programs import programs, said_by
from app.pages.rendering import PageRoute, page, wants_json
from app.scoring.clustering import clustered_order
from app.scoring.concepts import Scorer
from app.scoring.matrix import Matrix, concepts_of, matrix_response, resolved
from app.serving.serving import Serving
from app.web.problems import TOO_MANY, ProblemError
from app.web.request_notes import note_pairs
from app.web.responses.answering import respond, scorer_by, sound, turns_of
from wort.schemas.sides import Side

MOST = 40
"""Concepts that a heat map may have: more can be asked for as JSON, and read by nobody."""

LEVELS = 10
"""Shades above the weakest."""

LINES = (4, 12)
"""How many lines of the field are shown at least and at most, where there is a heat map below it."""

EMPTY_LINES = 8
"""How many are shown where there is none."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class Cell:
    """A score, and how strong the colour is, from 0 to ``LEVELS``; of a concept with itself, None."""

    title: str
    score: float | None
    level: int


@dataclass(frozen=True, slots=True)
class Row:
    """A concept and its scores, in the order of the rows."""

    title: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class PlacedSide:
    """How a name was understood, and what stands before and after it in the field."""

    side: Side
    around: tuple[str, str]


@router.api_route("/matrix", methods=["GET", "POST"])
async def matrix(request: Request) -> Response:
    """The form and, where concepts are named, the heat map of their scores."""
    form = await form_of(request)
    text, entered, model = form.one("concepts"), entered_names(form), form.one("model")
    names, named = list(dict.fromkeys(entered)), of_model(model)
    # The one name of a list is kept twice where it stands so: what is lacking is another one then.
    kept = names if len(names) > 1 else entered[:2]
    redirect = moved(request, form, link("matrix", ("concepts", "\n".join(kept)), *named))
    if redirect is not None:
        return redirect
    serving, state = sound(request), request.app.state
    turns = await turns_of(request, state.workers)
    scorer = await turns.take(lambda: scorer_by(serving, model or None))
    listed, lists = [], [parted(name) for name in names]
    # A title may have commas: they part names where every line has some and no concept is called by a line.
    if (
        names
        and all(len(parts) > 1 for parts in lists)
        and not await turns.take(partial(has_name, scorer, names))
    ):
        lists = await turns.take(lambda: [joined(scorer, parts) for parts in lists])
        listed, entered = names, list(chain.from_iterable(lists))
        names = list(dict.fromkeys(entered))
    wrong = trouble_of(names)
    if wrong is not None or not names:
        check_complete(request, "Name some concepts, one a line.", [wrong])
        return await turns.take(lambda: _page(request, serving, scorer, text, model, wrong))

    understood = await turns.take(partial(resolved, scorer, names, "report"))
    scored = await turns.take(lambda: Matrix(scorer, concepts_of(understood)))
    for batch in scored.batches(state.batch_sizes.matrix):
        await turns.take(partial(scored.fill, batch))
    sides = list(map(scorer.pairs.side, names, understood))

    def answered() -> Response:
        note_pairs(len(names) * (len(names) - 1) // 2)
        if wants_json(request):
            return respond(matrix_response(scored, scorer, sides))
        placed = [PlacedSide(side, around(names, place)) for place, side in enumerate(sides)]
        unresolved = [one for one in placed if one.side.status != "ok"]
        shown = rows(scored, sides)
        return _page(
            request,
            serving,
            scorer,
            "\n".join(names),
            model,
            rows=shown,
            lacking=lacking(len(names), len(names) - len(unresolved), len(entered) > len(names)),
            lines=min(max(len(names), LINES[0]), LINES[1]),
            unresolved=unresolved,
            placed=placed,
            namesakes=namesakes(scorer, placed, [row.title for row in shown]),
            listed=listed,
            commas=next(
                (name for name in (str(one.side.asked) for one in unresolved) if {",", ";"} & set(name)), None
            ),
            to=link("matrix", ("concepts", "\n".join(names)), *named),
            called=programs(
                request,
                "v1/relatedness/matrix",
                {"concepts": names} | dict(named),
                f"client.matrix({names!r}{said_by(model)})",
                "relatedness/score_matrix",
            ),
        )

    return await turns.take(answered)


def entered_names(form: Form) -> list[str]:
    """The names in the field, without blanks around them or the marks of a list before them."""
    lines = (
        line for text in form.each("concepts") for line in bracketed(text) or without_heads(text.splitlines())
    )
    listed = unlisted([line.strip() for line in lines if line.strip()])
    return [name for line in listed for name in cells(line)]


def has_name(scorer: Scorer, lines: list[str]) -> bool:
    """Whether a concept, or several, may be called by the whole of one of some lines."""
    titles = [line for line in lines[:MOST] if overlong(line) is None]
    return any(one.status not in ("unknown", "invalid") for one in resolved(scorer, titles, "report"))


def joined(scorer: Scorer, parts: list[str]) -> list[str]:
    """The names of a line, from what stands between its signs: more, or less, of it is one name."""
    return ended(rejoined(parts, partial(are_titles, scorer)), lambda name: has_name(scorer, [name]))


def are_titles(scorer: Scorer, names: list[str]) -> list[bool]:
    """Whether an article is called so, of each of some names."""
    return [scorer.resolver.article(name) >= 0 for name in names]


def trouble_of(names: list[str]) -> ProblemError | None:
    """What is wrong with a list of concepts; None where nothing is."""
    if len(names) > MOST:
        return ProblemError(
            TOO_MANY,
            f"A heat map has {MOST} concepts at most, and these are {len(names)}. Leave some out; "
            "programs may ask for more.",
        )
    return next(filter(None, map(overlong, names)), None)


def lacking(named: int, known: int, repeated: bool = False) -> str:
    """Why there is no heat map: of so many names that were ``named``, those ``known`` lead to one concept.

    ``repeated``: one of them was named more than once.

    >>> lacking(3, 1)
    'Only one of these 3 is known here, and a heat map takes two.'
    """
    if named == 1 and not (known and repeated):
        return "Name two concepts at least."
    if known == named:
        return "All of these are names of one concept. Name another one beside it."
    if known == 0:
        return f"None of these {named} is known here, and a heat map takes two."
    said = "one of these {} is known here" if known == 1 else "one concept is known of these {}"
    return f"Only {said.format(named)}, and a heat map takes two."


def around(names: list[str], place: int) -> tuple[str, str]:
    """What stands in the field before and after the name at ``place``."""
    return (
        "".join(f"{name}\n" for name in names[:place]),
        "".join(f"\n{name}" for name in names[place + 1 :]),
    )


def namesakes(scorer: Scorer, placed: list[PlacedSide], shown: list[str]) -> list[tuple[Side, str, str]]:
    """Of each name, the first other concept that is called so and is not ``shown``; and the list with it."""
    found = [(one, other) for one in placed for other in scorer.pairs.namesakes(one.side)[:1]]
    return [(one.side, other, other.join(one.around)) for one, other in found if other not in shown]


def rows(scored: Matrix, sides: list[Side]) -> list[Row]:
    """The rows of the concepts that are known, each once, those that are related side by side."""
    first: dict[str, int] = {}
    for place, side in enumerate(sides):
        if side.status == "ok" and side.title is not None:
            first.setdefault(side.title, place)
    titles, places = list(first), np.array(list(first.values()), np.int64)
    scores = scored.scores[np.ix_(places, places)]
    order = clustered_order(scores)
    return [
        Row(
            titles[row],
            [
                Cell(titles[column], None, 0)
                if row == column
                else Cell(titles[column], float(scores[row, column]), round(LEVELS * scores[row, column]))
                for column in order
            ],
        )
        for row in order
    ]


def _page(
    request: Request,
    serving: Serving,
    scorer: Scorer,
    text: str,
    model: str,
    wrong: ProblemError | None = None,
    **shown: object,
) -> Response:
    empty: dict[str, Any] = {
        "rows": None,
        "lacking": None,
        "lines": EMPTY_LINES,
        "unresolved": [],
        "placed": [],
        "namesakes": [],
        "listed": [],
        "commas": None,
        "to": None,
        "called": None,
    }
    fields: dict[str, Any] = {**empty, **shown}
    return page(
        request,
        serving,
        "matrix.html",
        status=noted_status(request, [wrong]),
        model=scorer.model_info,
        by_model=model,
        text=text,
        wrong=wrong and wrong.detail,
        most=MOST,
        example="\n".join(example_concepts(scorer)),
        **fields,
    )
