"""Terms as vectors of a text encoder: whatever they say, also where no table knows their words."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, Protocol

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from encoders.wordings import in_wordings
from features.senses.lru import ENTRY
from features.terms.reordered import is_reordered
from measures.arrays import Floats, Ints
from snapshots.snapshot import Snapshot

KEPT_VECTORS = 8 << 20
"""Bytes of texts with their vectors that are kept ready: some four thousand of 384 dimensions."""


class EncodesTexts(Protocol):
    """What turns texts into vectors, of which two are as related as they point the same way."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def digest(self) -> str:
        """What decides its vectors, beside the kind."""

    @property
    def kind(self) -> str:
        """Whether an encoder itself encodes, or a table that was made of it."""

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """The vectors of some texts: float32[n, d], rows of unit length."""


class EncodedTexts:
    """The vectors of texts by an encoder, those that were asked for last kept. Threads may share it.

    ``digest``: the encoder's.
    """

    def __init__(self, encoder: EncodesTexts, language: str = "", most: int = KEPT_VECTORS) -> None:
        """``language``: the code of that which short texts are of; "" where that is not known.

        ``most``: bytes that are kept.
        """
        self._encoder = encoder
        self._language = language
        self.digest = encoder.digest
        self._kept: LRUCache[str, tuple[NDArray[np.float32], int]] = LRUCache(most, getsizeof=itemgetter(1))
        self._lock = threading.Lock()

    def made_leads(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot has vectors of what articles begin with, by the same encoder."""
        of = snapshot.manifest.settings.get("encoder") or {}
        return bool(of.get("digest") == self.digest)

    def cosines(self, texts: list[str], left: Ints, right: Ints) -> Floats:
        """The cosine of each two of some different ``texts``, by their places: float64[n], in [-1, 1].

        Where two have the same words, their order is all that tells them apart, and it is told best by the
        texts as they stand.
        """
        if not len(left):
            return np.zeros(0)
        vectors = self.vectors(texts)
        dots: Floats = np.einsum("ij,ij->i", vectors[left], vectors[right])
        pairs = enumerate(zip(left.tolist(), right.tolist(), strict=True))
        reordered = [row for row, (one, other) in pairs if is_reordered(texts[one], texts[other])]
        if reordered:
            sides = (
                self._each([texts[place] for place in side[reordered].tolist()]) for side in (left, right)
            )
            dots[reordered] = np.einsum("ij,ij->i", *sides)
        return np.minimum(np.maximum(dots, -1.0), 1.0)

    def vectors(self, texts: list[str]) -> Floats:
        """The vectors of some different texts, one at least, in their wordings: float64[n, d]."""
        return in_wordings(texts, self._language, self._each)

    def _each(self, texts: list[str]) -> Floats:
        """The vectors of some texts as they stand, one at least. New ones are encoded together."""
        with self._lock:
            vectors: dict[str, Any] = {text: self._kept[text][0] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        if missing:
            vectors |= zip(missing, self._encoder.encode(missing), strict=True)
            self._keep((text, vectors[text]) for text in missing)
        return np.array([vectors[text] for text in texts], np.float64)

    def _keep(self, encoded: Iterable[tuple[str, NDArray[np.float32]]]) -> None:
        with self._lock:
            for text, vector in encoded:
                size = ENTRY + vector.nbytes + 4 * len(text)
                if size <= self._kept.maxsize:
                    # A copy: a row alone would keep all that were encoded with it.
                    self._kept[text] = vector.copy(), size
