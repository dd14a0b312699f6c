"""Agreement, slow and plain: dictionaries of who said what, as the papers write it down."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations

Said = Mapping[str, Mapping[str, float]]
"""What each annotator said of each item."""


def cohen(
    one: Mapping[str, float], other: Mapping[str, float], categories: Sequence[float], power: int
) -> float:
    """Kappa with weights |i − j| to a power; power 0: any difference counts 1. NaN where undefined."""
    common = [item for item in one if item in other]
    place = {category: number for number, category in enumerate(categories)}

    def apart(c: float, k: float) -> float:
        return 0.0 if c == k else float(abs(place[c] - place[k]) ** power)

    if not common:
        return math.nan
    observed = sum(apart(one[item], other[item]) for item in common) / len(common)
    expected = sum(apart(one[a], other[b]) for a in common for b in common) / len(common) ** 2
    return math.nan if expected == 0 else 1 - observed / expected


def fleiss(items: Sequence[Sequence[float]]) -> float:
    """Fleiss' kappa of lists of judgements, one an item."""
    items = [said for said in items if len(said) > 1]
    everything = [value for said in items for value in said]
    if not everything:
        return math.nan
    agreeing = [sum(a == b for a, b in combinations(said, 2)) / math.comb(len(said), 2) for said in items]
    chance = sum((count / len(everything)) ** 2 for count in Counter(everything).values())
    return math.nan if chance == 1 else (sum(agreeing) / len(items) - chance) / (1 - chance)


def alpha(items: Sequence[Sequence[float]], scale: str) -> float:
    """Krippendorff's alpha by his own recipe: every pairable value with every other."""
    items = [said for said in items if len(said) > 1]
    values = [value for said in items for value in said]
    counts = Counter(values)
    apart = _differences(counts, scale)
    observed = sum(apart(a, b) / (len(said) - 1) for said in items for a, b in permutations(said, 2))
    expected = sum(apart(a, b) for a, b in permutations(values, 2))
    if expected == 0:
        return math.nan
    return 1 - (observed / len(values)) / (expected / (len(values) * (len(values) - 1)))


def _differences(counts: Mapping[float, int], scale: str) -> Callable[[float, float], float]:
    def nominal(c: float, k: float) -> float:
        return float(c != k)

    def interval(c: float, k: float) -> float:
        return (c - k) ** 2

    def ordinal(c: float, k: float) -> float:
        low, high = min(c, k), max(c, k)
        between = sum(count for value, count in counts.items() if low <= value <= high)
        return (between - (counts[low] + counts[high]) / 2) ** 2

    return {"nominal": nominal, "interval": interval, "ordinal": ordinal}[scale]


def word_filter(
    said: Said, minimum_kappa: float, common: int, others: int, judgements: int, iterated: bool
) -> tuple[set[str], set[str]]:
    """Who stays, and which items then have enough judgements; kappa counts from ``common`` items on."""
    staying = set(said)
    while True:
        out = set()
        for who in staying:
            rest = staying - {who}
            shared = {one: len(set(said[who]) & set(said[one])) for one in rest}
            kappas = [
                kappa
                for one in rest
                if shared[one] >= common and not math.isnan(kappa := cohen(said[who], said[one], (0, 1), 0))
            ]
            too_low = bool(kappas) and sum(kappas) / len(kappas) < minimum_kappa
            if too_low or sum(number >= common for number in shared.values()) < others:
                out.add(who)
        staying -= out
        if not iterated or not out:
            break
    counts = Counter(item for who in staying for item in said[who])
    return staying, {item for item, count in counts.items() if count >= judgements}


def bradley_terry(won: Sequence[int], lost: Sequence[int], items: int, penalty: float) -> list[float]:
    """Strengths by plain gradient ascent in small steps."""
    strength = [0.0] * items
    for _ in range(20_000):
        slope = [-penalty * one for one in strength]
        for winner, loser in zip(won, lost, strict=True):
            surprise = 1 / (1 + math.exp(strength[winner] - strength[loser]))
            slope[winner] += surprise
            slope[loser] -= surprise
        strength = [one + 0.05 * up for one, up in zip(strength, slope, strict=True)]
    mean = sum(strength) / items
    return [one - mean for one in strength]


def transitivity(
    scores: Mapping[tuple[str, str], float],
) -> dict[float, list[float]]:
    """|R3 − R1| of every triangle, each of its pairs once the second, by R2."""
    known = {frozenset(pair): score for pair, score in scores.items()}
    terms = sorted({term for pair in known for term in pair})
    found: dict[float, list[float]] = {}
    for triple in combinations(terms, 3):
        for a, b, c in (
            (triple[0], triple[1], triple[2]),
            (triple[1], triple[2], triple[0]),
            (triple[2], triple[0], triple[1]),
        ):
            sides = [frozenset(side) for side in ((a, b), (b, c), (a, c))]
            if all(side in known for side in sides):
                r1, r2, r3 = (known[side] for side in sides)
                found.setdefault(round(r2, 1), []).append(abs(r3 - r1))
    return found
