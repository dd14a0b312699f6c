"""Agreement of categories beyond chance: Cohen's kappa of every two annotators, and Fleiss' kappa of all."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from datasets.agreement.judgements import Judgements
from datasets.agreement.ratios import ratio
from measures.arrays import Floats, Ints

Weights = Literal["none", "linear", "quadratic"]
"""What a difference of two categories counts: always 1, its size, or the square of that (Cohen 1968)."""


def confusions(judgements: Judgements) -> Ints:
    """How often one annotator said category c where another said k: int64[c, k, annotators, annotators].

    Categories are the values that occur, ascending. Only first judgements count.
    """
    value = judgements.first.value
    said = [judgements.sparse((value == category).astype(np.float64)) for category in judgements.categories]
    if not said:
        return np.zeros((0, 0, len(judgements.annotators), len(judgements.annotators)), np.int64)
    return np.array([[(one.T @ other).toarray() for other in said] for one in said]).astype(np.int64)


def cohen_kappa(
    confusion: Ints, weights: Weights = "none", overlap: int = 1, values: Floats | None = None
) -> Floats:
    r"""Cohen's kappa of every two annotators: float64[annotators, annotators].

    :math:`\kappa = 1 - \sum w_{ck} o_{ck} / \sum w_{ck} e_{ck}`, where o are the observed shares and e those
    that the two annotators' own shares of categories would give by chance (Cohen 1960; weighted: 1968).

    Args:
        confusion: as from ``confusions``.
        weights: what a difference of two categories counts.
        overlap: so many items two annotators must have in common; below, their kappa is NaN. It is NaN, too,
            where both said one and the same category of all, and on the diagonal.
        values: where on a scale the categories lie, float64[k]; their places in its absence.

    >>> from datasets.agreement.judgements import Judgements
    >>> said = np.array([[1, 1], [1, 0], [0, 0], [0, 0.0]])
    >>> float(cohen_kappa(confusions(Judgements.of_matrix(said)))[0, 1])
    0.5
    """
    places = np.arange(len(confusion)) if values is None else values
    apart = np.abs(places[:, np.newaxis] - places)
    weight = {"none": apart > 0, "linear": apart, "quadratic": apart**2}[weights]
    common = confusion.sum((0, 1))
    observed = np.tensordot(weight, confusion, 2)
    one, other = confusion.sum(1), confusion.sum(0)
    expected = np.einsum("ck,cab,kab->ab", weight.astype(np.float64), one, other)
    defined = (common >= max(overlap, 1)) & (expected > 0)
    np.fill_diagonal(defined, False)
    kappa = np.full(common.shape, np.nan)
    kappa[defined] = 1 - observed[defined] * common[defined] / expected[defined]
    return kappa


def mean_kappas(kappa: Floats) -> Floats:
    """The mean kappa of each annotator with the others, NaN where none is defined: float64[annotators]."""
    defined = ~np.isnan(kappa)
    count = defined.sum(1)
    total = np.where(defined, kappa, 0.0).sum(1)
    return ratio(total, count)


def pairwise(values: Floats) -> Floats:
    """The defined values of every two annotators, each two once: float64[pairs]."""
    above = values[np.triu_indices(len(values), 1)]
    return above[~np.isnan(above)]


def mean_pairwise(values: Floats) -> float:
    """Their mean; NaN where none is defined."""
    defined = pairwise(values)
    return float(defined.mean()) if len(defined) else math.nan


def category_counts(judgements: Judgements) -> Ints:
    """How many annotators gave each category to each item: int64[items, k]."""
    first, categories = judgements.first, judgements.categories
    counts = np.zeros((len(judgements.items), len(categories)), np.int64)
    np.add.at(counts, (first.item, np.searchsorted(categories, first.value)), 1)
    return counts


def fleiss_kappa(counts: Ints) -> float:
    r"""Fleiss' kappa of items that are judged by several annotators, no matter by which.

    :math:`\kappa = (\bar P - P_e) / (1 - P_e)`, where :math:`\bar P` is the mean share of agreeing pairs of
    judgements of an item, and :math:`P_e = \sum p_k^2` what the shares p of the categories would give (Fleiss
    1971). There each item has as many judgements; where it has not, each item with two or more counts alike.

    Args:
        counts: int64[items, k].

    Returns:
        NaN where no item has two judgements, or all say one category.
    """
    counts = counts[counts.sum(1) >= 2].astype(np.float64)
    if not len(counts):
        return math.nan
    each = counts.sum(1)
    agreeing = float(((counts * (counts - 1)).sum(1) / (each * (each - 1))).mean())
    chance = float(((counts.sum(0) / counts.sum()) ** 2).sum())
    return math.nan if chance == 1 else (agreeing - chance) / (1 - chance)
