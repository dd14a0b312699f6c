"""Articles cut into words once, for counting the words first and encoding them by their rank after that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from building.articles import articles
from building.corpus import corpus_batch
from building.vocabulary import Vocabulary
from jit.compiled import compiled
from measures.arrays import boundaries
from snapshots.text import sentences, words

CUT = pa.schema(
    [
        ("concept", pa.int32()),
        ("vocabulary", pa.list_(pa.string())),
        ("words", pa.list_(pa.int32())),
        ("sentences", pa.list_(pa.int32())),
    ]
)
"""One row an article: its different words, the places among them of its words in order, and the number of
words in each of its sentences that has any."""

COUNTS = pa.schema([("word", pa.string()), ("documents", pa.int64()), ("sentences", pa.int64())])
"""Articles and sentences with a word; a word comes up once for each batch that was counted."""


def cut_articles(batches: Iterator[pa.RecordBatch], page_ids: Path) -> Iterator[pa.RecordBatch]:
    """Map pages to ``CUT``."""
    for batch in batches:
        rows: list[list[Any]] = [[], [], [], []]
        for article in articles(iter([batch]), page_ids):
            cut = (words(sentence) for paragraph in article.paragraphs for sentence in sentences(paragraph))
            word_lists = [sentence for sentence in cut if sentence]
            lengths = np.fromiter(map(len, word_lists), np.int32, len(word_lists))
            places: defaultdict[str, int] = defaultdict()
            places.default_factory = places.__len__
            tokens = map(places.__getitem__, chain.from_iterable(word_lists))
            rows[0].append(article.concept)
            rows[2].append(np.fromiter(tokens, np.int32, lengths.sum()))
            rows[1].append(list(places))
            rows[3].append(lengths)
        yield pa.record_batch(rows, CUT)


def count_words(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Map ``CUT`` to ``COUNTS``."""
    for cut in map(_opened, batches):
        yield pa.record_batch(
            [
                cut.vocabulary,
                segments_with_each(cut.words, cut.lengths, len(cut.vocabulary)),
                segments_with_each(cut.words, cut.sentences, len(cut.vocabulary)),
            ],
            schema=COUNTS,
        )


def encode_articles(batches: Iterator[pa.RecordBatch], vocabulary: Path) -> Iterator[pa.RecordBatch]:
    """Map ``CUT`` to ``building.corpus.CORPUS``, with the ids of the words stage's folder ``vocabulary``."""
    known = Vocabulary(vocabulary)
    for batch in batches:
        cut = _opened(batch)
        ids = np.array([known.id(word) for word in cut.vocabulary.to_pylist()], np.int32)[cut.words]
        kept = ids >= 0
        kept_before = boundaries(kept)
        yield corpus_batch(
            cut.concepts,
            (ids[kept], np.diff(kept_before[boundaries(cut.lengths)])),
            (np.diff(kept_before[boundaries(cut.sentences)]), cut.sentence_counts),
        )


@dataclass(frozen=True, slots=True)
class _Opened:
    """A batch of ``CUT`` with one vocabulary: the articles' ``words``, one after another, are places in it.

    ``lengths`` and ``sentence_counts``: the words and the sentences of each article; ``sentences``: the words
    of each sentence.
    """

    concepts: NDArray[np.int32]
    vocabulary: pa.StringArray
    words: NDArray[np.int32]
    lengths: NDArray[np.int64]
    sentences: NDArray[np.int64]
    sentence_counts: NDArray[np.int64]


def _opened(batch: pa.RecordBatch) -> _Opened:
    strings, words, sentences = (batch.column(name) for name in ("vocabulary", "words", "sentences"))
    joined = strings.flatten().dictionary_encode()
    starts = boundaries(strings.value_lengths().to_numpy())[:-1]
    lengths = words.value_lengths().to_numpy().astype(np.int64)
    return _Opened(
        concepts=batch.column("concept").to_numpy(),
        vocabulary=joined.dictionary,
        words=joined.indices.to_numpy()[words.flatten().to_numpy() + np.repeat(starts, lengths)],
        lengths=lengths,
        sentences=sentences.flatten().to_numpy().astype(np.int64),
        sentence_counts=sentences.value_lengths().to_numpy().astype(np.int64),
    )


@compiled
def segments_with_each(
    tokens: NDArray[np.int32], lengths: NDArray[np.int64], words: int
) -> NDArray[np.int64]:
    """For each word below ``words``: how many of the consecutive segments of ``tokens`` have it.

    ``lengths`` int64[segments] sums to the number of tokens.
    """
    counts = np.zeros(words, np.int64)
    last = np.full(words, -1, np.int64)
    start = 0
    for segment in range(len(lengths)):
        end = start + lengths[segment]
        for place in range(start, end):
            word = tokens[place]
            if last[word] != segment:
                last[word] = segment
                counts[word] += 1
        start = end
    return counts
