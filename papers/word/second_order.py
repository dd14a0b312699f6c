"""Word-level second-order PMI: two words are alike if they co-occur with the same words.

A word's vector holds its positive PMI with every other word of the vocabulary, counted in sentences; two
words are as related as the cosine of their vectors, and titles as their words' best-match average, as for
PMI1 and W2V. WORT tried it and left it out, since it added nothing beside W2V (section 4.1); so it is no
feature, and is computed here to be compared with.

Source: Bullinaria & Levy 2007, positive PMI and cosine.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

import measures
from features import kernels
from features.filling import title_matches
from features.gathering import Titles
from measures.arrays import Floats, Ints
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot


def second_order_pmi(snapshot: Snapshot, left: Ints, right: Ints) -> Floats:
    """The second-order PMI of the titles of each pair of concepts: float64[n], in [0, 1].

    ``left`` and ``right``: concept ids, int64[n]. A word without co-occurrences has relatedness 0 with every
    word, itself included.
    """
    word, other, blocks, titles = Titles(snapshot).blocks(left, right)
    words, rows = np.unique(np.concatenate([word, other]), return_inverse=True)
    # Titles repeat their words: each two words are compared once.
    first, second = rows[: len(word)], rows[len(word) :]
    pairs, places = np.unique(
        np.stack([np.minimum(first, second), np.maximum(first, second)]), axis=1, return_inverse=True
    )
    vectors = pmi_vectors(snapshot, words)
    arrays = (vectors.indptr, vectors.indices, vectors.values)
    dots = kernels.overlaps(*arrays, *arrays, *np.ascontiguousarray(pairs))
    same = (pairs[0] == pairs[1]) & (dots > 0)
    related = measures.cosine(np.where(same, 1.0, dots))[places.reshape(-1)]
    matches = np.empty((4, len(left)))
    title_matches(related, blocks, titles, matches, 0)
    return measures.best_match_average(*matches)


def pmi_vectors(snapshot: Snapshot, words: Ints) -> CSR:
    """The vectors of ``words``, int64[w] and ascending: positive PMI with each word, at unit length.

    The table of pairs has a pair under its smaller word; a vector takes it from both sides. A word's own
    place stays empty: how often a word is in a sentence with itself is not counted.
    """
    pairs = snapshot.csr("word_pairs").checked()
    # The table may end before the vocabulary does.
    ends = np.pad(pairs.indptr, (0, pairs.columns - pairs.rows), mode="edge")
    upper = sparse.csr_array((pairs.weights, pairs.indices, ends), shape=(pairs.columns, pairs.columns))
    # The halves have each pair once, as no word is paired with itself.
    together = (upper[words] + upper[:, words].T).tocsr()
    together.sort_indices()
    counts = snapshot.array("word_counts")
    place = np.repeat(np.arange(len(words)), np.diff(together.indptr))
    values = measures.positive_pmi(
        together.data * pairs.scale, counts[words][place], counts[together.indices], snapshot.sentences
    )
    lengths = np.sqrt(np.bincount(place, values**2, len(words)))
    unit = values / np.where(lengths > 0, lengths, 1.0)[place]
    return CSR(together.indptr.astype(np.int64), together.indices, unit, pairs.columns)
