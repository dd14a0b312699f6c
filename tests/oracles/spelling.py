"""How near each title is to a text, by the whole table of edits; and typing errors."""

from __future__ import annotations

import random

import numpy as np

from jit.compiled import compiled
from measures.arrays import Array
from snapshots.strings import StringTable

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Titles:
    """Folded titles as the numbers of their letters, to be compared with one text."""

    def __init__(self, titles: list[str]) -> None:
        table = [np.frombuffer(title.encode("utf-32-le"), np.uint32) for title in titles]
        self._offsets = np.concatenate([[0], np.cumsum([len(row) for row in table])]).astype(np.int64)
        self._letters = np.concatenate([*table, np.zeros(0, np.uint32)])

    def distances(self, text: str) -> Array:
        """The fewest edits that make ``text`` a beginning of each title: int64[n]."""
        found: Array = _distances(
            np.frombuffer(text.encode("utf-32-le"), np.uint32), self._offsets, self._letters
        )
        return found


@compiled
def _distances(text: Array, offsets: Array, letters: Array) -> Array:
    """Optimal string alignment, each beginning of a title a candidate: the least of the last row."""
    found = np.empty(len(offsets) - 1, np.int64)
    for title in range(len(offsets) - 1):
        key = letters[offsets[title] : offsets[title + 1]]
        # A beginning that has more letters than the text by n takes n edits at least.
        size = min(len(key), 2 * len(text))
        rows = np.empty((len(text) + 1, size + 1), np.int64)
        for j in range(size + 1):
            rows[0, j] = j
        for i in range(1, len(text) + 1):
            rows[i, 0] = i
            for j in range(1, size + 1):
                best = rows[i - 1, j - 1] + (text[i - 1] != key[j - 1])
                best = min(best, rows[i - 1, j] + 1, rows[i, j - 1] + 1)
                if i > 1 and j > 1 and text[i - 1] == key[j - 2] and text[i - 2] == key[j - 1]:
                    best = min(best, rows[i - 2, j - 2] + 1)
                rows[i, j] = best
        found[title] = rows[len(text)].min()
    return found


def mistyped(text: str, chance: random.Random) -> str:
    """``text`` with one typing error: a letter wrong, too many, missing, or exchanged with the next."""
    kind, at, letter = chance.randrange(4), chance.randrange(len(text)), chance.choice(LETTERS)
    if kind == 0:
        return text[:at] + letter + text[at + 1 :]
    if kind == 1:
        return text[:at] + letter + text[at:]
    if kind == 2:
        return text[:at] + text[at + 1 :]
    return text[:at] + text[at : at + 2][::-1] + text[at + 2 :]


def all_titles(titles: StringTable) -> list[str]:
    """Every title of a table."""
    return [titles[row] for row in range(len(titles))]
