"""Spotting: where the mentions of the dictionary stand in a text."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from snapshots.naming.mentions import MAXIMUM_CHARACTERS, WORD_START, fold, inside_word
from snapshots.snapshot import Snapshot

Spots = NDArray[np.int32]
"""int32[spots, 3]: start, end and mention, ordered by start and end; they overlap."""


class Spotter:
    """The mention dictionary: finds every whole-word occurrence of a mention.

    ``trie`` holds the mentions; the number that it gives to each is the mention's id.
    """

    def __init__(self, trie: marisa_trie.Trie) -> None:
        self.trie = trie

    @classmethod
    def open(cls, path: Path) -> Self:
        """The dictionary in the file ``path``, memory-mapped."""
        return cls(marisa_trie.Trie().mmap(str(path)))

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Self:
        """The dictionary of a snapshot, memory-mapped.

        Raises:
            DamagedSnapshot: its file was altered, or replaced since the snapshot was opened.
        """
        return cls(snapshot.mapped_trie("mentions", marisa_trie.Trie()))

    def spots(self, text: str) -> Spots:
        """Every mention in ``text`` that starts and ends at the edge of a word."""
        folded, places = _searchable(text)
        prefixes, spotted = self.trie.iter_prefixes_with_ids, list[int]()
        for word in WORD_START.finditer(folded):
            start = word.start()
            for mention, number in prefixes(folded[start : start + MAXIMUM_CHARACTERS]):
                end = start + len(mention)
                if not inside_word(folded, end) and not inside_word(folded, start):
                    spotted += (start, end, number)
        spots = np.array(spotted, np.int32).reshape(-1, 3)
        if places is not None:
            spots[:, 1] = places[spots[:, 1] - 1] + 1
            spots[:, 0] = places[spots[:, 0]]
        return spots


def _searchable(text: str) -> tuple[str, NDArray[np.int64] | None]:
    """``text`` folded, with single spaces, and where each of its characters stood; None where it stood."""
    folded = fold(text)
    if "  " not in folded:
        return folded, None
    space = np.array([character == " " for character in folded])
    places = np.flatnonzero(~space | ~np.roll(space, 1) | (np.arange(len(space)) == 0))
    return "".join(folded[place] for place in places), places
