"""``wort search``: concepts by what is typed of their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.answering import JsonOrText, asked, encodable, tell
from app.cli.settings import AskedSnapshot

if TYPE_CHECKING:
    from wort.schemas.concepts import SearchResponse
    from wort.schemas.described import SnapshotInfo

MOST = 50
"""As the server allows."""


def search(
    text: Annotated[str, typer.Argument(help="A name, its beginning, or words of it.", callback=encodable)],
    top: Annotated[int, typer.Option(help="The most concepts to show.", min=1, max=MOST)] = 10,
    snapshot: AskedSnapshot = None,
    json: JsonOrText = None,
) -> None:
    """Which concepts are called so, have a title that begins so or has these words, or nearly so?

    The answer is that of GET /v1/concepts/search.
    """
    from app.scoring.search import search as search_concepts

    scorer = asked(snapshot, scored=False).scorer
    answer = search_concepts(scorer, text, top)
    tell(answer, lambda: _lines(answer, text, scorer.snapshot_info), json)


def _lines(answer: SearchResponse, text: str, snapshot: SnapshotInfo) -> Iterator[str]:
    from app.scoring.in_words import not_in_excerpt, snapshot_name

    if not text.strip():
        yield "Nothing is written there. Give a name, its beginning, or words of it."
    elif not answer.concepts:
        place = snapshot_name(snapshot) if snapshot.excerpt_of is None else "this snapshot"
        yield f"Nothing in {place} is written like that."
        yield not_in_excerpt(snapshot) or "Try fewer letters, or another name of it."
    yield from map(str, answer.concepts)
