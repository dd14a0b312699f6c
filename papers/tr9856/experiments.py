"""The experiments of TR9856 (Levy et al. 2015, section 5), ours beside the paper's, and more."""

from __future__ import annotations

import numpy as np

from features.terms.catalogue import TERM_FEATURE_NAMES
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Floats, Ints
from papers.tables import Cell, Experiment, PaperTable, both_of
from papers.tr9856 import paper
from papers.tr9856.classification import logistic_errors, threshold_errors
from papers.tr9856.context import key_terms, nearness
from papers.tr9856.ten_folds import COMBINED, REGRESSION, both, ten_folds
from papers.tr9856.term_folds import unseen_terms
from papers.tr9856.word_frequency import by_rarest_word
from training.benchmarks.judgements import Benchmark
from training.design import Design
from training.errors import TooFewPairs
from training.statistics.correlation import pearson_spearman
from training.terms.design import SENSES, TERM_DESIGNS, TR9856
from training.terms.fit import JudgedTerms, judged_terms, left_out_predictions, shuffled_folds, term_matrix

_TWO = ("Pearson", "Spearman")
_OURS = ("r", "ρ", "paper's r", "paper's ρ")


def run_tr9856(benchmark: Benchmark, extractor: TermExtractor) -> Experiment:
    """All tables, over every pair of the benchmark.

    A pair with a term of which the snapshot knows nothing has the value of absent evidence with each method,
    and is predicted from that by the models; a pair of a term with itself has score 1 without a model.

    Raises:
        TooFewPairs: a pair has no topic, or too few pairs are known to the snapshot.
    """
    if any(judgement.topic is None for judgement in benchmark.judgements):
        raise TooFewPairs(
            f"{benchmark.name}: the pairs have no topics. Put the file of topics beside the file of pairs, "
            "or take the released table, which has them."
        )
    judged = judged_terms(benchmark, extractor)
    alone = extractor.extract([TermPair(pair.left, pair.right) for pair in judged.pairs])
    fold = shuffled_folds(len(judged.scores))
    regression = _predicted(judged.values, judged, TR9856, fold)
    combined = _predicted(judged.values, judged, TERM_DESIGNS["default"], fold)
    left_out = _predicted(judged.values, judged, TERM_DESIGNS["default"], judged.topic)
    tables = (
        _methods(judged),
        ten_folds(judged, fold),
        _lengths(judged, regression, combined),
        _classes(judged, fold),
        _harder(judged, fold),
        _parts(judged, alone, extractor, fold),
        by_rarest_word(judged, extractor, {REGRESSION: regression, COMBINED: combined}),
        _topics(judged, left_out),
    )
    return Experiment("tr9856", extractor.snapshot.id, benchmark.checksum, tables)


def method(values: Floats, name: str) -> Floats:
    """One feature of every pair: float64[n]."""
    return np.ascontiguousarray(values[:, TERM_FEATURE_NAMES.index(name)])


def _predicted(values: Floats, judged: JudgedTerms, design: Design, fold: Ints) -> Floats:
    matrix = term_matrix(values, design)
    return left_out_predictions(judged, matrix, fold, design.method)


def _methods(judged: JudgedTerms) -> PaperTable:
    rows: list[tuple[Cell, ...]] = []
    for name in TERM_FEATURE_NAMES:
        values = method(judged.values, name)
        evidence = int((values != 0.0).sum())
        theirs = paper.METHODS.get(name, (None, None))
        rows.append((name, evidence, *pearson_spearman(values, judged.scores), *theirs))
    return PaperTable(
        "Table 2: each method alone",
        ("method", "pairs with evidence", *_OURS),
        tuple(rows),
        f"Over all {len(judged.scores):,} pairs. {int((~judged.known).sum())} have a term of which the "
        f"snapshot knows nothing, {int(judged.identical.sum())} are of a term with itself. A pair without "
        "evidence has the value 0.",
    )


def _lengths(judged: JudgedTerms, regression: Floats, combined: Floats) -> PaperTable:
    single = np.array([len(pair.left.split()) == len(pair.right.split()) == 1 for pair in judged.pairs])
    columns = {name: method(judged.values, name) for name in paper.METHODS}
    rows: list[tuple[Cell, ...]] = []
    for name, values in {**columns, REGRESSION: regression, COMBINED: combined}.items():
        swp, mwp = (both(values[chosen], judged.scores[chosen]) for chosen in (single, ~single))
        theirs = paper.LENGTHS.get(name, (None,) * 4)
        rows.append((name, swp[0], mwp[0], swp[1], mwp[1], *theirs))
    names = ("r SWP", "r MWP", "ρ SWP", "ρ MWP")
    return PaperTable(
        "Table 4: pairs of single words (SWP) and others (MWP)",
        ("method", *names, *(f"paper's {name}" for name in names)),
        tuple(rows),
        f"{int(single.sum()):,} and {int((~single).sum()):,} pairs; the paper has "
        f"{paper.SINGLE_WORD_PAIRS:,} and {paper.MULTI_WORD_PAIRS:,}. Regressions: out of fold, fitted to "
        "all pairs of the other folds.",
    )


