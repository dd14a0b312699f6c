"""Files of pairs to files of answers, in constant memory."""

from __future__ import annotations

import errno
import hashlib
import re
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from app.batch.files.formats import STANDARD, Format, open_writer, reading
from app.batch.files.rows import Chunk, Columns, Position, Reader, Row, Writer
from app.batch.partial import Partial
from app.batch.results import NUMBERS, Answers
from app.errors import NoRoom, OutputExists, PairsError
from app.outputs import check_output

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Job:
    """What to score and where to put it.

    ``context``: the column that says what two terms are about; None reads ``context`` where there is one.
    ``prefix`` stands before the name of each added column.
    """

    source: Path
    output: Path
    source_format: Format
    output_format: Format
    left: str = "left"
    right: str = "right"
    context: str | None = None
    prefix: str = ""
    explain: bool = False

    def pair(self, answers: Answers) -> Columns:
        """Where the pairs stand that ``answers`` are asked for."""
        context = (self.context or "context") if answers.terms else None
        return Columns(self.left, self.right, context, answers.terms)

    def added(self, answers: Answers) -> dict[str, type]:
        """The names of the columns that ``answers`` adds, and of which type their values are."""
        explanation = answers.explanation if self.explain else ()
        numbers = {*NUMBERS, *explanation}
        names = (*answers.columns, *explanation)
        return {self.prefix + name: float if name in numbers else str for name in names}


class Watcher(Protocol):
    """Who is told how a job goes."""

    def begin(self, reader: Reader, resumed: Position | None) -> None:
        """The input is open; work goes on at ``resumed`` where an earlier run came so far."""

    def bad_row(self, row: Row, reason: str) -> None:
        """A row cannot be scored as it stands."""

    def advance(self, position: Position, counts: Counter[str]) -> None:
        """The rows up to ``position`` are answered; ``counts`` of them have each status."""


def run(job: Job, answers: Answers, watcher: Watcher, force: bool = False) -> Counter[str]:
    """Answer the job's pairs; returns how many rows have each status.

    A row that cannot be scored is answered with its reason and does not stop the rest. Killed and run again,
    a job goes on where it was and its output is the same to the byte. An existing output is not overwritten
    unless ``force``.

    Raises:
        PairsError: the input as a whole cannot be read as pairs.
        OutputExists: there is such a file, and not ``force``; or it is the input.
        OutputUnusable: its name is a link that leads nowhere, a folder or a device, or is not to be written.
        OutputBusy: another process writes it.
        NoRoom: its disk is full.
    """
    if job.output != STANDARD:
        check_output(job.output)
    if job.output != STANDARD and job.output.exists():
        if not force:
            raise OutputExists(f"{job.output} exists. Name another output, or overwrite it with --force.")
        if job.source != STANDARD and job.output.samefile(job.source):
            raise OutputExists(
                f"{job.output} is the input too, which is not overwritten. Name another output."
            )
    if job.output == STANDARD and job.output_format is Format.PARQUET:
        raise PairsError("Parquet cannot be written to a pipe. Name an output with -o.")
    with reading(job.source, job.source_format, job.pair(answers), job.output_format) as reader:
        writer = writer_of(job, reader, answers)
        answer = _stream if job.output == STANDARD else _grow
        return answer(job, reader, writer, answers, watcher)


def writer_of(job: Job, reader: Reader, answers: Answers) -> Writer:
    """What writes the rows of ``reader`` with their answers.

    Raises:
        PairsError: a column that the job names is missing, or one that it adds is there already or cannot
            be named so.
    """
    if _CONTROL.search(job.prefix):
        raise PairsError(
            "--prefix has a line end or another control character, which no name of a column may have. "
            "Leave it out."
        )
    if job.context is not None and job.context not in reader.columns:
        raise PairsError(f"there is no column {job.context!r}, which --context names.")
    added = job.added(answers)
    taken = [name for name in added if name in reader.columns]
    if taken:
        raise PairsError(
            f"there is a column {taken[0]!r} already, which the answer needs. "
            "Put something before the names of the added columns with --prefix."
        )
    return open_writer(job.output_format, reader, added, msgspec.json.encode(answers.provenance))


