"""The measures of free terms as judges of a benchmark: their features, and a model of them."""

from __future__ import annotations

from collections import Counter

import numpy as np

from features.terms.encoded import EncodesTexts
from features.terms.extract import TermExtractor, TermPair
from features.terms.order import read_of_order
from measures.arrays import Floats
from models.protocol import RelatednessModel, TextsEncoder
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.coverage import Coverage, UnresolvedTitle
from training.errors import MissingEncoder


class TermJudge:
    """The features of terms over one snapshot, and the model of them, None where only features are judged."""

    def __init__(self, extractor: TermExtractor, model: RelatednessModel | None) -> None:
        """Raises ``MissingEncoder`` where the model compares texts and the extractor has no encoder."""
        self._extractor = extractor
        self.features = extractor.features
        self.names = tuple(feature.name for feature in self.features)
        self.model = model
        if model is not None and not set(self.names).issuperset(model.reads):
            raise MissingEncoder(
                f"{model.name} compares texts by an encoder, and there is none here. Name its folder with "
                "--encoder."
            )

    @classmethod
    def open(
        cls,
        snapshot: Snapshot,
        resolver: Resolver,
        model: RelatednessModel | None,
        encoder: EncodesTexts | None = None,
    ) -> TermJudge:
        """The judge over a snapshot's tables; ``resolver`` is that of the same snapshot.

        ``encoder``: compares terms as texts, where the model does.

        Raises:
            MissingEncoder: the model does, and there is none.
        """
        return cls(TermExtractor.open(snapshot, resolver, encoder), model)

    @property
    def encoder(self) -> str:
        """The digest of the encoder that compares terms as texts; nothing where none does."""
        return "" if self._extractor.encoder is None else self._extractor.encoder.digest

    @property
    def warning(self) -> str | None:
        """What is owed to who judges the model with another encoder than its own; None where it is that."""
        encoder = self._extractor.encoder
        if encoder is None or self.model is None:
            return None
        return self.model.check_encoder(TextsEncoder(encoder.name, encoder.digest, encoder.kind))

    def values(self, benchmark: Benchmark) -> Floats:
        """The features of each pair: float64[n, k]; a pair of terms has its topic as context."""
        return self._extractor.extract(_pairs(benchmark))

    def scores(self, benchmark: Benchmark, values: Floats) -> Floats | None:
        """What the model says of each pair, float64[n], from its features; 1 for one term with itself.

        None where there is no model.
        """
        if self.model is None:
            return None
        pairs = _pairs(benchmark)
        identical = [self._extractor.identical(pair) for pair in pairs]
        read = read_of_order(self.model.read_from(values, self.names), self.model.reads, pairs)
        return np.where(identical, 1.0, self.model.score(read))

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
