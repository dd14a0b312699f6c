"""What somebody may have meant by a name that a snapshot lacks: concepts whose titles say nearly the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from app.errors import UnusableModel
from encoders.wordings import in_wordings, wordings
from features.terms.encoded import EncodesTexts
from measures.arrays import Bools, Floats, Ints
from measures.ranks import greatest
from snapshots.naming.mentions import fold
from snapshots.naming.own_words import OWN_WORDS, ArticleWords
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language
from snapshots.text import words

LEAST_COSINE = 0.785
"""Of the vectors of a name and of a title, below which they say different things: at 0.79 "lorry" is near
Truck, and at 0.7 "asdfgh" near anything."""

PROPER = 0.89
"""The same of a name that is typed with a capital, and of a title that is no common noun: below it is what is
of the same kind, Adidas for "Nike" or "nike" at 0.84, and Toyota for "Volkswagen" at 0.85. "Calcutta" is near
Kolkata at 0.93."""

MARGIN = 0.03
"""How much farther than the nearest a title may be that says the same: York is no "NYC"."""

HAS_WORD = 0.06
"""How much nearer a title without the name counts whose article has it among the words that weigh most there:
by "Peking" Beijing is meant, which is as near as Shanghai, and by "Kiev" no Lviv."""

OWN = 0.7
"""The cosine from which on a title is meant if its article is surely about the name, which is one of its
``OWN_WORDS``. So "gypsy" is the Romani people, and "Saigon" Ho Chi Minh City."""

LOOKED_AT = 100
"""The nearest titles of whose articles the words are looked at."""

AMONG = 0.87
"""The cosine from which on a concept is offered beside several that have the name, typed in small letters:
beside those called Rock there is Rock music, at 0.88."""

SAME = 0.95
"""The cosine from which on a title says the same, though it only begins with the letters: "math" is
Mathematics, at 0.97."""

SURELY = 0.945
"""The cosine from which on a name means what a title says even where another title is spelt nearly so, or has
the name: "Atheismus" is no error of Agnosticism, nor "Athism" another word for Mohism, at 0.82."""

LINKED_FIRST = 0.01
"""How much the logarithm of a concept's in-links counts beside the cosine: of titles that are as near, what
people write about is meant ("mom" is Mother, and then Parent rather than Mother 3)."""

COMPARED = 200_000
"""Concepts of a snapshot beyond which none is compared: that takes some 50 ns a concept."""


class Meant(NamedTuple):
    """Concepts that a name means: those whose titles say the same, and those whose articles are about it.

    The latter's titles lack the name. ``same``: those of the former that say it by ``SAME``. ``cosines``:
    those of all that were looked at. ``writing``: those among them in whose articles the name is one of the
    words that weigh most.
    """

    says: Sequence[int] = ()
    about: Sequence[int] = ()
    same: Collection[int] = ()
    cosines: Mapping[int, float] = MappingProxyType({})
    writing: Collection[int] = ()


class MeantConcepts:
    """Finds concepts by what a name means, with an encoder's vectors of their titles. Threads may share it.

    It finds nothing where the snapshot has no vectors, or has them by another encoder than the one here.
    """

    def __init__(self, snapshot: Snapshot, encoder: Callable[[], EncodesTexts]) -> None:
        """``encoder``: opens that of texts, or gives the one that is open; not called before it is needed."""
        self._snapshot = snapshot
        self._encoder = encoder
        self._articles = ArticleWords(snapshot)

    def find(self, name: str, limit: int, least: float = LEAST_COSINE, about: bool = True) -> Meant:
        """The concepts that are nearest to a name in meaning, ``limit`` of either kind, the nearest first.

        ``least``: the cosine that those have at the least that say the same. None is by ``MARGIN`` farther
        than the nearest. ``about``: whether any is found by what its article is about.
        """
        vectors = self._vectors(name)
        if vectors is None:
            return Meant()
        titles = self._snapshot.scaled("title_vectors")
        as_it_stands, in_other_words = (titles.vectors @ vector for vector in vectors)
        every = np.where(self._in_other_words, in_other_words, as_it_stands) * titles.scales
        near: Ints = np.flatnonzero(every >= min(least, OWN))
        near = near[greatest(every[near], LOOKED_AT)]
        cosines, word = every[near], fold(name)
        places = np.array([self._articles.place(word, concept) for concept in near.tolist()], np.int64)
        called = [fold(self._snapshot.concept_titles[concept]) for concept in near.tolist()]
        has_name = np.array([word in words(title) for title in called], np.bool_)
        nearness = cosines + HAS_WORD * ((places >= 0) & ~has_name)
        links = np.diff(self._snapshot.csr("in_links").indptr)[near]
        ranked = nearness + LINKED_FIRST * np.log1p(links)

        def nearest(those: Bools) -> list[int]:
            rows = np.flatnonzero(those)
            concepts: list[int] = near[rows[greatest(ranked[rows], limit)]].tolist()
            return concepts

        # What only has another sign is always the nearest: beside Airplane! there is Aircraft.
        others = np.array([words(title) != words(word) for title in called], np.bool_)
        is_near = nearness >= nearness[others].max(initial=-1.0) - MARGIN
        # Rockall, of whose article "rock" is a word, hides no Rock music, which is nearer and has it.
        is_near |= has_name & (cosines >= cosines[others].max(initial=-1.0))
        says = (cosines >= least) & is_near
        same = frozenset(near[cosines >= SAME].tolist())
        writing = frozenset(near[places >= 0].tolist())
        seen = dict(zip(near.tolist(), cosines.tolist(), strict=True))
        if not about:
            return Meant(nearest(says), (), same, seen, writing)
        lacks = [word not in title for title in called]
        is_about = (places >= 0) & (places < OWN_WORDS) & np.array(lacks, np.bool_) & ~says
        return Meant(nearest(says), nearest(is_about), same, seen, writing)

    @cached_property
    def _in_other_words(self) -> Bools:
        """Which titles were encoded in other words, too: bool[concepts]."""
        titles, language = self._snapshot.concept_titles, base_language(self._snapshot.manifest.language)
        places = range(self._snapshot.concepts)
        return np.array([len(wordings(titles[place], language)) > 1 for place in places], np.bool_)

    def _vectors(self, name: str) -> tuple[Floats, Floats] | None:
        """Two unit vectors of a name along the titles' axes, float32[d] each; None where nothing compares.

        The first is of the name as it stands, the second of it in other words, too: titles are compared
        with that which was made as theirs was.
        """
        snapshot = self._snapshot
        digest = (snapshot.manifest.settings.get("encoder") or {}).get("digest")
        # A number is near all other numbers.
        if digest is None or snapshot.concepts > COMPARED or not any(map(str.isalpha, name)):
            return None
        try:
            encoder = self._encoder()
        except UnusableModel:
            return None
        if encoder.digest != digest:
            return None
        language = base_language(snapshot.manifest.language)
        encoded = np.concatenate([encoder.encode([name]), in_wordings([name], language, encoder.encode)])
        vectors = snapshot.scaled("title_vectors").along(encoded)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        if not lengths.all():
            return None
        first, second = (vectors / lengths[:, None]).astype(np.float32)
        return first, second
