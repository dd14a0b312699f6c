"""Table 3 of TR9856: regressions in ten-fold cross-validation, as the service scores and as they come."""

from __future__ import annotations

import numpy as np

from features.terms.catalogue import TERM_FEATURE_NAMES
from measures.arrays import Floats, Ints
from papers.tables import Cell, PaperTable, both_of
from papers.tr9856 import paper
from training.cross_validation import cross_predict, leave_one_out
from training.design import Design, Method
from training.fit import fit
from training.statistics.correlation import pearson, spearman
from training.terms.design import TERM_DESIGNS, TR9856
from training.terms.fit import JudgedTerms, left_out_predictions, term_matrix

REGRESSION = "Linear regression"
COMBINED = "Combined model"

DESIGNS: dict[str, tuple[Design, tuple[float | None, float | None]]] = {
    REGRESSION: (TR9856, paper.REGRESSION),
    COMBINED: (TERM_DESIGNS["default"], (None, None)),
    f"{COMBINED}, no weight below 0": (TERM_DESIGNS["positive"], (None, None)),
}
"""The regressions, each with its design and with what the paper reports of it."""


def ten_folds(judged: JudgedTerms, fold: Ints) -> PaperTable:
    """The table; ``fold``: the shuffled fold of each pair, int64[n]."""
    scores = judged.scores
    rows: list[tuple[Cell, ...]] = []
    for name, theirs in paper.METHODS.items():
        values = judged.values[:, TERM_FEATURE_NAMES.index(name)]
        means = mean_over(fold, values, scores) * 2
        rows.append((name, *means, *both(values, scores), *theirs))
    for name, (design, reported) in DESIGNS.items():
        matrix = term_matrix(judged.values, design)
        served = left_out_predictions(judged, matrix, fold, design.method)
        plain = as_they_come(judged, matrix, fold, design.method)
        means = (*mean_over(fold, served, scores), *mean_over(fold, plain, scores))
        rows.append((name, *means, *both(served, scores), *reported))
    return PaperTable(
        "Table 3: ten-fold cross-validation",
        ("method", *both_of("mean over folds", "as they come", "pooled"), "paper's r", "paper's ρ"),
        tuple(rows),
        f"{REGRESSION}: the paper's four features, ESA, W2V, PMI and the number of tokens. {COMBINED}: "
        "the designs `default` and `positive`. Shuffled folds; the paper's figures are means over folds. As "
        "they come: means over folds, of predictions that are not cut to a range, the "
        f"{int(judged.identical.sum())} pairs of a term with itself learnt from and predicted as any other; "
        "in the other columns these have 1, and predictions are cut as the service cuts scores. The paper "
        "speaks of neither.",
    )


def as_they_come(judged: JudgedTerms, matrix: Floats, fold: Ints, method: Method) -> Floats:
    """Each pair's prediction by a regression that saw no pair of its fold, and nothing else: float64[n].

    Pairs of a term with itself are pairs like others, and predictions are not cut. Pairs that the snapshot
    does not know are not learnt from.
    """
    return cross_predict(
        len(fold),
        leave_one_out(fold, judged.known),
        lambda learnt: fit(matrix[learnt], judged.scores[learnt], method),
        lambda fitted, left_out: fitted.raw(matrix[left_out]),
    )


def mean_over(fold: Ints, predicted: Floats, scores: Floats) -> tuple[float, float]:
    """The means over folds of Pearson's and Spearman's correlation, as the paper's Table 3 has them."""
    each = [both(predicted[fold == number], scores[fold == number]) for number in np.unique(fold)]
    means = np.nanmean(np.array(each), axis=0)
    return float(means[0]), float(means[1])


def both(predicted: Floats, scores: Floats) -> tuple[float, float]:
    """Pearson's and Spearman's correlation."""
    return pearson(predicted, scores), spearman(predicted, scores)
