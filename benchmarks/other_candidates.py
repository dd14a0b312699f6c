"""Generators of candidates that the service does not use, or not for every model: what each would add."""

from __future__ import annotations

import numpy as np

import measures
from app.scoring.candidates import Generator, alike_in_title, comentioned
from measures.arrays import Ints
from measures.ranks import greatest
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot

WORDS = 20
"""The heaviest words of an article that are looked up."""

NEIGHBOURS = 50
"""Concepts from which a second step is taken."""

TAKEN = 300
"""Concepts that are taken from sums."""


def own_esa(snapshot: Snapshot, concept: int) -> Ints:
    """The concepts of its ESA vector, without a second step."""
    return _known(snapshot.csr("esa").row(concept), snapshot)


def out_links(snapshot: Snapshot, concept: int) -> Ints:
    """The concepts that its article links to."""
    return _known(snapshot.csr("out_links").row(concept), snapshot)


def in_links(snapshot: Snapshot, concept: int) -> Ints:
    """The concepts whose articles link to it: of a hub many thousands."""
    return _known(snapshot.csr("in_links").row(concept), snapshot)


def sharing_title_words(snapshot: Snapshot, concept: int) -> Ints:
    """The concepts with a word of its title in theirs. Goes through the whole table of title words."""
    table = snapshot.csr("title_words")
    places = np.flatnonzero(np.isin(table.indices, table.row(concept)))
    return np.unique(np.searchsorted(table.indptr, places, side="right") - 1)


def sharing_words(snapshot: Snapshot, concept: int) -> Ints:
    """The articles in which the heaviest words of its article weigh most: 50 a word."""
    table, postings = snapshot.csr("tfidf"), snapshot.csr("postings")
    words = table.row(concept)[greatest(table.row_values(concept), WORDS)]
    found = [np.zeros(0, np.int64)]
    for word in words.tolist():
        weights = postings.row_values(word)
        found.append(_known(postings.row(word)[greatest(weights, 50)], snapshot))
    return np.unique(np.concatenate(found))


def cocited(snapshot: Snapshot, concept: int) -> Ints:
    """The concepts that the same articles link to, of those articles that link to the fewest."""
    inward, outward = snapshot.csr("in_links"), snapshot.csr("out_links")
    sources = _known(inward.row(concept), snapshot)
    sources = sources[greatest(-outward.sizes(sources), NEIGHBOURS)]
    targets = [np.zeros(0, np.int64), *(_known(outward.row(source), snapshot) for source in sources.tolist())]
    found, both = np.unique(np.concatenate(targets), return_counts=True)
    bound = measures.conditional_probability(both, inward.sizes(found), len(sources))
    return found[greatest(bound, TAKEN)]


def comentioned_twice(snapshot: Snapshot, concept: int) -> Ints:
    """The concepts that those mentioned with it are mentioned with in turn."""
    table: CSR = snapshot.csr("comentions")
    counts = snapshot.array("concept_counts")
    sums = np.zeros(snapshot.concepts)
    for neighbour in comentioned(snapshot, concept)[:NEIGHBOURS].tolist():
        columns = _known(table.row(neighbour), snapshot)
        both = table.row_values(neighbour)[: len(columns)]
        sums[columns] += measures.normalised_pmi(
            both, counts[neighbour], counts[columns], snapshot.paragraphs
        )
    return greatest(sums, TAKEN)


OTHERS: tuple[Generator, ...] = (
    alike_in_title,
    own_esa,
    out_links,
    in_links,
    sharing_title_words,
    sharing_words,
    cocited,
    comentioned_twice,
)


def _known(columns: np.ndarray[tuple[int], np.dtype[np.int64]], snapshot: Snapshot) -> Ints:
    """Those that are rows of the snapshot."""
    return columns[columns < snapshot.concepts].astype(np.int64)
