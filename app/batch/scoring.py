"""Files of pairs to files of results, in constant memory."""

from __future__ import annotations

import errno
import hashlib
import re
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from app.batch.files.delimited import Decimal
from app.batch.files.formats import STANDARD, TABLES, Format, open_writer, reading
from app.batch.files.rows import GROUP, ROWS, FileChunk, PairCells, PairRow, Position, Reader, written
from app.batch.partial import Partial
from app.batch.results import NUMBERS, RowScorer
from app.errors import NoRoom, OutputExists, PairsError
from app.outputs import check_output
from wort.schemas.naming import quoted

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class ScoringJob:
    """What to score and where to put it.

    ``context``: the column that says what two terms are about; None reads ``context`` where there is one.
    ``prefix`` stands before the name of each added column. ``header``: whether the first row of a table names
    its columns; without it, ``left`` and ``right`` are what the first two are called. ``decimal``: the sign
    of decimals in the numbers that are added to a table. ``chunk_rows``: rows that are read and written in
    one go, at most; ``group_rows``: those of a row group of Parquet.
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
    header: bool = True
    decimal: Decimal = "."
    chunk_rows: int = ROWS
    group_rows: int = GROUP

    def pair(self, scorer: RowScorer) -> PairCells:
        """Where the pairs stand that ``scorer`` scores."""
        context = (self.context or "context") if scorer.terms else None
        return PairCells(self.left, self.right, context, scorer.terms, self.header)

    def added(self, scorer: RowScorer) -> dict[str, type]:
        """The names of the columns that ``scorer`` adds, and of which type their values are."""
        explanation = scorer.explanation if self.explain else ()
        numbers = {*NUMBERS, *explanation}
        names = (*scorer.columns, *explanation)
        return {self.prefix + name: float if name in numbers else str for name in names}


class Watcher(Protocol):
    """Who is told how a job goes."""

    def begin(self, reader: Reader, resumed: Position | None) -> None:
        """The input is open; work goes on at ``resumed`` where an earlier run came so far."""

    def bad_row(self, row: PairRow, reason: str) -> None:
        """A row cannot be scored as it stands."""

    def advance(self, position: Position, counts: Counter[str]) -> None:
        """The rows up to ``position`` are scored; ``counts`` of them have each status."""


def run(job: ScoringJob, scorer: RowScorer, watcher: Watcher, force: bool = False) -> Counter[str]:
    """Score the job's pairs; returns how many rows have each status.

    A row that cannot be scored gets its reason and does not stop the rest. Killed and run again,
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
        check_output(provenance_path(job.output))
        if job.output.exists() and not force:
            raise OutputExists(f"{job.output} exists. Name another output, or overwrite it with --force.")
        if job.output.exists() and job.source != STANDARD and job.output.samefile(job.source):
            raise OutputExists(
                f"{job.output} is the input too, which is not overwritten. Name another output."
            )
    elif job.output_format is Format.PARQUET:
        raise PairsError("Parquet cannot be written to a pipe. Name an output with -o.")
    with reading(job.source, job.source_format, job.pair(scorer), job.output_format) as reader:
        work = FileScoring(job, reader, scorer, watcher.bad_row)
        return _stream(work, watcher) if job.output == STANDARD else _grow(work, watcher)


