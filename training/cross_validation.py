"""Cross-validation: each pair predicted by what was fitted without the pairs of its fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from measures.arrays import Bools, Floats, Ints
from training.errors import TooFewPairs
from training.progress import Progress

Learnt = TypeVar("Learnt")
Fitted = TypeVar("Fitted")


def cross_predict(
    n: int,
    folds: Iterable[tuple[Learnt, Bools]],
    fit: Callable[[Learnt], Fitted],
    predict: Callable[[Fitted, Bools], Floats],
    progress: Progress | None = None,
) -> Floats:
    """The prediction of each of n pairs by what was fitted without its fold: float64[n].

    Each of the ``folds`` is what is learnt from, as ``fit`` takes it (which pairs, bool[n], or anything that
    stands for them), and which pairs are predicted, bool[n]. Pairs in no fold have 1, the score of identical
    sides; a fold that predicts nothing is not fitted. ``progress`` counts folds.
    """
    predicted = np.ones(n)
    folds = list(folds)
    for done, (learnt, left_out) in enumerate(folds, start=1):
        if left_out.any():
            predicted[left_out] = predict(fit(learnt), left_out)
        if progress is not None:
            progress(done, len(folds))
    return predicted


def leave_one_out(
    group: Ints, learnt: Bools | None = None, predicted: Bools | None = None
) -> list[tuple[Bools, Bools]]:
    """Folds that leave out one group at a time, as ``cross_predict`` takes them.

    ``group``: int64[n], such as the topic of each pair. ``learnt``, ``predicted``: the pairs that are learnt
    from at all, and those that are predicted, bool[n]; all of them if None.
    """
    every = np.ones(len(group), np.bool_)
    learnt, predicted = (every if chosen is None else chosen for chosen in (learnt, predicted))
    return [
        (learnt & (group != number), predicted & (group == number)) for number in np.unique(group[predicted])
    ]


def leave_one_topic_out(topic: Ints, chosen: Bools | None = None) -> list[tuple[Bools, Bools]]:
    """``leave_one_out`` by topics, int64[n], of the ``chosen`` pairs alone, bool[n]; of all if None.

    Raises:
        TooFewPairs: the pairs are of fewer than two topics.
    """
    folds = leave_one_out(topic, chosen, chosen)
    if len(folds) < 2:
        raise TooFewPairs(
            f"leaving one topic out takes two topics at least, and the resolved pairs have {len(folds)}. "
            "Give more pairs, or a snapshot that has their concepts."
        )
    return folds