def _stream(job: Job, reader: Reader, writer: Writer, answers: Answers, watcher: Watcher) -> Counter[str]:
    counts: Counter[str] = Counter()
    output: BinaryIO = sys.stdout.buffer
    watcher.begin(reader, None)
    output.write(writer.head())
    for chunk in reader.chunks():
        output.write(answered(job, reader, writer, answers, chunk, counts, watcher.bad_row))
        output.flush()
        watcher.advance(chunk.after, counts)
    output.flush()
    return counts


def _grow(job: Job, reader: Reader, writer: Writer, answers: Answers, watcher: Watcher) -> Counter[str]:
    partial = Partial(job.output, _identity(job, answers))
    try:
        start = partial.progress.position
        counts = Counter(partial.progress.counts)
        watcher.begin(reader, start)
        if not partial.resumed:
            partial.append(writer.head(), None, {})
        for chunk in reader.chunks(start):
            data = answered(job, reader, writer, answers, chunk, counts, watcher.bad_row)
            partial.append(data, chunk.after, counts)
            watcher.advance(chunk.after, counts)
        partial.publish(writer.publish)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise NoRoom(
            f"there is no room left for {job.output}. Make room: the same command goes on from here."
        ) from None
    finally:
        partial.close()
    return counts


def answered(
    job: Job,
    reader: Reader,
    writer: Writer,
    answers: Answers,
    chunk: Chunk,
    counts: Counter[str],
    bad_row: Callable[[Row, str], None],
) -> bytes:
    """The rows of a chunk, each with its answer, as the output has them.

    ``counts`` gains how many rows have each status; ``bad_row`` is told of each that cannot be scored as it
    stands.
    """
    added = job.added(answers)
    columns_read = frozenset(reader.columns)
    reasons = [row.error or _misfit(added, columns_read, reader, writer, row) for row in chunk.rows]
    good = [row for row, reason in zip(chunk.rows, reasons, strict=True) if reason is None]
    answered = iter(answers.of(good, job.explain))
    columns: list[Sequence[Any]] = []
    status_at, error_at = answers.columns.index("status"), answers.columns.index("error")
    unit = "row" if job.source_format is Format.PARQUET else "line"
    for row, reason in zip(chunk.rows, reasons, strict=True):
        if reason is not None:
            # What could not be read is not in the output: its place in the input leads back to it.
            status: str = "invalid"
            answer: list[Any] = [None] * len(added)
            answer[status_at], answer[error_at] = status, f"{unit} {row.line}: {reason}"
            bad_row(row, reason)
        else:
            status, answer = next(answered)
            if status == "invalid":
                bad_row(row, answer[error_at])
        counts[status] += 1
        columns.append(answer)
    return writer.encode(chunk, columns)


def _misfit(
    added: Mapping[str, type], columns: Set[str], reader: Reader, writer: Writer, row: Row
) -> str | None:
    """Why the output cannot hold ``row``: only rows of an input whose rows differ can be such."""
    if reader.uniform:
        return None
    taken = next((name for name in added if name in row.record), None)
    if taken is not None:
        return f"has a key {taken!r}, which the answer needs"
    if writer.tabular:
        extra = next((name for name in row.record if name not in columns), None)
        if extra is not None:
            return f"has a key {extra!r}, which the first object has not"
    return None


def _identity(job: Job, answers: Answers) -> str:
    """What has to be the same for an earlier run to be gone on with. A pipe is never the same."""
    if job.source == STANDARD:
        return uuid.uuid4().hex
    source = job.source.stat()
    facts = [
        str(job.source.resolve()),
        source.st_size,
        source.st_mtime_ns,
        *map(str, (job.source_format, job.output_format, job.left, job.right, job.prefix, job.explain)),
        job.context,
        *answers.identity(),
        version("wort-server"),
    ]
    return hashlib.blake2b(msgspec.json.encode(facts), digest_size=16).hexdigest()