class FileScoring:
    """The rows of an open input, with their results in the form of the output.

    ``counts``: how many rows have each status so far; ``bad_row`` is told of each that cannot be scored as it
    stands.
    """

    def __init__(
        self,
        job: ScoringJob,
        reader: Reader,
        scorer: RowScorer,
        bad_row: Callable[[PairRow, str], None] = lambda *_: None,
    ) -> None:
        """Check that the output can hold the columns of ``reader`` and those that ``scorer`` adds.

        Raises:
            PairsError: a column that the job names is missing, or one that it adds is there already or cannot
                be named so.
        """
        if job.decimal != "." and job.output_format not in TABLES:
            raise PairsError("--decimal is for tables: numbers of other formats have one form. Leave it out.")
        if _CONTROL.search(job.prefix):
            raise PairsError(
                "--prefix has a line end or another control character, which no name of a column may have. "
                "Leave it out."
            )
        if job.context is not None and written(job.context, reader.columns) is None:
            raise PairsError(f"there is no column {job.context!r}, which --context names.")
        added = job.added(scorer)
        taken = [name for name in added if name in reader.columns]
        if taken:
            raise PairsError(
                f"there is a column “{taken[0]}” already, which the answer needs. "
                "Put something before the names of the added columns with --prefix."
            )
        provenance = msgspec.json.encode(scorer.provenance)
        self.job, self.reader, self.scorer = job, reader, scorer
        sent = job.output == STANDARD
        self.writer = open_writer(
            job.output_format, reader, added, provenance, job.group_rows, sent, job.decimal
        )
        self.counts: Counter[str] = Counter()
        self._bad_row, self._added, self._columns = bad_row, added, frozenset(reader.columns)

    def scored(self, chunk: FileChunk) -> bytes:
        """The rows of a chunk, each with its result, as the output has them."""
        reasons = [row.error or self._misfit(row) for row in chunk.rows]
        good = [row for row, reason in zip(chunk.rows, reasons, strict=True) if reason is None]
        scored = iter(self.scorer.of(good, self.job.explain))
        results: list[Sequence[Any]] = []
        columns = self.scorer.columns
        status_at, error_at = columns.index("status"), columns.index("error")
        unit = "row" if self.job.source_format is Format.PARQUET else "line"
        for row, reason in zip(chunk.rows, reasons, strict=True):
            if reason is not None:
                status: str = "invalid"
                values: list[Any] = [None] * len(self._added)
                values[status_at], values[error_at] = status, f"{unit} {row.line}{_unread(row)}: {reason}"
                self._bad_row(row, reason)
            else:
                status, values = next(scored)
                if status == "invalid":
                    self._bad_row(row, values[error_at])
            self.counts[status] += 1
            results.append(values)
        return self.writer.encode(chunk, results)

    def _misfit(self, row: PairRow) -> str | None:
        """Why the output cannot hold ``row``: only rows of an input whose rows differ can be such."""
        if self.reader.uniform:
            return None
        taken = next((name for name in self._added if name in row.record), None)
        if taken is not None:
            return f"has a key {taken!r}, which the answer needs"
        if self.writer.tabular:
            extra = next((name for name in row.record if name not in self._columns), None)
            if extra is not None:
                return f"has a key {extra!r}, which the first object has not"
        return None


def _unread(row: PairRow) -> str:
    """What a row that cannot be scored holds, where the columns of the output do not have all of it."""
    # One without an error of its own was read, and does not fit the columns.
    unread = row.unread if row.error is not None else msgspec.json.encode(row.record).decode()
    return "" if unread is None else f", {quoted(unread)}"


def _stream(work: FileScoring, watcher: Watcher) -> Counter[str]:
    output: BinaryIO = sys.stdout.buffer
    watcher.begin(work.reader, None)
    output.write(work.writer.head())
    for chunk in work.reader.chunks(rows=work.job.chunk_rows):
        output.write(work.scored(chunk))
        output.flush()
        watcher.advance(chunk.after, work.counts)
    output.flush()
    return work.counts


def _grow(work: FileScoring, watcher: Watcher) -> Counter[str]:
    partial = Partial(work.job.output, _identity(work.job, work.scorer))
    try:
        start = partial.progress.position
        work.counts.update(partial.progress.counts)
        watcher.begin(work.reader, start)
        if not partial.resumed:
            partial.append(work.writer.head(), None, {})
        for chunk in work.reader.chunks(start, work.job.chunk_rows):
            partial.append(work.scored(chunk), chunk.after, work.counts)
            watcher.advance(chunk.after, work.counts)
        if not work.writer.tells:
            _tell(work)
        partial.publish(work.writer.publish)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise NoRoom(
            f"there is no room left for {work.job.output}. Make room: the same command goes on from here."
        ) from None
    finally:
        partial.close()
    return work.counts


def provenance_path(output: Path) -> Path:
    """The file beside an output that says what it rests on."""
    return output.with_name(f"{output.name}.provenance.json")


def _tell(work: FileScoring) -> None:
    """Write beside the output what its format has no place for: what scored it, and how many rows."""
    path = provenance_path(work.job.output)
    facts = msgspec.to_builtins(work.scorer.provenance)
    facts |= {"rows": dict(work.counts), "wort": version("wort-server")}
    grown = path.with_name(f"{path.name}.new")
    grown.write_bytes(msgspec.json.format(msgspec.json.encode(facts), indent=2) + b"\n")
    grown.replace(path)


def _identity(job: ScoringJob, scorer: RowScorer) -> str:
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
        job.header,
        job.decimal,
        *scorer.identity,
        version("wort-server"),
    ]
    return hashlib.blake2b(msgspec.json.encode(facts), digest_size=16).hexdigest()
