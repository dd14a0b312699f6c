"""The annotator once more, in sets and dicts, step by step as TagMe describes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from snapshots.settings import BuildSettings


@dataclass(frozen=True)
class Dictionary:
    """Everything an annotator knows: by mention its link probability and senses, by concept its in-links."""

    link_probability: dict[str, float]
    senses: dict[str, dict[int, float]]  # concept to commonness
    in_links: dict[int, set[int]]
    universe: int


@dataclass(frozen=True)
class Found:
    """An annotation: words from ``first`` up to ``last``."""

    first: int
    last: int
    concept: int
    commonness: float
    coherence: float
    rho: float


def related(a: int, b: int, known: Dictionary) -> float:
    left, right = known.in_links.get(a, set()), known.in_links.get(b, set())
    if not left & right:
        return 0.0
    if len(left) == len(right) == known.universe:
        return 1.0
    distance = (log(max(len(left), len(right))) - log(len(left & right))) / (
        log(known.universe) - log(min(len(left), len(right)))
    )
    return max(0.0, 1 - distance)


def spans(words: Sequence[str], known: Dictionary, settings: BuildSettings) -> list[tuple[int, int]]:
    """From left to right the longest mention that is linked often enough."""
    chosen, first = [], 0
    while first < len(words):
        for last in range(len(words), first, -1):
            probability = known.link_probability.get(" ".join(words[first:last]), -1.0)
            if probability >= settings.minimum_link_probability:
                chosen.append((first, last))
                first = last
                break
        else:
            first += 1
    return chosen


def windows(mentions: list[tuple[int, int]], longest: int) -> list[list[tuple[int, int]]]:
    """Equal pieces, in order, of at most ``longest`` mentions."""
    pieces = -(-len(mentions) // longest)
    bounds = [piece * len(mentions) // pieces for piece in range(pieces + 1)] if pieces else []
    return [mentions[a:b] for a, b in pairwise(bounds)]


def annotate(
    words: Sequence[str], context: Sequence[int], known: Dictionary, settings: BuildSettings
) -> list[Found]:
    """The annotations of a text that is given as its words."""
    found = []
    for window in windows(spans(words, known, settings), settings.window_mentions):
        candidates: list[dict[int, float]] = []
        for first, last in window:
            senses = sorted(known.senses[" ".join(words[first:last])].items(), key=lambda s: (-s[1], s[0]))
            senses = senses[: settings.candidate_senses]
            candidates.append({c: share for c, share in senses if share >= settings.minimum_commonness})
        candidates += [{concept: 1.0} for concept in context]
        winners = [
            winner(senses, candidates[:i] + candidates[i + 1 :], known, settings.sense_epsilon)
            for i, senses in enumerate(candidates)
        ]
        for i, (first, last) in enumerate(window):
            chosen = winners[i]
            if chosen is None:
                continue
            others = [other for j, other in enumerate(winners) if j != i and other is not None]
            coherence = sum(related(chosen, other, known) for other in others) / max(1, len(others))
            rho = (known.link_probability[" ".join(words[first:last])] + coherence) / 2
            if rho >= settings.minimum_coherence:
                found.append(Found(first, last, chosen, candidates[i][chosen], coherence, rho))
    return found


def winner(
    senses: dict[int, float], others: list[dict[int, float]], known: Dictionary, epsilon: float
) -> int | None:
    """The commonest of the senses whose votes come near to the best."""
    if not senses:
        return None
    voters = [voter for voter in others if voter]
    votes = {
        sense: sum(
            sum(related(sense, other, known) * share for other, share in voter.items()) / len(voter)
            for voter in voters
        )
        for sense in senses
    }
    near = [sense for sense in senses if votes[sense] >= max(votes.values()) - epsilon * len(voters)]
    return min(near, key=lambda sense: (-senses[sense], -round(votes[sense], 5), sense))
