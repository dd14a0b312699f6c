"""What an empty page offers to begin with: well-known pairs, or the most linked concepts of the snapshot."""

from __future__ import annotations

from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from app.scoring.concepts import Scorer
from measures.ranks import greatest
from snapshots.snapshot import Snapshot

PAIRS = (("Atheism", "Religion"), ("Biology", "Evolution"), ("Jazz", "Photosynthesis"))
"""Pairs that say what a score is like: related, closely, not at all."""

OFFERED = 12
"""How many of the most linked concepts are offered."""

_most_linked: WeakKeyDictionary[Snapshot, tuple[str, ...]] = WeakKeyDictionary()


def example_pairs(scorer: Scorer) -> list[tuple[str, str]]:
    """Those of the ``PAIRS`` that ``scorer`` can score; without any, pairs of its most linked concepts."""
    results = scorer.score(PAIRS)
    known = [pair for pair, result in zip(PAIRS, results, strict=True) if result.status == "ok"]
    return known or list(pairwise(most_linked(scorer.snapshot)))[::4]


def example_concepts(scorer: Scorer) -> list[str]:
    """Concepts to explore: those of the ``PAIRS`` that can be scored; without any, the most linked ones."""
    titles = [title for pair in example_pairs(scorer) for title in pair]
    # The most linked ones of a large wiki are months and countries: few people begin there.
    known = {title for pair in PAIRS for title in pair}
    return titles if known.issuperset(titles) else list(most_linked(scorer.snapshot))


def most_linked(snapshot: Snapshot) -> tuple[str, ...]:
    """The titles of the concepts with the most in-links, at most ``OFFERED``, the most linked first."""
    titles = _most_linked.get(snapshot)
    if titles is None:
        # Once a snapshot: the counts of millions of concepts are read for it.
        sizes = np.diff(snapshot.csr("in_links").indptr)
        first = greatest(sizes, OFFERED).tolist()
        titles = _most_linked[snapshot] = tuple(snapshot.concept_titles[concept] for concept in first)
    return titles
