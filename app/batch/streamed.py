"""Files of pairs that are at hand only once: their rows with the answers, as bytes, a slice at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from app.batch.batch import Job, answered, writer_of
from app.batch.files.formats import reader_of
from app.batch.files.rows import Chunk, Row
from app.batch.results import Answers

Slices = Callable[[Sequence[Row]], Iterator[Sequence[Row]]]
"""Cuts rows into those that are scored in one go."""


def rows_of(file: BinaryIO, job: Job, answers: Answers) -> Iterator[int]:
    """How many rows ``file`` has: the numbers of those that were read in one go, one after another.

    Raises:
        PairsError: the file as a whole cannot be read as pairs.
    """
    file.seek(0)
    for chunk in reader_of(file, job.source_format, job.pair(answers)).chunks():
        yield len(chunk.rows)


def scored(file: BinaryIO, job: Job, answers: Answers, slices: Slices) -> Iterator[bytes]:
    """The rows of ``file`` with their answers, in the form of the output, from the head on.

    A row that cannot be scored is answered with its reason, as ``app.batch.batch.run`` does.

    Raises:
        PairsError: the file as a whole cannot be read as pairs.
    """
    file.seek(0)
    reader = reader_of(file, job.source_format, job.pair(answers))
    writer = writer_of(job, reader, answers)
    counts: Counter[str] = Counter()
    piece = writer.head()
    for chunk in reader.chunks():
        if not chunk.rows:  # others have their turn, while blank lines are passed over
            yield piece
            piece = b""
        for rows in slices(chunk.rows):
            some = Chunk(list(rows), chunk.after)
            yield piece + answered(job, reader, writer, answers, some, counts, lambda *_: None)
            piece = b""
    yield piece
