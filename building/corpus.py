"""The encoded corpus: every article as the ids of its words, read by all stages that count words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from measures.arrays import boundaries

CORPUS = pa.schema(
    [("concept", pa.int32()), ("words", pa.list_(pa.int32())), ("sentences", pa.list_(pa.int32()))]
)
"""One row an article: its words' ids in order, those without an id left out, and the number of ids in each
of its sentences, which is 0 for a sentence of unknown words."""


@dataclass(frozen=True, slots=True)
class EncodedArticles:
    """Some rows of the corpus, one after another.

    ``concepts`` int32[n]; ``words`` int32[all words]; ``lengths`` int64[n], the words of each article;
    ``sentences`` int32[all sentences], the words of each sentence.
    """

    concepts: NDArray[np.int32]
    words: NDArray[np.int32]
    lengths: NDArray[np.int64]
    sentences: NDArray[np.int32]


def encoded_articles(batches: Iterator[pa.RecordBatch]) -> Iterator[EncodedArticles]:
    """The articles of the corpus, as many at a time as a batch has."""
    for batch in batches:
        words: Any = batch.column("words")
        yield EncodedArticles(
            concepts=batch.column("concept").to_numpy(),
            words=words.flatten().to_numpy(),
            lengths=np.asarray(words.value_lengths().to_numpy(), np.int64),
            sentences=batch.column("sentences").flatten().to_numpy(),
        )


def corpus_batch(
    concepts: NDArray[np.int32],
    words: tuple[NDArray[np.int32], NDArray[np.int64]],
    sentences: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> pa.RecordBatch:
    """A batch of the corpus.

    ``words``: the word ids of all articles one after another, and how many each article has; ``sentences``:
    how many of them each sentence has, and the number of sentences of each article.
    """
    return pa.record_batch([concepts, _lists(*words), _lists(*sentences)], schema=CORPUS)


def _lists(values: NDArray[Any], lengths: NDArray[np.int64]) -> pa.ListArray:
    return pa.ListArray.from_arrays(boundaries(lengths).astype(np.int32), values.astype(np.int32))
