"""The words of titles, on which the word-level features compare concepts."""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import Path

import pyarrow as pa

from building.vocabulary import Vocabulary
from snapshots.text import words

TITLE_WORDS = pa.schema([("concept", pa.int32()), ("word", pa.int32())])
"""One row for each word of each title: its id, or -1 for a word without one."""


def title_words(title: str, stop_words: Set[str]) -> list[str]:
    """The different words of a title, in order, what stands in parentheses included.

    Stop words are dropped unless nothing remains ("The Who").

    >>> title_words("The War of the Worlds (1953 film)", {"the", "of"})
    ['war', 'worlds', '1953', 'film']
    >>> title_words("The The", {"the"})
    ['the']
    """
    distinct = list(dict.fromkeys(words(title)))
    return [word for word in distinct if word not in stop_words] or distinct


def encode_titles(
    batches: Iterator[pa.RecordBatch], vocabulary: Path, stop_words: Set[str]
) -> Iterator[pa.RecordBatch]:
    """Map (concept, page_id, title) to ``TITLE_WORDS``."""
    ids = Vocabulary(vocabulary)
    for batch in batches:
        concepts: list[int] = []
        word_ids: list[int] = []
        for row in batch.to_pylist():
            numbers = [ids.id(word) for word in title_words(row["title"], stop_words)]
            concepts += [row["concept"]] * len(numbers)
            word_ids += numbers
        yield pa.record_batch([concepts, word_ids], TITLE_WORDS)
