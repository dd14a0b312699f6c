"""The evidence behind a pair, with titles in place of ids: what a person can check a score by.

Counts and cosines are those of ``features.gathering``, the very numbers that the features are computed from.
What is added here is which concepts, categories and words they come from. Sides are only named: a swapped
pair has the same evidence, left for right. Lists are ordered by strength; what is equally strong, by page id,
words by their ids.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

import measures
from features.catalogue import (
    CATEGORIES,
    DIRECT_LINKS,
    ESA,
    IN_LINKS,
    OUT_LINKS,
    PARAGRAPHS,
    SENTENCES,
    TFIDF,
    WORD_VECTORS,
)
from features.gathering import Evidence, Titles
from measures.arrays import Floats, Ints
from measures.ranks import greatest
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot
from wort.schemas.evidence import (
    Comentions,
    DirectLinks,
    PairEvidence,
    SharedCategories,
    SharedConcept,
    SharedConcepts,
    SharedLinks,
    SharedNeighbour,
    SharedWord,
    SharedWords,
    WordPair,
)

SHOWN = 10
"""The most entries of each list, if not said otherwise."""


def pair_evidence(snapshot: Snapshot, left: int, right: int, most: int = SHOWN) -> PairEvidence:
    """What the snapshot knows that speaks for the concepts ``left`` and ``right``, two of its rows.

    ``most``: how many entries each list may have; of the categories all are listed. Concepts beyond the rows
    of an excerpt have no titles: they count, and no list has them.
    """
    kinds = (DIRECT_LINKS, IN_LINKS, OUT_LINKS, CATEGORIES, ESA, TFIDF, PARAGRAPHS)
    evidence = Evidence(snapshot, np.array([left]), np.array([right]), kinds)
    there, back = evidence[DIRECT_LINKS][:, 0].tolist()
    return PairEvidence(
        links=DirectLinks(bool(there), bool(back)),
        in_links=_links(snapshot, "in_links", "out_links", evidence[IN_LINKS], (left, right), most),
        out_links=_links(snapshot, "out_links", "in_links", evidence[OUT_LINKS], (left, right), most),
        categories=_categories(snapshot, evidence[CATEGORIES], left, right),
        esa=_concepts(snapshot, evidence[ESA], left, right, most),
        tfidf=_words(snapshot, evidence[TFIDF], left, right, most),
        comentions=Comentions(*_counts(evidence[PARAGRAPHS]), fewest=_cut(snapshot, "minimum_comentions", 1)),
        words=_title_words(snapshot, left, right, most),
    )


def _cut(snapshot: Snapshot, by: str, whole: int = 0) -> int:
    """What an excerpt keeps, by the name of the setting that cuts it; ``whole`` where nothing is cut."""
    return int(snapshot.manifest.settings.get("excerpt", {}).get(by, whole))


class _SharedColumns(NamedTuple):
    """What two rows of a table share: the columns, ascending, and where they stand in each row."""

    columns: Ints
    in_left: Ints
    in_right: Ints


def _shared(table: CSR, left: int, right: int) -> _SharedColumns:
    """Each column of the shorter row is searched in the longer one."""
    first, second = table.row(left), table.row(right)
    if len(first) > len(second):
        columns, in_right, in_left = _shared(table, right, left)
        return _SharedColumns(columns, in_left, in_right)
    # A search for sorted columns one after another stays within the processor's cache.
    places = np.searchsorted(second, first)
    inside = np.flatnonzero(places < len(second))
    shared = inside[second[places[inside]] == first[inside]]
    return _SharedColumns(first[shared].astype(np.int64), shared, places[shared])


def _products(table: CSR, left: int, right: int) -> tuple[Ints, Floats]:
    """The columns that two rows share, ascending, and what each adds to their dot product."""
    columns, in_left, in_right = _shared(table, left, right)
    return columns, table.row_values(left)[in_left] * table.row_values(right)[in_right]


def _links(
    snapshot: Snapshot, name: str, degrees: str, counts: Floats, pair: tuple[int, int], most: int
) -> SharedLinks:
    """The links of the table ``name`` that a pair shares; the table ``degrees`` holds their reverse."""
    columns, _, _ = _shared(snapshot.csr(name), *pair)
    # Ids ascend, and those of concepts without titles are beyond the rows.
    named = columns[: np.searchsorted(columns, snapshot.concepts)]
    sizes = snapshot.csr(degrees).sizes(named)
    chosen = greatest(-sizes, most)
    specificity = measures.adamic_adar(sizes[chosen]).tolist()
    titles, page_ids = snapshot.concept_titles, snapshot.page_ids
    both, left, right = _counts(counts)
    return SharedLinks(
        both,
        left,
        right,
        unnamed=len(columns) - len(named),
        strongest=[
            SharedNeighbour(titles[concept], page_ids[concept], telling)
            for concept, telling in zip(named[chosen].tolist(), specificity, strict=True)
        ],
    )


def _categories(snapshot: Snapshot, counts: Floats, left: int, right: int) -> SharedCategories:
    titles = snapshot.strings("category_titles")
    shared = _shared(snapshot.csr("categories"), left, right).columns.tolist()
    return SharedCategories(*_counts(counts), titles=sorted(titles[category] for category in shared))


def _concepts(snapshot: Snapshot, dots: Floats, left: int, right: int, most: int) -> SharedConcepts:
    columns, products = _products(snapshot.csr("esa"), left, right)
    shares = measures.shares(products)
    named = int(np.searchsorted(columns, snapshot.concepts))
    chosen = greatest(shares[:named], most)
    titles, page_ids = snapshot.concept_titles, snapshot.page_ids
    return SharedConcepts(
        cosine=_cosine(dots),
        both=len(columns),
        unnamed=len(columns) - named,
        unnamed_share=float(shares[named:].sum()),
        strongest=[
            SharedConcept(titles[concept], page_ids[concept], share)
            for concept, share in zip(columns[chosen].tolist(), shares[chosen].tolist(), strict=True)
        ],
        kept=_cut(snapshot, "esa_concepts"),
    )


def shared_words(snapshot: Snapshot, left: int, right: int) -> dict[str, float]:
    """The words that two articles use, each with the part of the cosine of their words that it makes up."""
    columns, products = _products(snapshot.csr("tfidf"), left, right)
    words = snapshot.strings("words")
    shares = measures.shares(products).tolist()
    return {words[word]: share for word, share in zip(columns.tolist(), shares, strict=True)}


def _words(snapshot: Snapshot, dots: Floats, left: int, right: int, most: int) -> SharedWords:
    columns, products = _products(snapshot.csr("tfidf"), left, right)
    shares = measures.shares(products)
    chosen = greatest(shares, most)
    words = snapshot.strings("words")
    return SharedWords(
        cosine=_cosine(dots),
        both=len(columns),
        strongest=[
            SharedWord(words[word], share)
            for word, share in zip(columns[chosen].tolist(), shares[chosen].tolist(), strict=True)
        ],
        kept=_cut(snapshot, "tfidf_words"),
    )


def _title_words(snapshot: Snapshot, left: int, right: int, most: int) -> list[WordPair]:
    table, words = snapshot.csr("title_words"), snapshot.strings("words")
    of_left, of_right = ([words[word] for word in table.row(side).tolist()] for side in (left, right))
    first, second, *_ = Titles(snapshot).blocks(np.array([left]), np.array([right]))
    evidence = Evidence(snapshot, first, second, (SENTENCES, WORD_VECTORS))
    both, of_first, of_second = evidence[SENTENCES]
    pmi = measures.positive_pmi(both, of_first, of_second, snapshot.sentences).tolist()
    cosines = measures.cosine(evidence[WORD_VECTORS][0]).tolist()
    bound: dict[tuple[str, ...], WordPair] = {}
    fewest = np.where(both > 0, 1, _cut(snapshot, "minimum_word_pairs", 1)).tolist()
    for (x, y), together, alike, least in zip(product(of_left, of_right), pmi, cosines, fewest, strict=True):
        if together > 0 or alike > 0:
            # Two words that both titles have meet twice, and are one pair.
            bound.setdefault(tuple(sorted((x, y))), WordPair(x, y, together, alike, least))
    return [bound[pair] for pair in sorted(bound, key=lambda p: (-bound[p].pmi, -bound[p].cosine, p))[:most]]


def _counts(counts: Floats) -> tuple[int, int, int]:
    both, left, right = counts[:, 0].tolist()
    return int(both), int(left), int(right)


def _cosine(dots: Floats) -> float:
    return float(measures.cosine(dots[0, 0]))
