"""Krippendorff's alpha: agreement of any number of annotators, whoever judged what, on any scale."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy import sparse

from datasets.agreement.judgements import Judgements
from measures.arrays import Floats

Scale = Literal["nominal", "ordinal", "interval"]
"""What differences of values mean: that they differ, how many lie between, how far apart they are."""


def krippendorff_alpha(judgements: Judgements, scale: Scale) -> float:
    r"""Krippendorff's alpha of first judgements.

    :math:`\alpha = 1 - (n - 1) \sum o_{ck} \delta^2_{ck} / \sum n_c n_k \delta^2_{ck}`, where o counts the
    coincidences of two values within items, each item's by its number of judgements less one, n are the
    values that can be paired, and δ is the difference on the scale (Krippendorff 2011, Computing
    Krippendorff's Alpha-Reliability).

    Returns:
        1 where all agree, 0 where they do as by chance; NaN where nothing can be paired or nothing varies.
    """
    first, categories = judgements.first, judgements.categories
    each = judgements.each()
    paired = each[first.item] >= 2
    item, value = first.item[paired], np.searchsorted(categories, first.value[paired])
    counts = sparse.csr_array(
        (np.ones(len(item)), (item, value)), shape=(len(judgements.items), len(categories))
    )
    share = np.where(each >= 2, 1.0 / np.maximum(each - 1, 1), 0.0)
    coincidences = (counts.T @ (counts * share[:, np.newaxis])).toarray()
    of_value = coincidences.sum(0) if len(categories) else np.zeros(0)
    # A judgement does not coincide with itself.
    single = np.bincount(value, share[item], len(categories))
    coincidences[np.diag_indices(len(categories))] -= single
    of_value = of_value - single
    difference = squared_differences(categories, of_value, scale)
    observed = float((coincidences * difference).sum())
    expected = float(of_value @ difference @ of_value)
    return math.nan if expected == 0 else 1 - (float(of_value.sum()) - 1) * observed / expected


def squared_differences(categories: Floats, counts: Floats, scale: Scale) -> Floats:
    """δ² of every two of the values, float64[k] ascending, which occur ``counts`` times: float64[k, k].

    >>> squared_differences(np.array([1.0, 2.0, 4.0]), np.array([2.0, 4.0, 2.0]), "ordinal").tolist()
    [[0.0, 9.0, 36.0], [9.0, 0.0, 9.0], [36.0, 9.0, 0.0]]
    """
    if scale == "nominal":
        return 1.0 - np.eye(len(categories))
    # On an ordinal scale a value lies at the middle of the ranks of those that have it.
    position = categories if scale == "interval" else np.cumsum(counts) - counts / 2
    return np.square(position[:, np.newaxis] - position)
