"""What somebody may have meant by a name that a snapshot lacks: concepts whose titles say nearly the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.errors import UnusableModel
from features.terms.encoded import EncodesTexts
from measures.arrays import Floats, Ints
from measures.ranks import greatest
from snapshots.snapshot import Snapshot

LEAST_COSINE = 0.8
"""Of the vectors of a name and of a title, below which they say different things: at 0.7 "selfie" is near
Nude photography, and "asdfgh" near anything."""

SURELY = 0.9
"""The cosine from which on a name means what a title says even where another title is spelt nearly so:
"Atheismus" is no error of Agnosticism, nor "Athism" another word for Mohism, at 0.82."""

LINKED_FIRST = 0.01
"""How much the logarithm of a concept's in-links counts beside the cosine: of titles that are as near, what
people write about is meant ("mom" is Mother, and then Parent rather than Mother 3)."""

COMPARED = 200_000
"""Concepts of a snapshot beyond which none is compared: that takes some 50 ns a concept."""


class MeantConcepts:
    """Finds concepts by what a name means, with an encoder's vectors of their titles. Threads may share it.

    It finds nothing where the snapshot has no vectors, or has them by another encoder than the one here.
    """

    def __init__(self, snapshot: Snapshot, encoder: Callable[[], EncodesTexts]) -> None:
        """``encoder``: opens that of texts, or gives the one that is open; not called before it is needed."""
        self._snapshot = snapshot
        self._encoder = encoder

    def find(self, name: str, limit: int, least: float = LEAST_COSINE) -> list[int]:
        """The concepts that are nearest to a name in meaning, ``limit`` at most, the nearest first.

        ``least``: the cosine that they have at the least.
        """
        vector = self._vector(name)
        if vector is None:
            return []
        titles = self._snapshot.scaled("title_vectors")
        cosines = (titles.vectors @ vector) * titles.scales
        links = np.diff(self._snapshot.csr("in_links").indptr)[: len(cosines)]
        near: Ints = np.flatnonzero(cosines >= least)
        ranked = cosines[near] + LINKED_FIRST * np.log1p(links[near])
        concepts: list[int] = near[greatest(ranked, limit)].tolist()
        return concepts

    def _vector(self, name: str) -> Floats | None:
        """The unit vector of a name along the titles' axes, float32[d]; None where nothing compares."""
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
        vector = snapshot.scaled("title_vectors").along(encoder.encode([name]))[0]
        length = float(np.sqrt(vector @ vector))
        return (vector / length).astype(np.float32) if length else None
