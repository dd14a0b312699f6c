"""Files of pairs that are at hand only once: their rows with the results, as bytes, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from app.batch.files.formats import reader_of
from app.batch.files.rows import FileChunk, PairRow
from app.batch.results import RowScorer
from app.batch.scoring import FileScoring, ScoringJob

Batches = Callable[[Sequence[PairRow]], Iterator[Sequence[PairRow]]]
"""Cuts rows into those that are scored in one go."""


def rows_of(file: BinaryIO, job: ScoringJob, scorer: RowScorer) -> Iterator[int]:
    """How many rows ``file`` has: the numbers of those that were read in one go, one after another.

    Raises:
        PairsError: the file as a whole cannot be read as pairs.
    """
    file.seek(0)
    for chunk in reader_of(file, job.source_format, job.pair(scorer)).chunks():
        yield len(chunk.rows)


def scored(file: BinaryIO, job: ScoringJob, scorer: RowScorer, batches: Batches) -> Iterator[bytes]:
    """The rows of ``file`` with their results, in the form of the output, from the head on.

    A row that cannot be scored gets its reason, as ``app.batch.scoring.run`` has it.

    Raises:
        PairsError: the file as a whole cannot be read as pairs.
    """
    file.seek(0)
    work = FileScoring(job, reader_of(file, job.source_format, job.pair(scorer)), scorer)
    head = work.writer.head()
    for chunk in work.reader.chunks():
        if not chunk.rows:  # others have their turn, while blank lines are passed over
            yield head
            head = b""
        for rows in batches(chunk.rows):
            yield head + work.scored(FileChunk(list(rows), chunk.after))
            head = b""
    yield head
