"""Whom WORD leaves out: annotators who agree too little, or judged too little (Ein-Dor et al. 2018, 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from datasets.agreement.judgements import Judgements
from datasets.agreement.kappa import cohen_kappa, confusions, mean_kappas, mean_pairwise
from measures.arrays import Bools, Floats, Ints

Reason = Literal["kept", "kappa", "common"]
"""Why an annotator is out: a mean kappa too low, or too few items in common with too few others."""


class FilterSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Who is left out, and which items then have too few judgements. The defaults are WORD's."""

    minimum_kappa: float = 0.25
    """An annotator whose mean Cohen's kappa with the others is smaller is out."""

    common: int = 50
    """So many items in common with another annotator are enough to be compared by."""

    others: int = 3
    """An annotator is out who has that many in common with fewer others than this."""

    judgements: int = 8
    """An item that is left with fewer judgements is out."""

    overlap: int = 50
    """A kappa counts where two annotators have so many items in common. The paper does not say; of a handful
    of items, kappa is chance."""

    iterated: bool = False
    """Whether those that are left are looked at again until nobody goes. The paper does not say; once is the
    plainer reading."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """What became of judgements: those ``kept``; who is out and why; which items had too few judgements.

    ``annotators``: all that there were; ``judged``: how many items each did, int64[annotators]; ``reasons``:
    why each is out; ``items``: which items are kept, bool[items];
    ``mean_kappas``: of each annotator, when that was decided, float64[annotators]; ``kappa``: the mean of
    every two that are kept; ``passes``: how often all were looked at.
    """

    kept: Judgements
    annotators: tuple[str, ...]
    judged: Ints
    reasons: tuple[Reason, ...]
    items: Bools
    mean_kappas: Floats
    kappa: float
    passes: int


def word_filter(judgements: Judgements, settings: FilterSettings | None = None) -> Filtered:
    """Leave out annotators by their agreement and their number of judgements, then items with too few."""
    settings = settings or FilterSettings()
    staying = np.ones(len(judgements.annotators), bool)
    reasons = np.full(len(staying), "kept", object)
    decided = np.full(len(staying), np.nan)
    passes, kappa = 0, np.full((len(staying), len(staying)), np.nan)
    while True:
        passes += 1
        left = judgements.only(staying)
        kappa = cohen_kappa(confusions(left), overlap=settings.overlap)
        means = mean_kappas(kappa)
        decided[staying] = means
        common = left.common()
        np.fill_diagonal(common, 0)
        few = (common >= settings.common).sum(1) < settings.others
        # Without a kappa there is nothing to be put out by; the other rule decides.
        low = means < settings.minimum_kappa
        places = np.flatnonzero(staying)
        reasons[places[few]] = "common"
        reasons[places[low]] = "kappa"
        out = few | low
        staying[places[out]] = False
        kappa = kappa[np.ix_(~out, ~out)]
        if not settings.iterated or not out.any():
            break
    left = judgements.only(staying)
    enough = left.each() >= settings.judgements
    kept = left.only(items=enough)
    judged = np.bincount(judgements.first.annotator, minlength=len(staying))
    return Filtered(
        kept,
        judgements.annotators,
        judged,
        tuple(reasons.tolist()),
        enough,
        decided,
        mean_pairwise(kappa),
        passes,
    )
