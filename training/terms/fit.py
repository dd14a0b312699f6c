"""From judgements of terms to a model: left-out folds for its figures, all pairs for its weights."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from features.terms.catalogue import TERM_FEATURE_NAMES, TERM_SIGNATURES
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Bools, Floats, Ints
from models.linear import LinearModel
from models.protocol import FoldResult, TrainingSet
from training.benchmarks.judgements import Benchmark
from training.design import Design
from training.errors import BadRow, TooFewPairs
from training.fit import Progress, design_matrix, fit, weighted
from training.statistics.correlation import pearson, spearman
from training.terms.design import TERM_DESIGNS

FOLDS = 10
SEED = 1


@dataclass(frozen=True, slots=True)
class JudgedTerms:
    """The judged pairs of a benchmark of terms, in its order, and their features.

    ``values`` float64[n, k]; ``scores`` float64[n], from 0 to 1; ``topic`` int64[n]: the number of each
    pair's topic in ``topics``; both are empty unless every pair has one. ``known`` bool[n]: something is
    known of both terms; the features of the other pairs rest on one term or none. ``identical`` bool[n]: a
    term with itself, which has score 1 without a model. ``learnt``: the pairs that a regression is fitted to,
    known and not identical.
    """

    pairs: tuple[TermPair, ...]
    values: Floats
    scores: Floats
    topic: Ints
    topics: tuple[str, ...]
    known: Bools
    identical: Bools

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
    for judgement in benchmark.judgements:
        if not benchmark.low <= judgement.score <= benchmark.high:
            raise BadRow(
                f"{benchmark.name}: line {judgement.line}: the score {judgement.score:g} is not between "
                f"{benchmark.low:g} and {benchmark.high:g}. Correct it, or declare the scores' range."
            )
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
    topic, topics = _numbered([judgement.topic for judgement in benchmark.judgements])
    return JudgedTerms(
        pairs,
        extractor.extract(pairs),
        (scores - benchmark.low) / (benchmark.high - benchmark.low),
        topic,
        topics,
        known,
        np.array([extractor.identical(pair) for pair in pairs], np.bool_),
    )


def _numbered(topics: list[str | None]) -> tuple[Ints, tuple[str, ...]]:
    """The number of each topic, and the topics; nothing where a pair has none."""
    named = tuple(dict.fromkeys(topic for topic in topics if topic is not None))
    if None in topics:
        return np.zeros(0, np.int64), ()
    places = {topic: number for number, topic in enumerate(named)}
    return np.array([places[topic] for topic in topics if topic is not None], np.int64), named


def term_matrix(values: Floats, design: Design) -> Floats:
    """The addends of each pair, float64[n, addends], from its features, float64[n, k]."""
    return design_matrix(values, design, TERM_FEATURE_NAMES)


def shuffled_folds(pairs: int, folds: int = FOLDS, seed: int = SEED) -> Ints:
    """The fold of each pair: int64[pairs], pairs dealt at random into folds of equal size."""
    return np.asarray(np.random.default_rng(seed).permutation(pairs) % folds, np.int64)


def left_out_predictions(
    judged: JudgedTerms,
    matrix: Floats,
    fold: Ints,
    progress: Progress | None = None,
    positive: bool = False,
) -> Floats:
    """Each pair's prediction by a regression that saw no pair of its fold: float64[n]; 1 for identical terms.

    ``matrix`` float64[n, addends]; ``fold`` int64[n]. Pairs that the snapshot does not know are predicted
    from what little evidence there is, and never learnt from. ``progress`` counts the folds. ``positive``: as
    for ``training.fit.fit``.

    Raises:
        TooFewPairs: the pairs to learn from are of fewer than two folds.
    """
    numbers = np.unique(fold)
    if len(np.unique(fold[judged.learnt])) < 2:
        raise TooFewPairs(
            "leaving one fold out takes two folds at least, and the pairs that the snapshot knows are of "
            "fewer. Give more pairs, or a snapshot that has their words."
        )
    predicted = np.ones(len(fold))
    for done, number in enumerate(numbers.tolist(), start=1):
        train = judged.learnt & (fold != number)
        test = (fold == number) & ~judged.identical
        if test.any():
            predicted[test] = fit(matrix[train], judged.scores[train], positive).predict(matrix[test])
        if progress is not None:
            progress(done, len(numbers))
    return predicted


@dataclass(frozen=True, slots=True)
class FoldedTerms:
    """Judged pairs, their addends (float64[n, addends]), and predictions of pairs left out, float64[n].

    ``shuffled``: in ten shuffled folds; ``by_topic``: in folds of whole topics, None where there are fewer
    than two.
    """

    judged: JudgedTerms
    matrix: Floats
    shuffled: Floats
    by_topic: Floats | None


def fold_terms(judged: JudgedTerms, design: Design, progress: Progress | None = None) -> FoldedTerms:
    """The predictions of every pair by regressions that did not see it; ``progress`` counts the folds.

    Raises:
        TooFewPairs: too few pairs are known to the snapshot.
    """
    matrix = term_matrix(judged.values, design)
    folds = shuffled_folds(len(judged.scores))
    shuffled = left_out_predictions(judged, matrix, folds, progress, design.positive)
    by_topic = None
    if len(judged.topics) > 1:
        by_topic = left_out_predictions(judged, matrix, judged.topic, progress, design.positive)
    return FoldedTerms(judged, matrix, shuffled, by_topic)


def fit_terms(
    benchmark: Benchmark,
    extractor: TermExtractor,
    design: Design = TERM_DESIGNS["default"],
    name: str = "terms",
    progress: Progress | None = None,
) -> LinearModel:
    """``fitted_terms`` from a benchmark; ``progress`` counts the folds.

    Raises:
        BadRow: a score is outside the benchmark's range.
        TooFewPairs: too few pairs are known to the snapshot.
    """
    folded = fold_terms(judged_terms(benchmark, extractor), design, progress)
    return fitted_terms(benchmark, folded, design, name, extractor.snapshot.id)


def fitted_terms(
    benchmark: Benchmark, folded: FoldedTerms, design: Design, name: str, snapshot: str
) -> LinearModel:
    """The model of terms fitted to all pairs of a benchmark that the snapshot knows, identical terms apart.

    Its figures are those of out-of-fold predictions over all pairs: of folds of whole topics where each pair
    has one, and of ten shuffled folds (``_ten_folds``).
    """
    judged, matrix, predicted = folded.judged, folded.matrix, folded.by_topic
    scores, learnt = judged.scores, judged.learnt
    metrics = {
        "pearson_ten_folds": _number(pearson(folded.shuffled, scores)),
        "spearman_ten_folds": _number(spearman(folded.shuffled, scores)),
    }
    by_topic: tuple[FoldResult, ...] = ()
    if predicted is not None:
        metrics |= {
            "pearson": _number(pearson(predicted, scores)),
            "spearman": _number(spearman(predicted, scores)),
        }
        by_topic = tuple(
            _fold(topic, predicted[judged.topic == number], scores[judged.topic == number])
            for number, topic in enumerate(judged.topics)
        )
    fitted = fit(matrix[learnt], scores[learnt], design.positive)
    return LinearModel(
        name=name,
        features=TERM_SIGNATURES,
        coefficients=weighted(design, fitted),
        intercept=fitted.intercept,
        trained_on=TrainingSet(
            benchmark.name,
            benchmark.checksum,
            pairs=len(benchmark.judgements),
            fitted=int(learnt.sum()),
            topics=len(judged.topics),
        ),
        snapshot=snapshot,
        metrics=metrics,
        cross_validation=by_topic,
        created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        code_version=version("wort-server"),
    )


def _fold(topic: str, predicted: Floats, scores: Floats) -> FoldResult:
    return FoldResult(
        topic, len(scores), _number(pearson(predicted, scores)), _number(spearman(predicted, scores))
    )


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
