"""Word co-occurrence: in how many sentences two of the most frequent words stand together.

Only pairs that co-occur more often than chance would have them are kept, since positive PMI is 0 for all
others: n(x,y) · S > n(x) · n(y), with S the number of sentences. Stop words have no pairs: a word that
stands nearly everywhere has a positive PMI near 0 with any other.

The counts are the upper half of AᵀA, where A has a row a sentence and a column a word. They are worked out
row by row (Gustavson 1978), from A and Aᵀ as mapped files, so that memory grows with the vocabulary alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from building.arrays import create_array, save_array
from building.corpus import encoded_articles
from building.dataset import read_batches
from building.engines.runner import Task
from building.ranges import range_task, ranges
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from building.vocabulary import Vocabulary, read_counts
from jit.compiled import compiled
from measures.arrays import Array, boundaries
from snapshots.arrays import map_array

_PAIRS = pa.schema([("word", pa.int32()), ("other", pa.int32()), ("sentences", pa.int32())])
_TASKS = 64
ENTRIES_IN_A_BATCH = 1 << 20


def run(build: Build, entries_in_a_batch: int = ENTRIES_IN_A_BATCH) -> None:
    """Write ``word_pairs``."""
    folder, words = build.folder("word_pairs"), build.folder("words")
    vocabulary = Vocabulary(words)
    totals = read_counts(words)
    # The sizes of the rows of Aᵀ: the sentences with each word that has pairs, 0 for a stop word.
    paired = np.where(vocabulary.stop_words(build.siteinfo.language), 0, vocabulary.counts)
    paired = paired[: build.settings.vocabulary]
    save_array(folder / "paired.npy", paired)
    _save_incidence(words / "corpus", folder, paired, totals.sentences)

    minimum = build.settings.minimum_pair_sentences
    count = partial(_count, folder=folder, total=totals.sentences, minimum=minimum, room=entries_in_a_batch)
    build.map(count, list(_ranges(paired)), folder / "pairs", _PAIRS, shown=True)
    csr_from_dataset(folder / "pairs", folder, "word_pairs", (totals.words, totals.words), np.int32)


STAGE = Stage(
    "word_pairs", ("words",), run, ("vocabulary", "minimum_pair_sentences"), label="Counting pairs of words"
)


def _save_incidence(corpus: Path, folder: Path, paired: NDArray[np.int64], sentences: int) -> None:
    """Write A and Aᵀ: the words of each sentence, ascending, and the sentences of each word."""
    entries = int(paired.sum())
    starts = boundaries(paired)
    save_array(folder / "word_starts.npy", starts)
    sentence_starts = create_array(folder / "sentence_starts.npy", np.int64, (sentences + 1,))
    sentence_words = create_array(folder / "sentence_words.npy", np.int32, (entries,))
    word_sentences = create_array(folder / "word_sentences.npy", np.int32, (entries,))
    next_places = starts[:-1].copy()
    sentence = 0
    incidence = (sentence_starts, sentence_words, word_sentences)
    for articles in encoded_articles(read_batches(corpus)):
        _add_sentences(articles.words, articles.sentences, sentence, paired, next_places, incidence)
        sentence += len(articles.sentences)


@compiled
def _add_sentences(
    words: Array,
    lengths: Array,
    first: int,
    paired: Array,
    next_places: Array,
    incidence: tuple[Array, Array, Array],
) -> None:
    """Add consecutive sentences, numbered from ``first``, to A and Aᵀ."""
    sentence_starts, sentence_words, word_sentences = incidence
    start = 0
    entry = sentence_starts[first]
    for number in range(len(lengths)):
        end = start + lengths[number]
        last = -1
        for word in np.sort(words[start:end]):
            if word != last and word < len(paired) and paired[word] > 0:
                sentence_words[entry] = word
                entry += 1
                word_sentences[next_places[word]] = first + number
                next_places[word] += 1
            last = word
        sentence_starts[first + number + 1] = entry
        start = end


def _ranges(paired: NDArray[np.int64]) -> Iterator[Task]:
    """Tasks that cover the words, each a (start, end) with about the same number of entries."""
    ends = np.searchsorted(np.cumsum(paired), np.linspace(0, paired.sum(), _TASKS + 1))
    ends[0], ends[-1] = 0, len(paired)
    for start, end in pairwise(ends.tolist()):
        if start < end:
            yield range_task(start, end, int(paired[start:end].sum()))


def _count(
    batches: Iterator[pa.RecordBatch], folder: Path, total: int, minimum: int, room: int
) -> Iterator[pa.RecordBatch]:
    """Map ranges of words to (word, other, sentences with both), in order."""
    paired = map_array(folder / "paired.npy")
    names = ("word_starts", "word_sentences", "sentence_starts", "sentence_words")
    incidence = tuple(map_array(folder / f"{name}.npy") for name in names)
    both = np.zeros(len(paired), np.int32)
    pairs = tuple(np.empty(room + len(paired), np.int32) for _ in range(3))
    for start, end in ranges(batches):
        word = start
        while word < end:
            word, size = _pairs(word, end, incidence, paired, total, minimum, both, pairs)
            yield pa.record_batch([column[:size] for column in pairs], _PAIRS)


@compiled
def _pairs(
    start: int,
    end: int,
    incidence: tuple[Array, ...],
    paired: Array,
    total: int,
    minimum: int,
    both: Array,
    found: tuple[Array, ...],
) -> tuple[int, int]:
    """Fill ``found`` with the pairs of the words from ``start`` on.

    Returns the first word not done, for lack of room or because it is ``end``, and the number of pairs.
    ``both`` is zero before and after.
    """
    word_starts, word_sentences, sentence_starts, sentence_words = incidence
    others = np.empty(len(paired), np.int32)
    size = 0
    for word in range(start, end):
        if size + len(paired) > len(found[0]):
            return word, size
        reached = 0
        for place in range(word_starts[word], word_starts[word + 1]):
            sentence = word_sentences[place]
            entry = sentence_starts[sentence + 1] - 1
            while sentence_words[entry] > word:
                other = sentence_words[entry]
                if both[other] == 0:
                    others[reached] = other
                    reached += 1
                both[other] += 1
                entry -= 1
        for other in np.sort(others[:reached]):
            together = np.int64(both[other])
            if together >= minimum and together * total > paired[word] * paired[other]:
                found[0][size], found[1][size], found[2][size] = word, other, together
                size += 1
            both[other] = 0
    return end, size
