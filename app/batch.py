"""Files of pairs to files of answers, in constant memory."""

from __future__ import annotations

import errno
import hashlib
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from app.errors import NoRoom, OutputExists, PairsError
from app.files.formats import STANDARD, Format, open_writer, reading
from app.files.rows import Chunk, Position, Reader, Row, Writer
from app.partial import Partial
from app.schema import PairResult, Side
from app.scoring import Scorer
from features.catalogue import FEATURE_NAMES

ANSWER = ("score", "status", "left_title", "right_title", "error")
"""The columns that are added to each row."""

EXPLANATION = (
    *FEATURE_NAMES,
    "intercept",
    *(f"{name} contribution" for name in FEATURE_NAMES),
    "raw",
)
"""Those that are added where an explanation is asked for."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to score and where to put it. ``prefix`` stands before the name of each added column."""

    source: Path
    output: Path
    source_format: Format
    output_format: Format
    left: str = "left"
    right: str = "right"
    prefix: str = ""
    explain: bool = False

    @property
    def added(self) -> dict[str, type]:
        """The names of the added columns, and of which type their values are."""
        names = (*ANSWER, *(EXPLANATION if self.explain else ()))
        return {self.prefix + name: str if name in ANSWER[1:] else float for name in names}


class Watcher(Protocol):
    """Who is told how a job goes."""

    def begin(self, reader: Reader, resumed: Position | None) -> None:
        """The input is open; work goes on at ``resumed`` where an earlier run came so far."""

    def bad_row(self, row: Row, reason: str) -> None:
        """A row cannot be scored as it stands."""

    def advance(self, position: Position, counts: Counter[str]) -> None:
        """The rows up to ``position`` are answered; ``counts`` of them have each status."""


def run(job: Job, scorer: Scorer, watcher: Watcher, force: bool = False) -> Counter[str]:
    """Score the job's pairs; returns how many rows have each status.

    A row that cannot be scored is answered with its reason and does not stop the rest. Killed and run again,
    a job goes on where it was and its output is the same to the byte. An existing output is not overwritten
    unless ``force``.

    Raises:
        PairsError: the input as a whole cannot be read as pairs.
        OutputExists: there is such a file, and not ``force``; or it is the input.
        OutputBusy: another process writes it.
        NoRoom: its disk is full.
    """
    if job.output != STANDARD and job.output.exists():
        if not force:
            raise OutputExists(f"{job.output} exists. Name another output, or overwrite it with --force.")
        if job.source != STANDARD and job.output.samefile(job.source):
            raise OutputExists(
                f"{job.output} is the input too, which is not overwritten. Name another output."
            )
    if job.output == STANDARD and job.output_format is Format.PARQUET:
        raise PairsError("Parquet cannot be written to a pipe. Name an output with -o.")
    with reading(job.source, job.source_format, job.left, job.right, job.output_format) as reader:
        taken = [name for name in job.added if name in reader.columns]
        if taken:
            raise PairsError(
                f"there is a column {taken[0]!r} already, which the answer needs. "
                "Put something before the names of the added columns with --prefix."
            )
        writer = open_writer(job.output_format, reader, job.added)
        answer = _stream if job.output == STANDARD else _grow
        return answer(job, reader, writer, scorer, watcher)


def _stream(job: Job, reader: Reader, writer: Writer, scorer: Scorer, watcher: Watcher) -> Counter[str]:
    counts: Counter[str] = Counter()
    output: BinaryIO = sys.stdout.buffer
    watcher.begin(reader, None)
    output.write(writer.head())
    for chunk in reader.chunks():
        output.write(_answer(job, reader, writer, scorer, chunk, counts, watcher.bad_row))
        output.flush()
        watcher.advance(chunk.after, counts)
    output.flush()
    return counts


