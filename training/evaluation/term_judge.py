"""The measures of free terms as judges of a benchmark: their features, and a model of them."""

from __future__ import annotations

from collections import Counter

import numpy as np

from features.terms.catalogue import TERM_FEATURE_NAMES
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Floats
from models.protocol import RelatednessModel
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.coverage import Coverage, UnresolvedTitle


class TermJudge:
    """The features of terms over one snapshot, and the model of them, None where only features are judged."""

    names = TERM_FEATURE_NAMES

    def __init__(self, extractor: TermExtractor, model: RelatednessModel | None) -> None:
        self._extractor = extractor
        self.model = model

    @classmethod
    def open(cls, snapshot: Snapshot, resolver: Resolver, model: RelatednessModel | None) -> TermJudge:
        """The judge over a snapshot's tables; ``resolver`` is that of the same snapshot."""
        return cls(TermExtractor.open(snapshot, resolver), model)

    def features(self, benchmark: Benchmark) -> Floats:
        """The features of each pair: float64[n, k]; a pair of terms has its topic as context."""
        return self._extractor.extract(_pairs(benchmark))

    def scores(self, benchmark: Benchmark, values: Floats) -> Floats | None:
        """What the model says of each pair, float64[n], from its features; 1 for one term with itself.

        None where there is no model.
        """
        if self.model is None:
            return None
        identical = [self._extractor.identical(pair) for pair in _pairs(benchmark)]
        return np.where(identical, 1.0, self.model.score(self.model.read_from(values, self.names)))

    def coverage(self, benchmark: Benchmark) -> Coverage:
        """How many pairs have two terms of which the snapshot knows something, and the unknown terms."""
        return known_terms(benchmark, self._extractor)


def known_terms(benchmark: Benchmark, extractor: TermExtractor) -> Coverage:
    """The pairs of whose two terms a snapshot knows something; the ``unresolved`` are the unknown terms."""
    terms = dict.fromkeys(term for pair in benchmark.judgements for term in (pair.left, pair.right))
    unknown = {term for term in terms if not extractor.known(term)}
    pairs = [{pair.left, pair.right} for pair in benchmark.judgements]
    in_the_way = Counter(term for sides in pairs for term in sides & unknown)
    known = [not sides & unknown for sides in pairs]
    identical = [extractor.identical(pair) for pair in _pairs(benchmark)]
    return Coverage(
        len(pairs),
        sum(known),
        int(np.logical_and(known, identical).sum()),
        benchmark.other_split,
        tuple(
            UnresolvedTitle(term, "unknown", count)
            for term, count in sorted(in_the_way.items(), key=lambda entry: (-entry[1], entry[0]))
        ),
    )


def _pairs(benchmark: Benchmark) -> list[TermPair]:
    termed = benchmark.kind == "terms"
    return [
        TermPair(pair.left.replace("_", " "), pair.right.replace("_", " "), pair.topic if termed else None)
        for pair in benchmark.judgements
    ]
