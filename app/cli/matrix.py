"""``wort matrix``: some concepts, each with each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.answering import JsonOrText, asked, encodable, rests_on, tell, trouble
from app.cli.settings import AskedAmbiguous, AskedModel, AskedSnapshot

if TYPE_CHECKING:
    from wort.schemas.matrix import MatrixResponse


def matrix(
    titles: Annotated[
        list[str], typer.Argument(help="Titles, or addresses of articles.", callback=encodable)
    ],
    ambiguous: AskedAmbiguous = "report",
    snapshot: AskedSnapshot = None,
    model: AskedModel = None,
    json: JsonOrText = None,
) -> None:
    """How related is each of some concepts to each other one?

    The answer is that of POST /v1/relatedness/matrix. A title that names no concept, or several, has no
    scores; the command then exits with 3 and says what to ask instead.
    """
    if len(titles) < 2:
        raise typer.BadParameter(
            'Name two titles at least, with blanks between: wort matrix Cat Dog "New York".'
        )
    from app.errors import NoSuchConcept
    from app.scoring.matrix import square

    answer = square(asked(snapshot, model).scorer, titles, ambiguous)
    tell(answer, lambda: _lines(answer), json)
    problem = trouble(answer.snapshot, answer.concepts or [])
    if problem is not None:
        raise NoSuchConcept(problem)


def _lines(answer: MatrixResponse) -> Iterator[str]:
    """A row a concept, numbered as the columns are; titles stand last, however wide their letters are."""
    from app.scoring.in_words import understood

    sides = answer.concepts or []
    width = max(4, len(str(len(sides))))
    yield "  ".join(f"{number:>{width}}" for number in ("", *range(1, len(sides) + 1)))
    for number, (side, scores) in enumerate(zip(sides, answer.scores, strict=True), 1):
        cells = ("–" if score is None else f"{score:.2f}" for score in scores)
        row = "  ".join(f"{cell:>{width}}" for cell in (str(number), *cells))
        yield f"{row}  {side.title if side.status == 'ok' else side.asked}"
    yield from filter(None, map(understood, sides))
    yield rests_on(answer.model, answer.snapshot)