def _grow(job: Job, reader: Reader, writer: Writer, scorer: Scorer, watcher: Watcher) -> Counter[str]:
    partial = Partial(job.output, _identity(job, scorer))
    try:
        start = partial.progress.position
        counts = Counter(partial.progress.counts)
        watcher.begin(reader, start)
        if not partial.resumed:
            partial.append(writer.head(), None, {})
        for chunk in reader.chunks(start):
            data = _answer(job, reader, writer, scorer, chunk, counts, watcher.bad_row)
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


def _answer(
    job: Job,
    reader: Reader,
    writer: Writer,
    scorer: Scorer,
    chunk: Chunk,
    counts: Counter[str],
    bad_row: Callable[[Row, str], None],
) -> bytes:
    reasons = [row.error or _misfit(job, reader, writer, row) for row in chunk.rows]
    pairs = [(row.left, row.right) for row, reason in zip(chunk.rows, reasons, strict=True) if reason is None]
    results = iter(scorer.score(pairs, explain=job.explain, features=job.explain, suggest=0, candidates=None))
    answers: list[Sequence[Any]] = []
    width = len(job.added)
    unit = "row" if job.source_format is Format.PARQUET else "line"
    for row, reason in zip(chunk.rows, reasons, strict=True):
        if reason is not None:
            # What could not be read is not in the output: its place in the input leads back to it.
            status, answer = "invalid", _failure(f"{unit} {row.line}: {reason}", width)
            bad_row(row, reason)
        else:
            result = next(results)
            status, answer = result.status, _columns(result, job.explain)
            if status == "invalid":
                bad_row(row, answer[len(ANSWER) - 1])
        counts[status] += 1
        answers.append(answer)
    return writer.encode(chunk, answers)


def _misfit(job: Job, reader: Reader, writer: Writer, row: Row) -> str | None:
    """Why the output cannot hold ``row``: only rows of an input whose rows differ can be such."""
    if reader.uniform:
        return None
    taken = next((name for name in job.added if name in row.record), None)
    if taken is not None:
        return f"has a key {taken!r}, which the answer needs"
    if writer.tabular:
        extra = next((name for name in row.record if name not in reader.columns), None)
        if extra is not None:
            return f"has a key {extra!r}, which the first object has not"
    return None


def _columns(result: PairResult, explain: bool) -> list[Any]:
    sides = (("left", result.left), ("right", result.right))
    trouble = "; ".join(f"{name} {_trouble(side)}" for name, side in sides if side.status != "ok")
    titles = [side.title if side.status == "ok" else None for _, side in sides]
    answer = [result.score, result.status, *titles, trouble or None]
    if not explain:
        return answer
    if result.explanation is None or result.features is None:
        return [*answer, *[None] * len(EXPLANATION)]
    explanation = result.explanation
    contributions = [entry.contribution for entry in explanation.contributions]
    return [*answer, *result.features.values(), explanation.intercept, *contributions, explanation.raw]


def _trouble(side: Side) -> str:
    asked = repr(side.asked)
    if side.status == "ambiguous":
        return f"{asked} may mean {' or '.join(map(repr, side.candidates)) or 'several articles'}"
    if side.status == "invalid":
        return f"{asked} cannot be a title"
    return f"{asked} is no concept of the snapshot"


def _failure(reason: str, width: int) -> list[Any]:
    answer: list[Any] = [None] * width
    answer[ANSWER.index("status")] = "invalid"
    answer[ANSWER.index("error")] = reason
    return answer


def _identity(job: Job, scorer: Scorer) -> str:
    """What has to be the same for an earlier run to be gone on with. A pipe is never the same."""
    if job.source == STANDARD:
        return uuid.uuid4().hex
    source = job.source.stat()
    facts = [
        str(job.source.resolve()),
        source.st_size,
        source.st_mtime_ns,
        *map(str, (job.source_format, job.output_format, job.left, job.right, job.prefix, job.explain)),
        scorer.snapshot.id,
        scorer.model,
        version("wort"),
    ]
    return hashlib.blake2b(msgspec.json.encode(facts), digest_size=16).hexdigest()
