"""``wort annotate``: the concepts that a text mentions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.answering import JsonOrText, asked, encodable, rests_on, tell, trouble
from app.cli.settings import AskedSnapshot

if TYPE_CHECKING:
    from app.scoring.unsure import Unsure
    from wort.schemas.texts import AnnotateResponse


def annotate(
    file: Annotated[Path, typer.Argument(help="A text in UTF-8, or - for standard input.")],
    context: Annotated[
        list[str] | None,
        typer.Option(help="A title that the text is about; several may be named.", callback=encodable),
    ] = None,
    min_rho: Annotated[
        float | None,
        typer.Option(help="The least ρ, how sure an annotation is; else as the snapshot says.", min=0, max=1),
    ] = None,
    snapshot: AskedSnapshot = None,
    json: JsonOrText = None,
) -> None:
    """Which concepts does a text mention? Each mention with its place, how sure it is, and the article.

    The answer is that of POST /v1/annotate, for a text of any length.
    """
    from app.cli.inputs import text_of
    from app.cli.printable import printable
    from app.scoring.annotating import resolved_context
    from app.scoring.unsure import unsure_of
    from wort.schemas.texts import AnnotateResponse

    text = text_of(
        file,
        absent="A text itself is read from a pipe: echo '…' | wort annotate -",
        folder="Name a file with a text in it.",
    )
    serving = asked(snapshot, scored=False)
    annotator = serving.annotator()
    sides, concepts = resolved_context(serving.scorer, context or ())
    unclear = trouble(serving.scorer.snapshot_info, sides)
    if unclear is not None:
        typer.echo(printable(f"wort: a part of the context is left out. {unclear}"), err=True)
    found = annotator.annotated(text, concepts, min_rho)
    described = annotator.described(text, found)
    unsure = None
    if not found:
        titles = serving.scorer.snapshot.concept_titles
        below = annotator.annotated(text, concepts, 0.0)
        doubted = [] if below else annotator.undoubting().annotated(text, concepts, min_rho)
        unsure = unsure_of(titles, text, below, doubted)
    answer = AnnotateResponse(described, serving.scorer.snapshot_info, sides)
    tell(answer, lambda: _lines(answer, text, unsure), json)


def _lines(answer: AnnotateResponse, text: str, unsure: Unsure | None) -> Iterator[str]:
    starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
    for one in answer.annotations:
        line = bisect_right(starts, one.start)
        column = one.start - starts[line - 1] + 1
        mention = " ".join(one.mention.split())  # on one line, where it goes over the end of one
        yield f"{line}:{column}  {one.rho:.2f}  {mention} → {one.title}"
    if not answer.annotations:
        if unsure is None:
            yield "No concept that is known here is mentioned."
        else:
            yield f"{unsure.said} --min-rho 0 shows them." if unsure.at_zero else unsure.said
    yield rests_on(None, answer.snapshot)
