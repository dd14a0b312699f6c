"""Files of pairs that are at hand only once: their rows with the results, as bytes, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from app.batch.files.formats import Format, sent_reader
from app.batch.files.parquet_bounds import checked
from app.batch.files.rows import FileChunk, PairRow, Reader
from app.batch.results import RowScorer
from app.batch.scoring import FileScoring, ScoringJob

Batches = Callable[[Sequence[PairRow]], Iterator[Sequence[PairRow]]]
"""Cuts rows into those that are scored in one go."""


def rows_of(file: BinaryIO, job: ScoringJob, scorer: RowScorer, most: int) -> Iterator[int]:
    """How many rows ``file`` has: the numbers of those that were read in one go, one after another.

    ``most``: bytes that it may have, and that may become of it.

    Raises:
        PairsError: the file as a whole cannot be read as pairs.
        FileTooLarge: it unfolds to more than it may.
    """
    if job.source_format is Format.PARQUET:
        yield from (0 for _ in checked(file, most))
    for chunk in _reader(file, job, scorer, most).chunks():
        yield len(chunk.rows)


def scored(
    file: BinaryIO, job: ScoringJob, scorer: RowScorer, batches: Batches, most: int
) -> Iterator[bytes]:
    """The rows of ``file`` with their results, in the form of the output, from the head on.

    A row that cannot be scored gets its reason, as ``app.batch.scoring.run`` has it. To be asked once
    ``rows_of`` has read the file.

    Raises:
        PairsError: the file as a whole cannot be read as pairs.
    """
    work = FileScoring(job, _reader(file, job, scorer, most), scorer)
    head = work.writer.head()
    for chunk in work.reader.chunks():
        if not chunk.rows:  # others have their turn, while blank lines are passed over
            yield head
            head = b""
        at = 0
        for rows in batches(chunk.rows):
            typed = chunk.record_batch
            part = None if typed is None else typed.slice(at, len(rows))
            yield head + work.scored(FileChunk(list(rows), chunk.after, part))
            head = b""
            at += len(rows)
    yield head + work.writer.foot()


def _reader(file: BinaryIO, job: ScoringJob, scorer: RowScorer, most: int) -> Reader:
    file.seek(0)
    return sent_reader(file, job.source_format, job.pair(scorer), job.output_format, most)
