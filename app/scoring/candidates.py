"""Candidates: the concepts among which those most related to one are found, without scoring all.

Each generator reads rows of tables that the concept leads to, a bounded number of entries, so that what it
costs does not grow with the wiki. Nothing here is a score: the model scores what is found. What each
generator adds is measured by ``benchmarks/related.py``; docs/concepts.md has the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

import measures
from features.catalogue import FEATURES
from features.kernels import scaled_dots
from measures.arrays import Array, Floats, Ints
from measures.ranks import greatest
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot

Generator = Callable[[Snapshot, int], Ints]

COMENTIONED = 300
"""Concepts that are taken from a row of co-mentions: those of the greatest normalised PMI."""

HUB = 20_000
"""Entries of a row of co-mentions that are compared: of a hub's row, those of the most paragraphs."""

ESA_ROWS = 20
"""Concepts whose ESA vectors are added up: the heaviest of the concept's own vector."""

ESA_NEAREST = 600
"""Concepts that are taken from that sum."""

NAMED_ALIKE = 200
"""Concepts that are taken by the vectors of titles: the nearest."""

COMPARED = 200_000
"""Concepts of a snapshot beyond which no vectors are compared: that takes 30 ns a concept."""

LINKED = 300
"""Concepts that are taken from the links of one direction, where the others find fewer than ``TOO_FEW``."""

TOO_FEW = 100

ALL = 1000
"""Concepts of a snapshot that are all candidates, which costs no more than to choose among them."""


def candidates(snapshot: Snapshot, concept: int, reads: Sequence[str] = ()) -> Ints:
    """The concepts that may be among those most related to ``concept``: int64, ascending, without itself.

    All of a snapshot that has ``ALL`` concepts or fewer. Of a larger one, about 700 and never more than
    ``COMENTIONED + ESA_NEAREST``, or ``TOO_FEW`` and the links where a concept has too little text; and
    ``NAMED_ALIKE`` more where an encoder's cosines are among the features that the model ``reads``.
    """
    if snapshot.concepts <= ALL:
        concepts = np.arange(snapshot.concepts)
    else:
        generators = GENERATORS if ENCODED.isdisjoint(reads) else (*GENERATORS, alike_in_title)
        concepts = _united(snapshot, concept, generators)
        if len(concepts) < TOO_FEW:
            concepts = _united(snapshot, concept, (*generators, linked))
    others: Ints = concepts[concepts != concept]
    return others


def comentioned(snapshot: Snapshot, concept: int, most: int = COMENTIONED, hub: int = HUB) -> Ints:
    """The ``most`` concepts that are mentioned in the same paragraphs by far more often than by chance.

    ``hub``: how many are compared.
    """
    table = snapshot.csr("comentions")
    columns, both = _heaviest(*_row(table, concept, snapshot.concepts), hub)
    counts = snapshot.array("concept_counts")
    bound = measures.normalised_pmi(both, counts[concept], counts[columns], snapshot.paragraphs)
    return columns[greatest(bound, most)]


def alike_in_text(snapshot: Snapshot, concept: int) -> Ints:
    """The concepts whose articles use the same words, and those that such articles are like in turn.

    The ESA vector of a concept holds the articles that its words weigh most in. The vectors of the heaviest
    of these are added to it, each by its weight, and the heaviest concepts of the sum are taken.
    """
    table = snapshot.csr("esa")
    own, weights = _row(table, concept, snapshot.concepts)
    nearest, by_weight = _heaviest(own, weights, ESA_ROWS)
    others = [_row(table, int(row), snapshot.concepts) for row in nearest]
    columns = np.concatenate([own, *(columns for columns, _ in others)])
    parts = [weight * values for weight, (_, values) in zip(by_weight, others, strict=True)]
    distinct, places = np.unique(columns, return_inverse=True)
    sums = np.bincount(places, np.concatenate([weights, *parts]), len(distinct))
    return distinct[greatest(sums, ESA_NEAREST)]


def alike_in_title(
    snapshot: Snapshot,
    concept: int,
    compared: int = COMPARED,
    most: int = NAMED_ALIKE,
    vectors_of: Literal["title_vectors", "lead_vectors"] = "title_vectors",
) -> Ints:
    """The ``most`` concepts whose titles an encoder's vectors put nearest; or whose beginnings do.

    Nothing where the snapshot has no such vectors, or more than are ``compared``.
    """
    table = snapshot.scaled(vectors_of)
    if len(table) > compared or not table.scales[concept]:
        return np.zeros(0, np.int64)
    every = np.arange(len(table))
    vectors, scales = table.vectors, table.scales
    return greatest(scaled_dots(vectors, scales, vectors, scales, np.full(len(table), concept), every), most)


def linked(snapshot: Snapshot, concept: int) -> Ints:
    """Concepts that its article links to, and concepts whose articles link to it: the first by page id."""
    rows = (_row(snapshot.csr(name), concept, snapshot.concepts)[0] for name in ("out_links", "in_links"))
    return np.concatenate([row[:LINKED] for row in rows])


GENERATORS: tuple[Generator, ...] = (comentioned, alike_in_text)
"""The smallest set that finds 0.95 of the true ten of WORT's features, by a margin, wherever measured."""

ENCODED = frozenset(feature.name for feature in FEATURES if feature.group == "encoder")
"""The features that are an encoder's cosines: a model that reads them relates concepts that no text does."""


def members(snapshot: Snapshot, category: int) -> Ints:
    """The concepts of a category: int64, ascending. The one look-up here that goes through a whole table."""
    table = snapshot.csr("categories")
    places = np.flatnonzero(table.indices == category)
    return np.searchsorted(table.indptr, places, side="right") - 1


def _united(snapshot: Snapshot, concept: int, generators: tuple[Generator, ...]) -> Ints:
    return np.unique(np.concatenate([generate(snapshot, concept) for generate in generators]))


def _row(table: CSR, row: int, concepts: int) -> tuple[Ints, Floats]:
    """The columns of a row that are rows of the snapshot themselves, and their values."""
    columns = table.row(row)
    # They are sorted: those beyond an excerpt's rows stand at the end.
    known = int(np.searchsorted(columns, concepts))
    return columns[:known].astype(np.int64), table.row_values(row)[:known]


def _heaviest(columns: Ints, weights: Array, most: int) -> tuple[Ints, Array]:
    """The ``most`` columns of the greatest weights, with these; where there are no more, as they stand."""
    if len(columns) <= most:
        return columns, weights
    chosen = greatest(weights, most)
    return columns[chosen], weights[chosen]
