"""Pairs that may share a name and nothing else: a thing, and somebody or something that is called so.

Models take a word of both titles for a reason, since judges hardly ever saw such as Moon and Keith Moon
(docs/error-analysis.md).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from app.scoring.concepts import Scorer
from app.scoring.in_words import HARDLY
from app.scoring.reasons import shared_words
from features.catalogue import named
from features.extract import extract
from measures.arrays import Ints
from snapshots.naming.mentions import QUALIFIER
from snapshots.naming.number_forms import forms_of
from snapshots.snapshot import Snapshot
from wort.schemas.concepts import RelatedConcept
from wort.schemas.relatedness import PairResult

BESIDES = 0.025
"""The part of the likeness of two articles' words that may rest on words of one title or none, if on mere
names: that of Python and Monty Python rests on "Monty", too."""

LIKE = 0.76
"""How like the encoder finds what two articles begin with, from which on they share more than a name."""

LINKED = 0.07
"""Of what two articles link to, the part that both do, from which on they share more than a name: Boxing and
Boxing Day share 0.06, War and the Crimean War 0.10."""

KIND_LIKE, KIND_BESIDE = 0.5, 0.09
"""The same of a kind of a thing, whose title ends with that of the thing in small letters: how like they
begin (ENC-LEAD), and how much the same is mentioned beside them (PMI2_C). Stomach cancer and Cancer have 0.67
and 0.19, Hot dog and Dog 0.72 and 0.08."""

WIDE, MANY = 0.01, 100
"""The share of the concepts, and how many, from which on a category that has them says nothing of two: of the
starter's, so many are of People, Biology, Science and Geography."""

_BESIDES = named(["ENC-LEAD", "J-OUT", "PMI2_C"])

_COUNTING = threading.Lock()
_WIDE_CATEGORIES: WeakKeyDictionary[Snapshot, NDArray[np.bool_]] = WeakKeyDictionary()


def mere_names(scorer: Scorer, result: PairResult) -> list[str]:
    """The words that both titles of a pair have, if these may be all that they share; none of other pairs."""
    left, right = result.resolved.left.title, result.resolved.right.title
    if result.status != "ok" or result.score is None or left is None or right is None:
        return []
    article = scorer.resolver.article
    return words_alone(scorer.snapshot, article(left), np.array([article(right)]), [result.score])[0]


def merely_named(scorer: Scorer, title: str, related: Sequence[RelatedConcept]) -> list[bool]:
    """Of each that is related to the concept ``title``, whether the two may share a mere name."""
    article = scorer.resolver.article
    others = np.array([article(one.title) for one in related], np.int64)
    found = words_alone(scorer.snapshot, article(title), others, [one.score for one in related])
    return [bool(words) for words in found]


def words_alone(snapshot: Snapshot, concept: int, others: Ints, scores: Sequence[float]) -> list[list[str]]:
    """Of each pair with ``concept``, the words of both titles, if these may be all that the two share.

    They may where hardly another telling word is in both articles, they share few links and no category but
    ``WIDE`` ones, and their beginnings are not alike to an encoder, if the snapshot has one's vectors. Of a
    thing and a kind of it, by their titles, beside which the same is mentioned, beginnings need be less alike
    to say that they share more. Of titles that differ by a qualifier or their number alone, as Bear and Bear
    (gay slang), the words are enough. Nobody is warned of two whose score, one of ``scores``, calls them
    hardly related.
    """
    language = snapshot.manifest.language
    of_titles, words = snapshot.csr("title_words"), snapshot.strings("words")

    def title_words(row: int) -> list[str]:
        return [words[word] for word in of_titles.row(row).tolist()]

    def unqualified(row: int) -> set[str]:
        return forms_of([QUALIFIER.sub("", snapshot.concept_titles[row]).casefold()], language)

    def is_kind(other: int) -> bool:
        # A qualified title is one meaning of many: an Upper class is no Class (set theory).
        thing, kind = sorted((snapshot.concept_titles[concept], snapshot.concept_titles[other]), key=len)
        return QUALIFIER.sub("", kind).endswith(f" {thing[:1].lower()}{thing[1:]}")

    def alone(other: int) -> list[str]:
        theirs = title_words(other)
        both = own_forms & forms_of(theirs, language)
        if not both:
            return []
        shares = shared_words(snapshot, concept, other)
        of_both = [word for word in shares if not both.isdisjoint(forms_of([word], language))]
        if not of_both or 1 - sum(shares[word] for word in of_both) > BESIDES:
            return []
        forms = forms_of(of_both, language)
        # A title's own word is told, and not what would be the singular of it.
        return [word for word in dict.fromkeys(own + theirs) if word in both and word in forms]

    own = title_words(concept)
    own_forms = forms_of(own, language)
    found = [
        alone(other) if score >= HARDLY else [] for other, score in zip(others.tolist(), scores, strict=True)
    ]
    places = [place for place, telling in enumerate(found) if telling]
    if places:
        asked = others[places]
        values = extract(snapshot, np.full(len(asked), concept), asked, _BESIDES)
        more: list[bool] = np.any(values[:, :2] >= (LIKE, LINKED), axis=1).tolist()
        as_kind: list[bool] = np.all(values[:, [0, 2]] >= (KIND_LIKE, KIND_BESIDE), axis=1).tolist()
        bare = unqualified(concept)
        for place, other, is_more, is_as_kind in zip(places, asked.tolist(), more, as_kind, strict=True):
            if not bare.isdisjoint(unqualified(other)):
                continue
            if is_more or (is_as_kind and is_kind(other)) or share_category(snapshot, concept, other):
                found[place] = []
    return found


def share_category(snapshot: Snapshot, left: int, right: int) -> bool:
    """Whether two concepts share a category that is not ``WIDE``.

    Raises:
        DamagedSnapshot: the table of categories is damaged.
    """
    categories = snapshot.csr("categories")
    both = np.intersect1d(categories.row(left), categories.row(right))
    return len(both) > 0 and not wide_categories(snapshot)[both].all()


def wide_categories(snapshot: Snapshot) -> NDArray[np.bool_]:
    """Which categories are ``WIDE``, bool[categories], counted once and kept as long as the snapshot is.

    Raises:
        DamagedSnapshot: the table of categories is damaged.
    """
    # Of several threads that ask at first, one counts. What is kept is never changed.
    with _COUNTING:
        wide = _WIDE_CATEGORIES.get(snapshot)
        if wide is None:
            sizes = snapshot.csr("categories").column_sizes()
            wide = _WIDE_CATEGORIES[snapshot] = sizes >= max(WIDE * snapshot.concepts, MANY)
        return wide