def _classes(judged: JudgedTerms, fold: Ints) -> PaperTable:
    extreme = (judged.scores >= 0.8) | (judged.scores <= 0.2)
    related, folds, values = judged.scores[extreme] >= 0.8, fold[extreme], judged.values[extreme]
    rows: list[tuple[Cell, ...]] = [
        (name, threshold_errors(method(values, name), related, folds), paper.ERRORS[name])
        for name in paper.METHODS
    ]
    for name, design, theirs in (
        ("Logistic regression", TR9856, paper.ERRORS["Logistic regression"]),
        ("Logistic regression, combined", TERM_DESIGNS["default"], None),
    ):
        rows.append((name, logistic_errors(term_matrix(values, design), related, folds), theirs))
    return PaperTable(
        "Table 5: telling related pairs (at least 0.8) from unrelated ones (at most 0.2)",
        ("method", "mean error", "paper's"),
        tuple(rows),
        f"{int(related.sum()):,} and {int((~related).sum()):,} pairs; the paper has {paper.RELATED:,} and "
        f"{paper.UNRELATED:,}. Thresholds and regressions are chosen on nine folds and judged on the tenth.",
    )


def _harder(judged: JudgedTerms, fold: Ints) -> PaperTable:
    """The same regressions where what is judged was seen less."""
    learnt, scores = judged.learnt, judged.scores
    rows: list[tuple[Cell, ...]] = []
    for name, design in ((REGRESSION, TR9856), (COMBINED, TERM_DESIGNS["default"])):
        matrix = term_matrix(judged.values, design)
        shuffled = left_out_predictions(judged, matrix, fold, design.method)
        by_topic = left_out_predictions(judged, matrix, judged.topic, design.method)
        predicted = (shuffled, by_topic, unseen_terms(matrix, judged, design.method))
        known = both(shuffled[learnt], scores[learnt])
        rows.append((name, *(figure for values in predicted for figure in both(values, scores)), *known))
    return PaperTable(
        "Harder folds, and known terms alone",
        ("method", *both_of("shuffled", "by topic", "unseen terms", "known")),
        tuple(rows),
        f"By topic: each of the {len(judged.topics)} topics is predicted by a regression on the others. "
        "Unseen terms: each pair is predicted by a regression that saw neither of its terms in any pair. "
        f"Known: shuffled folds, over the {int(learnt.sum()):,} pairs of two different terms of both of "
        "which something is known. All pooled.",
    )


def _parts(judged: JudgedTerms, alone: Floats, extractor: TermExtractor, fold: Ints) -> PaperTable:
    """What senses and the context add."""
    named, scores = method(judged.values, "SENSES") > 0, judged.scores
    default = TERM_DESIGNS["default"]
    whole = term_matrix(judged.values, default)
    rows: list[tuple[Cell, ...]] = []
    for name, matrix in (
        ("words alone", term_matrix(alone, TERM_DESIGNS["words"])),
        ("words and senses, without context", term_matrix(alone, default)),
        ("words and senses, chosen in the context", whole),
        ("senses alone, chosen in the context", term_matrix(judged.values, Design(SENSES, default.method))),
        ("the third row, and whether a term is a key term", np.hstack([whole, key_terms(judged)])),
        (
            "the third row, and how near each term is to the context",
            np.hstack([whole, nearness(judged, extractor)]),
        ),
    ):
        shuffled, by_topic = (
            left_out_predictions(judged, matrix, folds, default.method) for folds in (fold, judged.topic)
        )
        where_named = both(by_topic[named], scores[named])
        rows.append((name, *both(shuffled, scores), *both(by_topic, scores), *where_named))
    changed = int((alone != judged.values).any(axis=1).sum())
    return PaperTable(
        "With and without senses and context",
        ("features", *both_of("shuffled", "by topic", "where named")),
        tuple(rows),
        f"Where named: by topic, over the {int(named.sum()):,} pairs both of whose terms name or contain "
        f"concepts. The context, here the topic's key terms, changes the features of {changed:,} pairs.",
    )


def _topics(judged: JudgedTerms, predicted: Floats) -> PaperTable:
    rows: list[tuple[Cell, ...]] = []
    for number, topic in enumerate(judged.topics):
        chosen = judged.topic == number
        both = pearson_spearman(predicted[chosen], judged.scores[chosen])
        rows.append((topic, int(chosen.sum()), *both))
    return PaperTable(
        f"{COMBINED} by topic, each left out",
        ("topic's key terms", "pairs", *_TWO),
        tuple(sorted(rows, key=_by_r)),
    )


def _by_r(row: tuple[Cell, ...]) -> float:
    return -row[2] if isinstance(row[2], float) else 2.0
