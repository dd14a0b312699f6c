"""Vectors of words from a snapshot: word2vec, counts (positive PMI), and the factorised counts.

The counts are of sentences with both words. BiRD's matrix, of Turney et al. 2011, counts the words to the
left and right of a term. A snapshot counts sentences, and keeps just the pairs whose PMI is above 0, which is
all that positive PMI needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from measures import positive_pmi
from measures.arrays import Bools, Floats, Ints
from snapshots.snapshot import Snapshot
from training.progress import Progress

CONTEXTS = 20_000
"""The most frequent words that count as contexts, besides the words asked for."""

DIMENSIONS, POWER = 300, 0.5
"""d and p of BiRD, section 6: the vectors are the rows of U Σᵖ, of d columns."""

SEED = 20190602
"""Any number would do: the seed of the vector that the factorisation starts from."""

_TOLERANCE = 1e-3
"""How close an eigenvalue is found, relative to it."""


@dataclass(frozen=True, slots=True)
class WordVectors:
    """The vectors of a list of words: a row each, float[words, d], dense or sparse; zeros where unknown."""

    name: str
    rows: Any  # a numpy array, or a csr_array of scipy

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.rows.shape[1])

    @property
    def known(self) -> Bools:
        """Which of the words have a vector: bool[words]."""
        known: Bools = np.asarray(abs(self.rows).sum(axis=1) > 0)
        return known

    def of(self, places: Ints) -> Floats:
        """The vectors at ``places``: float64[n, d]."""
        chosen: Any = self.rows[places]
        return np.asarray(chosen.toarray() if sparse.issparse(self.rows) else chosen, dtype=np.float64)


def word_ids(snapshot: Snapshot, words: Sequence[str]) -> Ints:
    """The id of each word in the snapshot, -1 for one that it does not have: int64[words]."""
    trie = snapshot.trie("words", "<I")
    entries = [trie.get(word) for word in words]
    return np.array([records[0][0] if records else -1 for records in entries], np.int64)


def word2vec(snapshot: Snapshot, ids: Ints) -> WordVectors:
    """The snapshot's own word2vec vectors, of unit length; zeros where it has none.

    ``ids``: int64[words] as from ``word_ids``.
    """
    table = snapshot.array("word_vectors")
    has = (ids >= 0) & (ids < len(table))
    rows = np.zeros((len(ids), table.shape[1]))
    rows[has] = table[ids[has]]
    return WordVectors("word2vec", rows)


@dataclass(frozen=True, slots=True)
class Associations:
    """Positive PMI of each two of the ``words`` (ids, ascending): a symmetric sparse matrix, float32.

    The diagonal is empty: a word is no context of itself.
    """

    words: Ints
    matrix: Any

    def places(self, ids: Ints) -> Ints:
        """The rows of ``ids``, each of which must be among the words."""
        return np.searchsorted(self.words, ids)


def associations(
    snapshot: Snapshot, ids: Ints, contexts: int = CONTEXTS, progress: Progress | None = None
) -> Associations:
    """Positive PMI, by sentences, of the ``contexts`` most frequent words and of the words ``ids``.

    Ids of -1, and words beyond the vocabulary that pairs were counted for, have empty rows or none.
    ``progress`` counts words.

    Source: Turney et al. 2011, as BiRD describes it; ``measures.positive_pmi``.
    """
    table, counts = snapshot.csr("word_pairs"), snapshot.array("word_counts")
    words = np.union1d(np.arange(min(contexts, table.rows)), ids[ids >= 0])
    place = np.full(max(table.rows, table.columns), -1, np.int32)
    place[words] = np.arange(len(words))
    columns, values, sizes = [], [], []
    for done, word in enumerate(words.tolist(), start=1):
        others = np.asarray(table.row(word))
        inside = place[others] >= 0
        others, both = others[inside], table.row_values(word)[inside]
        columns.append(place[others])
        values.append(positive_pmi(both, counts[word], counts[others], snapshot.sentences).astype(np.float32))
        sizes.append(len(others))
        if progress is not None and (done % 500 == 0 or done == len(words)):
            progress(done, len(words))
    indptr = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    shape = (len(words), len(words))
    # A pair stands under the smaller id alone.
    upper = sparse.csr_array((np.concatenate(values), np.concatenate(columns), indptr), shape=shape)
    return Associations(words, (upper + upper.T).tocsr())


def counts_of(associated: Associations, ids: Ints) -> WordVectors:
    """The rows of the matrix: a word's positive PMI with each context; nothing for an id of -1."""
    return WordVectors("PPMI", _rows(associated, ids, associated.matrix))


def factorised(
    associated: Associations,
    ids: Ints,
    *,
    dimensions: int = DIMENSIONS,
    power: float = POWER,
    seed: int = SEED,
    progress: Progress | None = None,
) -> WordVectors:
    """The rows of U Σᵖ, where U Σ Vᵀ is the matrix's singular value decomposition, cut to ``dimensions``.

    The matrix is symmetric, so its singular values are the sizes of its eigenvalues and U its eigenvectors;
    the largest are found by Lanczos iterations (ARPACK) from a vector of fixed seed. A singular vector may
    have either sign, which changes what ``multiplication`` and ``circular_convolution`` give: here its
    largest entry is positive. No more dimensions come out than the matrix has rows, less one. ``progress``
    counts iterations, whose number is not known.

    Source: BiRD, section 6 (Turney et al. 2011): d = 300, p = ½.
    """
    size = len(associated.words)
    start = np.random.default_rng(seed).standard_normal(size)
    done = 0

    def multiply(vector: Floats) -> Any:  # noqa: ANN401 - what the sparse product returns
        nonlocal done
        done += 1
        if progress is not None and done % 10 == 0:
            progress(done, None)
        return associated.matrix @ vector

    operator = LinearOperator((size, size), matvec=multiply, dtype=np.float32)
    kept = min(dimensions, size - 1)
    eigenvalues, vectors = eigsh(operator, k=kept, v0=start.astype(np.float32), tol=_TOLERANCE)
    order = np.argsort(-np.abs(eigenvalues), kind="stable")
    vectors = vectors[:, order].astype(np.float64)
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(kept)])
    rows = vectors * signs * np.abs(eigenvalues[order].astype(np.float64)) ** power
    # A word that stands with no other has no vector; iterations leave traces of one.
    rows[np.diff(associated.matrix.indptr) == 0] = 0.0
    return WordVectors("SVD", _rows(associated, ids, rows))


def _rows(associated: Associations, ids: Ints, rows: Any) -> Any:  # noqa: ANN401 - dense or sparse
    """The rows of the words ``ids``, empty for -1."""
    places, known = np.flatnonzero(ids >= 0), ids[ids >= 0]
    # One row is taken for each word that is known, and none for the others.
    spread = sparse.csr_array(
        (np.ones(len(known), np.float32), (places, associated.places(known))),
        shape=(len(ids), len(associated.words)),
    )
    return spread @ rows
