"""A file of pairs, scored from the browser: the page, and a file to try it with."""

from __future__ import annotations

import csv
import io
from itertools import combinations
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from app.api.files import has_parquet
from app.api.terms import term_scorer
from app.batch.results import ConceptRowScorer, TermRowScorer
from app.pages.examples import example_concepts
from app.pages.rendering import PageRoute, Ref, page
from app.scoring.concepts import Scorer
from app.scoring.judged import level_of
from app.scoring.terms import TermScorer
from app.serving.serving import Serving
from app.web.problems import ProblemError
from app.web.responses.answering import answer, scorer_by

UNKNOWN = "A title that no article has"
"""On one side of the sample's last row, to show what is said of a row that cannot be scored."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/files")
async def files(request: Request, model: Ref = "") -> Response:
    """The form. The file itself goes to ``POST v1/relatedness/files``, from a script."""
    serving: Serving = request.app.state.source.current
    scorer = await to_thread.run_sync(scorer_by, serving, model or None)
    of_terms = await to_thread.run_sync(terms_by, serving, model or None)
    return page(
        request,
        serving,
        "files.html",
        model=scorer.model_info,
        by_model=model,
        level=level_of(scorer.model),
        base=str(request.base_url),
        parquet=has_parquet(),
        largest=request.app.state.settings.max_file >> 20,
        terms=of_terms is not None,
        added=added_columns(scorer) | ({"terms": added_of_terms(of_terms)} if of_terms else {}),
    )


def terms_by(serving: Serving, model: str | None) -> TermScorer | None:
    """What scores terms here by the model that is asked for; None where nothing does."""
    try:
        return term_scorer(serving, model)
    except ProblemError:
        return None


def added_of_terms(scorer: TermScorer) -> dict[str, list[str]]:
    """As ``added_columns``, where the columns of the pair hold terms."""
    usual = TermRowScorer(scorer)
    return {"always": list(usual.columns), "explain": list(usual.explanation)}


def added_columns(scorer: Scorer) -> dict[str, Any]:
    """The names of the columns that ``scorer`` adds to a file: always, and by the boxes of the form."""
    usual = ConceptRowScorer(scorer)
    return {
        "always": list(usual.columns),
        "resolve": list(ConceptRowScorer.choices),
        "explain": list(usual.explanation),
    }


@router.get("/sample.csv")
async def sample(request: Request) -> Response:
    """Pairs of this snapshot, and a row that cannot be scored."""

    def made(serving: Serving) -> Response:
        headers = {"Content-Disposition": 'attachment; filename="sample.csv"'}
        return Response(sample_file(serving.scorer), headers=headers, media_type="text/csv")

    return await answer(request, made)


def sample_file(scorer: Scorer) -> str:
    """A table of pairs as CSV: every two of the concepts that an empty page offers, and an unknown title."""
    concepts = example_concepts(scorer)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("left", "right"))
    rows.writerows(combinations(concepts, 2))
    rows.writerow((concepts[0], UNKNOWN))
    return text.getvalue()
