"""Judged pairs of terms with their features, and predictions of them by models that did not see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from features.feature import Feature
from features.terms.catalogue import TERM_FEATURES
from features.terms.evidence import TermEvidence
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Bools, Floats, Ints
from training.benchmarks.judgements import Benchmark, check_scores
from training.coverage import topics_of
from training.cross_validation import leave_one_out
from training.design import Design, Method
from training.errors import TooFewPairs
from training.fit import cross_fit, design_matrix
from training.left_out import TEXT, check_text_encoder
from training.progress import Progress

FOLDS = 10
SEED = 1


@dataclass(frozen=True, slots=True)
class JudgedTerms:
    """The judged pairs of a benchmark of terms, in its order, and their features.

    ``values`` float64[n, k]; ``scores`` float64[n], from 0 to 1; ``topic`` int64[n] and ``topics``: as of
    covered pairs. ``known`` bool[n]: something is known of both terms; the features of the other pairs rest
    on one term or none. ``mostly_known`` bool[n]: more than half of the words of each term are known.
    ``identical`` bool[n]: a term with itself, which has score 1 without a model. ``features``: what the
    columns of ``values`` are.
    """

    pairs: tuple[TermPair, ...]
    values: Floats
    scores: Floats
    topic: Ints
    topics: tuple[str, ...]
    known: Bools
    mostly_known: Bools
    identical: Bools
    features: tuple[Feature[TermEvidence], ...] = TERM_FEATURES

    @property
    def learnt(self) -> Bools:
        """The pairs that a regression is fitted to: known, and not of a term with itself."""
        return self.known & ~self.identical


def judged_terms(benchmark: Benchmark, extractor: TermExtractor, context: bool = True) -> JudgedTerms:
    """The judged pairs with their features; a pair's topic is its context unless ``context`` is False.

    Raises:
        BadRow: a score is outside the benchmark's range.
        TooFewPairs: the snapshot knows nothing of any pair.
    """
    check_scores(benchmark)
    pairs = tuple(
        TermPair(judgement.left, judgement.right, judgement.topic if context else None)
        for judgement in benchmark.judgements
    )
    known = np.array(
        [bool(extractor.known(pair.left) and extractor.known(pair.right)) for pair in pairs], np.bool_
    )
    if not known.any():
        raise TooFewPairs(
            f"{benchmark.name}: the snapshot {extractor.snapshot.id} knows both terms of no pair. "
            "Name a snapshot of the benchmark's language."
        )
    scores = np.array([judgement.score for judgement in benchmark.judgements])
    topic, topics = topics_of([judgement.topic for judgement in benchmark.judgements])
    return JudgedTerms(
        pairs,
        extractor.extract(pairs),
        (scores - benchmark.low) / (benchmark.high - benchmark.low),
        topic,
        topics,
        known,
        extractor.mostly_known(pairs),
        np.array([extractor.identical(pair) for pair in pairs], np.bool_),
        extractor.features,
    )


def term_matrix(
    values: Floats, design: Design, features: Sequence[Feature[TermEvidence]] = TERM_FEATURES
) -> Floats:
    """The addends of each pair, float64[n, addends], from its ``features``, float64[n, k].

    Raises:
        MissingEncoder: the design weighs what an encoder of texts says, and that is not among them.
    """
    names = [feature.name for feature in features]
    check_text_encoder(design, TEXT in names)
    return design_matrix(values, design, names)


def shuffled_folds(pairs: int, folds: int = FOLDS, seed: int = SEED) -> Ints:
    """The fold of each pair: int64[pairs], pairs dealt at random into folds of equal size."""
    return np.asarray(np.random.default_rng(seed).permutation(pairs) % folds, np.int64)


def left_out_predictions(
    judged: JudgedTerms,
    matrix: Floats,
    fold: Ints,
    method: Method,
    progress: Progress | None = None,
) -> Floats:
    """Each pair's prediction by a regression that saw no pair of its fold: float64[n]; 1 for identical terms.

    ``matrix`` float64[n, addends]; ``fold`` int64[n]. Pairs that the snapshot does not know are predicted
    from what little evidence there is, and never learnt from. ``progress`` counts the folds. ``method``:
    as for ``training.fit.fit``.

    Raises:
        TooFewPairs: the pairs to learn from are of fewer than two folds.
    """
    if len(np.unique(fold[judged.learnt])) < 2:
        raise TooFewPairs(
            "leaving one fold out takes two folds at least, and the pairs that the snapshot knows are of "
            "fewer. Give more pairs, or a snapshot that has their words."
        )
    folds = leave_one_out(fold, judged.learnt, ~judged.identical)
    return cross_fit(matrix, judged.scores, folds, method, progress)
