"""What the mention dictionary of a snapshot knows of a name: its senses, and how often it is a link."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.annotator import TRIE
from snapshots.annotator.names.false_plurals import FalsePlurals
from snapshots.annotator.spotting import Spots, Spotter
from snapshots.naming.mentions import fold, mention_of
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot

_NO_SPOTS: Spots = np.zeros((0, 3), np.int32)


class MentionDictionary:
    """The mentions of a snapshot; where it has none, as old excerpts have, nothing is known of any name.

    False plurals among them are none. Reads only; usable from several threads. ``longest``: words that a
    mention has at most.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Open it.

        Raises:
            DamagedSnapshot: a file of it was replaced after the snapshot was opened, or cannot be read.
        """
        self._concepts = snapshot.concepts
        self._table = snapshot.csr("senses")
        self._link_probability: NDArray[Any] = snapshot.array("link_probability")
        there = (snapshot.folder / TRIE).is_file()
        self._spotter = Spotter.of_snapshot(snapshot) if there else None
        if self._spotter is not None:
            self._false_plurals = FalsePlurals.of_snapshot(snapshot, self._spotter.trie)
        self.longest = int(snapshot.manifest.settings.get("mention_words", BuildSettings().mention_words))

    def number(self, name: str) -> int:
        """The number of the mention that ``name`` is as a whole, whatever its case; -1 where it is none."""
        mention = mention_of(name, self.longest)
        if mention is None or self._spotter is None:
            return -1
        number: int = self._spotter.trie.get(mention, -1)
        return -1 if number >= 0 and self._false_plurals.has(number, self._table) else number

    def link_probability(self, mention: int) -> np.float32:
        """The share of the articles with a mention in which it is a link."""
        return np.float32(self._link_probability[mention])

    def senses(self, mention: int) -> dict[int, float]:
        """The concepts of a mention that can be asked for, and the commonness of each."""
        row = zip(self._table.row(mention).tolist(), self._table.row_values(mention).tolist(), strict=True)
        return {concept: share for concept, share in row if concept < self._concepts}

    def is_plural(self, name: str, noun: str) -> bool:
        """Whether a name is the plural of a noun, whatever their case."""
        return self._spotter is not None and self._false_plurals.is_singular(fold(noun), fold(name))

    def spots(self, text: str) -> Spots:
        """Every mention in ``text``, as ``Spotter.spots`` gives them."""
        if self._spotter is None:
            return _NO_SPOTS
        spots = self._spotter.spots(text)
        true = [not self._false_plurals.has(mention, self._table) for mention in spots[:, 2].tolist()]
        return spots[np.array(true, np.bool_)]
