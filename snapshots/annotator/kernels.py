"""The annotator's loops, compiled: which spots are looked at, and which senses win the vote."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jit.compiled import compiled
from jit.formulas import formula
from measures.links import milne_witten
from measures.ranks import greatest

Ints = NDArray[Any]
Floats = NDArray[Any]


_relatedness = formula(milne_witten)
"""Milne & Witten 2008 on in-links, as TagMe's votes use it: of counts, and not of arrays of them."""

_greatest = formula(greatest)


@compiled
def longest_spots(paragraph: Ints, start: Ints, end: Ints, wanted: Ints, taken: Ints) -> Ints:
    """Which of the wanted spots to look at: from left to right the longest that overlaps none before it.

    The spots are ordered by ``paragraph``, ``start`` and ``end``; ``taken`` int32[n, 3] holds spans
    (paragraph, start, end) in the same order, without overlaps, that no spot may touch. Returns bool[spots].
    """
    chosen = np.zeros(len(start), np.bool_)
    at, free = 0, 0
    for i in range(len(start)):
        if i > 0 and paragraph[i] != paragraph[i - 1]:
            free = 0
        while at < len(taken) and (
            taken[at, 0] < paragraph[i] or (taken[at, 0] == paragraph[i] and taken[at, 2] <= start[i])
        ):
            at += 1
        if not wanted[i] or start[i] < free:
            continue
        if at < len(taken) and taken[at, 0] == paragraph[i] and taken[at, 1] < end[i]:
            continue
        last = i + 1 == len(start) or paragraph[i + 1] != paragraph[i] or start[i + 1] != start[i]
        if last or not _longer_follows(i, paragraph, start, end, wanted, taken, at):
            chosen[i] = True
            free = end[i]
    return chosen


@compiled
def _longer_follows(
    i: int, paragraph: Ints, start: Ints, end: Ints, wanted: Ints, taken: Ints, at: int
) -> bool:
    """Whether a longer wanted spot with the same start keeps clear of the next taken span."""
    limit = taken[at, 1] if at < len(taken) and taken[at, 0] == paragraph[i] else np.iinfo(np.int32).max
    j = i + 1
    while j < len(start) and paragraph[j] == paragraph[i] and start[j] == start[i]:
        if wanted[j] and end[j] <= limit:
            return True
        j += 1
    return False


@compiled
def vote(
    windows: Ints,
    mention: Ints,
    known: Ints,
    senses_indptr: Ints,
    senses_indices: Ints,
    senses_values: Floats,
    in_indptr: Ints,
    in_indices: Ints,
    universe: int,
    most_senses: int,
    minimum_commonness: float,
    epsilon: float,
    marks: Ints,
) -> tuple[Ints, Floats, Floats]:
    """The sense of every mention, its commonness and its coherence, window by window.

    ``windows`` int64[n + 1]: where each window starts among the mentions. ``mention``: the mention ids;
    ``known``: the concept where it is known (an editor's link, a concept given as context), else -1.
    ``marks`` uint8[columns of the in-links], zero, is room to work in.

    The vote of a mention b for a sense p of another mention is the mean, over the candidates q of b, of
    relatedness(p, q) · commonness(q) (TagMe, section 3.2). Of the senses whose mean vote is at most
    ``epsilon`` below the best, the commonest wins, and of equally common ones the one with more votes.
    Coherence is the mean relatedness of the winner to the other winners.

    Raises:
        IndexError: a sense or an in-link is none of the columns of the in-links; a table is damaged.
    """
    total = len(mention)
    concept = known.astype(np.int32)
    commonness, coherence = np.ones(total, np.float32), np.zeros(total, np.float32)
    for w in range(len(windows) - 1):
        first, size = windows[w], windows[w + 1] - windows[w]
        if size == 0:
            continue
        bounds, candidates, shares = _candidates(
            mention[first : first + size],
            known[first : first + size],
            senses_indptr,
            senses_indices,
            senses_values,
            most_senses,
            minimum_commonness,
        )
        _check_places(candidates, len(marks))
        distinct, place = _distinct(candidates)
        related = _related(distinct, in_indptr, in_indices, universe, marks)
        winners = np.full(size, -1, np.int64)
        for a in range(size):
            winners[a] = _winner(a, bounds, place, shares, related, epsilon)
        for a in range(size):
            if winners[a] < 0:
                continue
            concept[first + a] = candidates[winners[a]]
            commonness[first + a] = shares[winners[a]]
            support, others = 0.0, 0
            for b in range(size):
                if b != a and winners[b] >= 0:
                    support += related[place[winners[a]], place[winners[b]]]
                    others += 1
            if others > 0:
                coherence[first + a] = support / others
    return concept, commonness, coherence


