"""Pairs whose links may be of two things: what articles say of Apple beside Microsoft they say of Apple Inc.

Links of a snapshot are found by names where its works have none (docs/starter.md), and go to what is called
just so. Then the articles that mention both make a score high that their texts do not bear out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.scoring.concepts import Scorer
from app.scoring.in_words import HARDLY
from app.scoring.mere_names import LIKE
from features.catalogue import named
from features.extract import extract
from features.feature import ConceptFeature
from measures.arrays import Floats, Ints
from snapshots.naming.compounds import compounds
from snapshots.naming.mentions import fold
from snapshots.naming.number_forms import plural_of
from snapshots.stop_words import base_language
from wort.schemas.concepts import RelatedConcept
from wort.schemas.relatedness import PairResult
from wort.schemas.sides import Side

MENTIONED = 0.2
"""From how much of the most possible on articles mention two together so often that a score rests on it."""

UNLIKE = 0.5
"""How like the encoder finds the beginnings of two articles, below which these do not bear out such mentions:
Window and Microsoft have 0.43, Window and Door 0.65."""

NEARER = 0.3
"""How much more like a namesake's article is than that of the concept: that of Apple Inc. and Microsoft by
0.50. From 0.2 on, Wine (bishop) would be meant beside Eucharist."""

_MENTIONS, _BEGINNINGS = named(["NPMI1_C"]), named(["ENC-LEAD"])


class Mixed(NamedTuple):
    """Links of ``title`` that articles may mean for its namesake ``meant`` where they mention ``beside``."""

    title: str
    meant: str
    beside: str


def mixed_links(scorer: Scorer, result: PairResult) -> list[Mixed]:
    """Which links of the sides of a pair may be of a namesake: one for each side at the most."""
    left, right = result.resolved.left, result.resolved.right
    if result.status != "ok" or result.score is None or result.score < HARDLY:
        return []
    found = []
    for side, other in ((left, right), (right, left)):
        if side.title is None or other.title is None:
            continue
        known = [*_namesakes(scorer, side.title, side), *_made(scorer, side.title, other.title)]
        (meant,) = _meant(scorer, side.title, known, [other.title], [result.score])
        if meant is not None:
            found.append(Mixed(side.title, meant, other.title))
    return found


def mixed_neighbours(scorer: Scorer, side: Side, related: Sequence[RelatedConcept]) -> list[str | None]:
    """Of each that is related to ``side``, the namesake of this that articles may mean; None for none."""
    if side.title is None:
        return [None] * len(related)
    titles, scores = [one.title for one in related], [one.score for one in related]
    return _meant(scorer, side.title, _namesakes(scorer, side.title, side), titles, scores)


def _namesakes(scorer: Scorer, title: str, side: Side) -> list[str]:
    """Titles of other concepts that are called ``title``, its plural, so behind a given name, or as asked."""
    resolver, snapshot = scorer.resolver, scorer.snapshot
    several = plural_of(fold(title), base_language(snapshot.manifest.language))
    # Rhymes are not Busta Rhymes beside Hip hop.
    called = [each.concept for each in resolver.named(several or "") if each.kinds != ("surname",)]
    titles = (snapshot.concept_titles[concept] for concept in called)
    known = (*resolver.namesakes(title), *titles, *(other.title for other in side.alternatives))
    known = (*known, *resolver.behind_given_names(title))
    return [other for other in dict.fromkeys(known) if other != title]


def _made(scorer: Scorer, title: str, other: str) -> list[str]:
    """What is called ``title`` behind a word of ``other``, and is no kind of it: Computer mouse, of Mouse."""
    article, snapshot = scorer.resolver.article, scorer.snapshot
    made = compounds(other, title, article, base_language(snapshot.manifest.language))
    before = f"{other} ".casefold()
    made = [each for each in made if each.casefold().startswith(before) and each not in (title, other)]
    alike = _values(scorer, title, made, _BEGINNINGS)
    return [each for each, like in zip(made, alike.tolist(), strict=True) if like < LIKE]


def _meant(
    scorer: Scorer, title: str, namesakes: Sequence[str], others: Sequence[str], scores: Sequence[float]
) -> list[str | None]:
    """Of each of ``others``, the one of ``namesakes`` that its article is the most like; None for none.

    There is one where many articles mention it beside ``title``, whose own article is unlike it.
    """
    found: list[str | None] = [None] * len(others)
    places = [place for place, score in enumerate(scores) if score >= HARDLY]
    if not namesakes or not places:
        return found
    asked = [others[place] for place in places]
    often = _values(scorer, title, asked, _MENTIONS) >= MENTIONED
    own = _values(scorer, title, asked, _BEGINNINGS)
    theirs = np.array([_values(scorer, each, asked, _BEGINNINGS) for each in namesakes])
    best = theirs.argmax(axis=0)
    mixed = often & (own < UNLIKE) & (theirs.max(axis=0) >= own + NEARER)
    for place, other, is_mixed, of_best in zip(places, asked, mixed.tolist(), best.tolist(), strict=True):
        if is_mixed and namesakes[of_best] != other:
            found[place] = namesakes[of_best]
    return found


def _values(scorer: Scorer, title: str, others: Sequence[str], feature: tuple[ConceptFeature, ...]) -> Floats:
    """A feature of ``title`` and each of ``others``, float64[n]."""
    article = scorer.resolver.article
    concepts: Ints = np.array([article(other) for other in others], np.int64)
    return extract(scorer.snapshot, np.full(len(concepts), article(title)), concepts, feature)[:, 0]
