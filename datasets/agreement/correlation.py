"""How well annotators' judgements go together: with one another's, with those of the rest, with their own.

Correlations are summarised as Zesch & Gurevych do (2006, section 5): over every two annotators, by the mean
of Fisher's z.
"""

from __future__ import annotations

import math

import numpy as np

from datasets.agreement.judgements import Judgements
from measures.arrays import Bools, Floats

NEARLY_ONE = 0.999
"""The z of a correlation of 1, as of two who say the same of a few items, is infinite, and so would any mean
be; it counts as that of this."""

FEWEST = 3
"""Of two common items the correlation is 1 or −1 whatever was said."""


def fisher_mean(correlations: Floats) -> float:
    """The mean of correlations, float64[n], by Fisher's z: tanh of the mean artanh; NaN of none.

    >>> round(fisher_mean(np.array([0.670, 0.623])), 4)
    0.6471
    """
    defined = correlations[~np.isnan(correlations)]
    if not len(defined):
        return math.nan
    return float(np.tanh(np.arctanh(np.clip(defined, -NEARLY_ONE, NEARLY_ONE)).mean()))


def between_annotators(judgements: Judgements, overlap: int = FEWEST) -> Floats:
    """Pearson's r of every two annotators over the items that both judged: float64[annotators, annotators].

    NaN where they are fewer than ``overlap``, where one of the two said the same of all, and on the diagonal.
    """
    first = judgements.first
    # Centred: sums of squares then lose no digits to the mean.
    value = first.value - (first.value.mean() if len(first) else 0.0)
    given, x, square = (judgements.sparse(of) for of in (np.ones_like(value), value, value**2))
    count, total, squares, products = (
        np.asarray(product.toarray()) for product in (given.T @ given, x.T @ given, square.T @ given, x.T @ x)
    )
    spread = count * squares - total**2
    covariance = count * products - total * total.T
    defined = (count >= max(overlap, 2)) & _varies(spread, count * squares)
    defined &= defined.T
    np.fill_diagonal(defined, False)
    r = np.full(count.shape, np.nan)
    r[defined] = np.clip(covariance[defined] / np.sqrt(spread * spread.T)[defined], -1, 1)
    return r


def _varies(spread: Floats, scale: Floats) -> Bools:
    """Whether sums of squares about the mean are more than what rounding leaves of those about zero."""
    return np.asarray(spread > 1e-12 * scale)


def with_the_rest(judgements: Judgements, overlap: int = FEWEST) -> Floats:
    """Pearson's r of each annotator with the mean of what the others said: float64[annotators].

    NaN where fewer than ``overlap`` of the annotator's items are judged by others, or nothing varies.
    """
    first, each = judgements.first, judgements.each()
    total = np.bincount(first.item, first.value, len(each))
    r = np.full(len(judgements.annotators), np.nan)
    for place in range(len(r)):
        own = (first.annotator == place) & (each[first.item] > 1)
        said, item = first.value[own], first.item[own]
        if len(said) >= max(overlap, 2):
            r[place] = _pearson(said, (total[item] - said) / (each[item] - 1))
    return r


def with_themselves(judgements: Judgements, overlap: int = FEWEST) -> Floats:
    """Pearson's r of what each annotator said of items the first and the second time: float64[annotators].

    NaN where fewer than ``overlap`` items were repeated, or nothing varies.
    """
    again = np.flatnonzero(judgements.turn == 1)
    first = judgements.first
    key = len(judgements.items)
    places = first.annotator * key + first.item
    order = np.argsort(places)
    earlier = order[
        np.searchsorted(places, judgements.annotator[again] * key + judgements.item[again], sorter=order)
    ]
    r = np.full(len(judgements.annotators), np.nan)
    for place in np.unique(judgements.annotator[again]):
        own = judgements.annotator[again] == place
        if own.sum() >= max(overlap, 2):
            r[place] = _pearson(first.value[earlier[own]], judgements.value[again[own]])
    return r


def _pearson(x: Floats, y: Floats) -> float:
    if (x == x[0]).all() or (y == y[0]).all():
        return math.nan
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