@compiled
def _candidates(
    mention: Ints,
    known: Ints,
    indptr: Ints,
    indices: Ints,
    values: Floats,
    most_senses: int,
    minimum_commonness: float,
) -> tuple[Ints, Ints, Floats]:
    """The candidates of each mention, the commonest first, those of a at bounds[a] … bounds[a + 1]."""
    bounds = np.zeros(len(mention) + 1, np.int64)
    concepts = np.empty(len(mention) * most_senses, np.int64)
    shares = np.empty(len(mention) * most_senses, np.float32)
    filled = 0
    for a in range(len(mention)):
        if known[a] >= 0:
            concepts[filled], shares[filled] = known[a], 1.0
            filled += 1
        else:
            row = values[indptr[mention[a]] : indptr[mention[a] + 1]]
            for i in _greatest(row, most_senses):
                if row[i] >= minimum_commonness:
                    concepts[filled], shares[filled] = indices[indptr[mention[a]] + i], row[i]
                    filled += 1
        bounds[a + 1] = filled
    return bounds, concepts[:filled], shares[:filled]


@compiled
def _distinct(candidates: Ints) -> tuple[Ints, Ints]:
    """The concepts among the candidates, each once, and each candidate's place among them."""
    distinct = np.unique(candidates)
    return distinct, np.searchsorted(distinct, candidates)


@compiled
def _related(concepts: Ints, indptr: Ints, indices: Ints, universe: int, marks: Ints) -> Floats:
    """The relatedness of every two of ``concepts``: the larger in-link set is marked, the smaller counted.

    A concept beyond the rows, of which an excerpt has some, is related to none, as one without in-links is.
    """
    related = np.zeros((len(concepts), len(concepts)), np.float32)
    sizes = np.zeros(len(concepts), np.int64)
    for i in range(len(concepts)):
        if concepts[i] + 1 < len(indptr):
            sizes[i] = indptr[concepts[i] + 1] - indptr[concepts[i]]
    order = _greatest(sizes, len(sizes))
    for x in range(len(order)):
        i = order[x]
        if sizes[i] == 0:
            break
        related[i, i] = 1.0
        row = indices[indptr[concepts[i]] : indptr[concepts[i] + 1]]
        if x == 0:
            _check_places(row, len(marks))
        for source in row:
            marks[source] = 1
        for y in range(x + 1, len(order)):
            j = order[y]
            if sizes[j] == 0:
                break
            if x == 0:  # the largest set meets each other one, so that each is looked at once
                _check_places(indices[indptr[concepts[j]] : indptr[concepts[j]] + sizes[j]], len(marks))
            both = 0
            for source in indices[indptr[concepts[j]] : indptr[concepts[j]] + sizes[j]]:
                both += marks[source]
            if both:
                related[i, j] = related[j, i] = _relatedness(both, sizes[i], sizes[j], universe)
        for source in row:
            marks[source] = 0
    return related


@compiled
def _check_places(places: Ints, end: int) -> None:
    """Do nothing where each of ``places`` is from 0 to ``end`` - 1; else raise IndexError."""
    outside = False
    for place in places:
        outside |= place < 0 or place >= end
    if outside:
        raise IndexError("a column is used as a place that there is not")


@compiled
def _winner(a: int, bounds: Ints, place: Ints, shares: Floats, related: Floats, epsilon: float) -> Any:  # noqa: ANN401 an integer of either kind
    """The candidate that mention ``a`` stands for, by the votes of the others; -1 without candidates."""
    first, last = bounds[a], bounds[a + 1]
    if last - first < 2:
        return first if last > first else -1
    votes = np.zeros(last - first)
    voters = 0
    for b in range(len(bounds) - 1):
        if b == a or bounds[b] == bounds[b + 1]:
            continue
        voters += 1
        for i in range(first, last):
            vote_of_b = 0.0
            for j in range(bounds[b], bounds[b + 1]):
                vote_of_b += related[place[i], place[j]] * shares[j]
            votes[i - first] += vote_of_b / (bounds[b + 1] - bounds[b])
    enough = votes.max() - epsilon * voters
    winner = -1
    for i in range(first, last):  # the commonest first
        if votes[i - first] < enough:
            continue
        if winner < 0 or (shares[i] == shares[winner] and votes[i - first] > votes[winner - first]):
            winner = i
    return winner
