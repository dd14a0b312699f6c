"""A concept and what is most related to it: a ranked list, and a drawing to walk through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Request, Response

from app.api.concepts import related_answer
from app.pages.examples import example_concepts
from app.pages.forms import check_complete, noted_status, of_model, overlong
from app.pages.graph import Graph, graph
from app.pages.programs import Programs, reading_programs
from app.pages.rendering import FormField, PageRoute, Ref, TypedField, page, wants_json
from app.scoring.concepts import Scorer
from app.scoring.details import details
from app.scoring.doubts import doubted_neighbours
from app.scoring.matrix import Matrix
from app.scoring.panels import of_ten, panel_says
from app.scoring.related import NoSuchCategory, category_id, related
from app.web.responses.answering import scorer_by, sound, turns_of
from wort.schemas.concepts import ConceptDetails, RelatedConcept
from wort.schemas.sides import Side

COUNTS = (10, 20, 50)
"""How many related concepts a page may show."""

DRAWN = ((700.0, 620.0, 20), (340.0, 380.0, 10))
"""The drawings, for wide screens and for telephones: width, height, and the most neighbours."""

CATEGORIES = 12
"""Categories that are offered to filter by."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A concept with its surroundings.

    ``namesakes``: other concepts that are called so; ``signs``: by its title, the sign of each related one
    whose score may be too high, of which the ``notes`` say why; ``categories``: the titles of those to filter
    by.
    """

    details: ConceptDetails
    namesakes: list[str]
    related: Sequence[RelatedConcept]
    signs: dict[str, str]
    notes: list[str]
    categories: list[str]
    graphs: list[Graph]


@router.get("/explore")
async def explore(
    request: Request,
    concept: TypedField = "",
    category: FormField = "",
    k: Annotated[int, Query(ge=1, le=COUNTS[-1])] = 20,
    model: Ref = "",
) -> Response:
    """The form and, where a concept is named, what is most related to it."""
    serving = sound(request)
    concept, category = concept.strip(), category.strip()
    wrong = overlong(concept)
    if wrong or not concept:
        check_complete(request, "Name a concept to explore.", [wrong])

    turns = await turns_of(request, request.app.state.workers)
    if wants_json(request):
        asked = partial(related_answer, request, concept, k, 0.0, category or None, model or None)
        return await turns.take(lambda: asked(serving))
    scorer = await turns.take(lambda: scorer_by(serving, model or None))
    chosen = await turns.take(lambda: title_of(scorer, category)) if category else ""
    no_category, category = chosen is None, chosen or ""
    side, surrounded = None, None
    if concept and not wrong:
        resolved = await turns.take(lambda: scorer.pairs.one(concept))
        row, side = resolved.concept, scorer.pairs.side(concept, resolved)
    if side is not None and row >= 0:
        # The categories are those of as many as a page shows, also where fewer are asked for.
        nearest = await turns.take(lambda: related(scorer, row, max(k, COUNTS[0])).related)
        shown = nearest[:k]
        if category:
            shown = await turns.take(lambda: related(scorer, row, k, category=category).related)
        surrounded = await turns.take(partial(surroundings, scorer, side, row, category, nearest, shown))
    return await turns.take(
        lambda: page(
            request,
            serving,
            "explore.html",
            status=noted_status(request, [wrong]),
            model=scorer.model_info,
            by_model=model,
            wrong=wrong and wrong.detail,
            blank="concept" in request.query_params and not concept,
            concept=concept,
            category=category,
            no_category=request.query_params.get("category") if no_category else None,
            k=k,
            counts=COUNTS,
            side=side,
            surrounded=surrounded,
            examples=[] if surrounded or wrong else example_concepts(scorer),
            of_ten=of_ten,
            panel_says=panel_says,
            called=surrounded and asked_again(request, surrounded.details.title, category, k, model),
        )
    )


def asked_again(request: Request, title: str, category: str, k: int, model: str) -> Programs:
    """How programs ask for what is most related to the concept ``title``, in a category if one is chosen."""
    more = ({"category": category} if category else {}) | dict(of_model(model))
    said = "".join(f", {name}={value!r}" for name, value in {"k": k, **more}.items())
    return reading_programs(
        request,
        "v1/concepts/related",
        {"title": title, "k": k, **more},
        f"client.related({title!r}{said}).related",
        "concepts/related_concepts_by_title",
        "one.title, one.score",
    )


def surroundings(
    scorer: Scorer,
    side: Side,
    concept: int,
    category: str,
    nearest: Sequence[RelatedConcept],
    shown: Sequence[RelatedConcept],
) -> Surroundings:
    """What surrounds a concept.

    ``side``: how its name was understood. ``nearest``: the concepts that are most related to it; ``shown``:
    those of the category, if one is chosen.
    """
    concepts = [concept, *(scorer.resolver.article(one.title) for one in shown)]
    titles = [scorer.snapshot.concept_titles[concept], *(one.title for one in shown)]
    most = max(neighbours for _, _, neighbours in DRAWN) + 1
    scores = Matrix(scorer, np.array(concepts[:most], np.int64)).filled()
    graphs = [
        graph(titles[: neighbours + 1], scores[: neighbours + 1, : neighbours + 1], width, height)
        for width, height, neighbours in DRAWN
    ]
    described = details(scorer, concept)
    offered = categories(scorer, described, nearest, category)
    doubted = doubted_neighbours(scorer, side, shown)
    signs = {one.title: sign for one, sign in zip(shown, doubted.signs, strict=True) if sign}
    namesakes = list(dict.fromkeys([*scorer.pairs.namesakes(side), *doubted.meant]))
    return Surroundings(described, namesakes, shown, signs, doubted.notes, offered, graphs)


def title_of(scorer: Scorer, category: str) -> str | None:
    """The title of a category, however it is written; None where there is none of that title."""
    try:
        return scorer.snapshot.strings("category_titles")[category_id(scorer, category)]
    except NoSuchCategory:
        return None


def categories(
    scorer: Scorer, of: ConceptDetails, nearest: Sequence[RelatedConcept], chosen: str
) -> list[str]:
    """Categories to filter by: those of the most of the related concepts, the one that is chosen included."""
    table: Any = scorer.snapshot.csr("categories")
    ids = [scorer.resolver.article(one.title) for one in nearest]
    counts = Counter(category for concept in ids for category in table.row(concept).tolist())
    titles = scorer.snapshot.strings("category_titles")
    own = set(of.categories)
    # Those of the concept itself first: they are what it is, the others what is near it. The counts order
    # them and are not shown: a filter looks among all concepts, and so finds more.
    order = sorted((titles[one] not in own, -count, titles[one]) for one, count in counts.items())
    shown = [title for _, _, title in order[:CATEGORIES]]
    return shown if not chosen or chosen in shown else [chosen, *shown]
