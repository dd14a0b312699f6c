"""Files of pairs, scored while they are sent back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, BinaryIO, cast
from urllib.parse import quote

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response
from pydantic import StringConstraints
from starlette.datastructures import MutableHeaders

from app.api import relatedness, terms
from app.api.concepts import ByModel
from app.batch.files.delimited import Decimal
from app.batch.files.formats import STANDARD, Format
from app.batch.files.rows import PairRow
from app.batch.results import ConceptRowScorer, Provenance, RowScorer, TermRowScorer
from app.batch.scoring import ScoringJob
from app.batch.streamed import rows_of, scored
from app.errors import FileTooLarge, PairsError
from app.scoring.batches import BatchSizes, batches
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers_in
from app.web.problems import (
    BUSY,
    NO_ROOM,
    NO_TERM_MODEL,
    TOO_LARGE,
    TOO_SLOW,
    UNKNOWN_MODEL,
    WRONG_FILE,
    WRONG_SHAPE,
    WRONG_TYPE,
    ProblemError,
)
from app.web.request_notes import note_pairs
from app.web.requests.body import media_type_of, pieces
from app.web.requests.preferences import weights
from app.web.resources import resources_of
from app.web.responses.answering import scorer_by, sound
from app.web.responses.streaming import LINES, Chunks, Streamed
from app.web.responses.turns import RETRY_AFTER, Turns
from features.terms.extract import TermPair
from wort.schemas.relatedness import Ambiguous

CSV, TSV, PARQUET = "text/csv", "text/tab-separated-values", "application/vnd.apache.parquet"
FORMATS = {CSV: Format.CSV, TSV: Format.TSV, LINES: Format.JSONL, PARQUET: Format.PARQUET}
ACCEPTED = {CSV: "a table (CSV)", TSV: "a table (TSV)", LINES: "JSON Lines", PARQUET: "Parquet"}
"""The media types of files of pairs, and what they are called."""

EXAMPLES = {
    CSV: "left,right,note\nAtheism,Religion,kept\nAtheism,No such concept,\n",
    TSV: "left\tright\nAtheism\tReligion\n",
    LINES: '{"left": "Atheism", "right": {"id": 25414}}\n{"left": "Atheism", "right": 26700, "n": 1}\n',
}
"""Files that can be sent as they stand; a test sends each of them."""

ROWS = "Wort-Rows"
"""The header that says how many rows a file has, before the first is answered."""

MODEL, SNAPSHOT = "Wort-Model", "Wort-Snapshot"
"""The headers that say what the scores rest on, as no row can: which models, and the id of the snapshot."""

DECLARED = {
    ROWS: {"description": "How many rows the file has.", "schema": {"type": "integer"}},
    MODEL: {
        "description": "The model that scores, by name, or by name and version in the registry; of terms, "
        "after a comma, that of concepts too. Percent-encoded.",
        "schema": {"type": "string"},
    },
    SNAPSHOT: {"description": "The id of the snapshot.", "schema": {"type": "string"}},
}
"""What the document says of these headers."""

IN_MEMORY = 1 << 20
"""Bytes of a file that are kept in memory; a larger one is kept on the disk while it is scored."""

CELLS = 200
"""Cells of a row that take about as long to be read and written as a plain pair takes to be scored."""

Column = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
"""The name of a column, which in the tables of surveys may be a whole question."""

_OPTION = re.compile(r"--(left|right|prefix|context|decimal|no-header|format parquet)\b")
_PARAMETERS = {"no-header": "header=false", "format parquet": f"Content-Type: {PARQUET}"}


@dataclass(frozen=True, slots=True)
class FileOptions:
    """How the rows of a file are to be scored, and in which batches."""

    job: ScoringJob
    terms: bool
    ambiguous: Ambiguous
    model: str | None
    sizes: BatchSizes

    def row_scorer(self, serving: Serving) -> RowScorer:
        """What scores the rows by what is served.

        Raises:
            ProblemError: terms are asked for, and cannot be scored here; or there is no such model.
        """
        if self.terms:
            return TermRowScorer(terms.term_scorer(serving, self.model))
        return ConceptRowScorer(scorer_by(serving, self.model), self.ambiguous)

    def batches(self, rows: Sequence[PairRow]) -> Iterator[Sequence[PairRow]]:
        """``rows`` in order, as many together as are scored in one go."""
        sizes = self.sizes
        if self.terms:
            of_rows = batches(rows, sizes.terms, _of_terms, sizes.term_characters)
        else:
            of_rows = batches(rows, sizes.pairs, self._of_concepts, sizes.pairs)
        for batch in of_rows:
            note_pairs(len(batch), "terms" if self.terms else "concepts")
            yield batch

    def _of_concepts(self, row: PairRow) -> int:
        """A row of many cells counts as several, and so does one that takes long. None has evidence."""
        return relatedness.weight((row.left, row.right), False, self.ambiguous) + len(row.record) // CELLS


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()
    files = {kind: _file(called) for kind, called in ACCEPTED.items()}

    @routes.post(
        "/relatedness/files",
        operation_id="score_file",
        summary="Score a file of pairs",
        description="The rows of the file in the body, each with its score beside what it held, in the same "
        "form or that which `Accept` names, sent as they are scored. A row that cannot be scored has a "
        f"status and the reason, and never stops the others. A file may have {settings.max_file:,} bytes, "
        "decompressed and as a table, too. An answer that fails in the middle ends without the end of its "
        f"transfer, and has fewer rows than `{ROWS}` says.",
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {
                    kind: file | ({"example": EXAMPLES[kind]} if kind in EXAMPLES else {})
                    for kind, file in files.items()
                },
            }
        },
        responses=answers_in(
            files,
            TOO_SLOW,
            TOO_LARGE,
            UNKNOWN_MODEL,
            WRONG_TYPE,
            WRONG_SHAPE,
            WRONG_FILE,
            BUSY,
            NO_ROOM,
            NO_TERM_MODEL,
            headers=DECLARED,
        ),
        tags=["relatedness"],
    )
    async def score_file(
        request: Request,
        left: Annotated[Column, Query(description="The column of one concept or term.")] = "left",
        right: Annotated[Column, Query(description="The column of the other.")] = "right",
        explain: Annotated[
            bool, Query(description="Add columns: each feature, its contribution, and their sum.")
        ] = False,
        ambiguous: Annotated[
            Ambiguous,
            Query(description="What becomes of an ambiguous title: its row says so, or a sense is chosen."),
        ] = "report",
        of_terms: Annotated[
            bool, Query(alias="terms", description="The columns hold free terms, not concepts.")
        ] = False,
        context: Annotated[
            Column | None,
            Query(description="With `terms`: the column of what a pair is about; else `context`, if any."),
        ] = None,
        by_model: ByModel = None,
        header: Annotated[
            bool,
            Query(description="Whether the first row of a table names its columns, or is a pair already."),
        ] = True,
        decimal: Annotated[
            Decimal, Query(description="The sign of decimals in the numbers that are added to a table.")
        ] = ".",
        prefix: Annotated[
            str, Query(max_length=100, description="What stands before the names of the added columns.")
        ] = "",
    ) -> Response:
        if context is not None and not of_terms:
            raise ProblemError(WRONG_SHAPE, "context: a context is for free terms. Add terms=true.")
        kind = media_type_of(request)
        # Of another kind the body is refused as soon as it is read.
        form = FORMATS.get(kind, Format.CSV)
        wanted = wanted_kind(request.headers.getlist("accept"), kind)
        output = FORMATS.get(wanted, form)
        job = ScoringJob(
            STANDARD, STANDARD, form, output, left, right, context, prefix, explain, header, decimal
        )
        options = FileOptions(job, of_terms, ambiguous, by_model, request.app.state.batch_sizes)
        return Streamed(partial(answered, request, settings, options), wanted)

    return routes


async def answered(
    request: Request, settings: Settings, options: FileOptions, headers: MutableHeaders
) -> Chunks:
    """The rows of the file in the request, as they are scored. It keeps its place to the end.

    Raises:
        ProblemError: the file cannot be had, kept, or read as pairs.
    """
    state = request.app.state
    if Format.PARQUET in (options.job.source_format, options.job.output_format) and not has_parquet():
        raise ProblemError(
            WRONG_TYPE,
            "This server does not read or write Parquet, for which an extra is missing: whoever runs it may "
            "`pip install 'wort-server[parquet]'`. Send and accept CSV, TSV or JSON Lines.",
        )
    await state.stream_workers.expect_place(state.readers)
    resources = resources_of(request.scope)
    with SpooledTemporaryFile(IN_MEMORY) as spooled:
        file = cast(BinaryIO, spooled)
        try:
            async for piece in pieces(request, read_here(), settings.max_file, state.pace):
                resources.take_for_body(len(piece), state.files)
                await to_thread.run_sync(file.write, piece)
        except OSError as error:
            raise ProblemError(
                NO_ROOM,
                "The server has no room to keep the file. Send a smaller one, or try again later.",
                headers={"Retry-After": RETRY_AFTER},
            ) from error
        serving = sound(request)
        turns = Turns(request, state.stream_workers, None)
        await state.stream_workers.take_place(resources, state.readers)
        try:
            scorer = await turns.take(lambda: options.row_scorer(serving))
            headers.update(rests_on(scorer.provenance))
            counted = rows_of(file, options.job, scorer, settings.max_file)
            headers[ROWS] = str(sum([rows async for rows in turns.each(counted)]))
            answer = scored(file, options.job, scorer, options.batches, settings.max_file)
            async for piece in turns.each(answer):
                yield piece
        except FileTooLarge as error:
            raise ProblemError(TOO_LARGE, _detail(error), error.limit) from None
        except PairsError as error:
            raise ProblemError(WRONG_FILE, _detail(error)) from None


def rests_on(provenance: Provenance) -> dict[str, str]:
    """The headers that say what results rest on. A name may have any letters; a header has few."""
    models = filter(None, (provenance.model, provenance.concepts))
    named = ", ".join(quote(model.version or model.name) for model in models)
    return {MODEL: named, SNAPSHOT: quote(provenance.snapshot.id)}


def wanted_kind(accepted: Sequence[str], sent: str) -> str:
    """The media type of the answer: the one that ``accepted``, the ``Accept`` headers, take most gladly.

    That of the file which was ``sent``, where it is taken as gladly as any, or none is.

    >>> [wanted_kind([header], CSV) for header in ("*/*", TSV, f"{LINES};q=0.5, {CSV};q=0.5", "text/html")]
    ['text/csv', 'text/tab-separated-values', 'text/csv', 'text/csv']
    """
    taken = weights(accepted)

    def gladly(kind: str) -> float:
        ranges = (kind, f"{kind.partition('/')[0]}/*", "*/*")
        return next((taken[each] for each in ranges if each in taken), 0.0)

    return max((sent, *ACCEPTED), key=gladly)


def read_here() -> dict[str, str]:
    """Those of ``ACCEPTED`` that this server reads."""
    return {kind: called for kind, called in ACCEPTED.items() if kind != PARQUET or has_parquet()}


def has_parquet() -> bool:
    """Whether Parquet can be read and written here: an extra brings what does."""
    return find_spec("pyarrow") is not None


def _detail(error: PairsError) -> str:
    """What is said of a file, as a sentence. The options of the command are parameters here."""
    said = _OPTION.sub(_parameter, str(error)).rstrip(".") + "."
    return said[:1].upper() + said[1:]


def _parameter(option: re.Match[str]) -> str:
    return f"`{_PARAMETERS.get(option[1], option[1])}`"


def _of_terms(row: PairRow) -> int:
    return terms.characters(TermPair(str(row.left), str(row.right), row.context))


def _file(called: str) -> dict[str, Any]:
    schema = {"type": "string", "description": f"A file of pairs: {called}."}
    return {"schema": schema | ({"format": "binary"} if called == ACCEPTED[PARQUET] else {})}
