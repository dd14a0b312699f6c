"""The vocabulary as the words stage leaves it: words by id and back, and the totals behind frequencies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import marisa_trie
import msgspec
import numpy as np
from numpy.typing import NDArray

from building.arrays import save_array, save_strings
from building.stop_words import stop_words
from snapshots.arrays import map_array
from snapshots.strings import StringTable

_ID = "<I"


class TextCounts(msgspec.Struct, frozen=True):
    """Totals of the corpus: words with an id, and sentences with at least one word, known or not."""

    words: int
    sentences: int


class Vocabulary:
    """Words by id, the most frequent first.

    ``counts`` int64[n]: the sentences with each word, descending. ``document_frequencies`` int64[n]: the
    articles with it. ``strings``: the words. Opening maps files; nothing is read until it is asked for.
    """

    def __init__(self, folder: Path) -> None:
        self.counts: NDArray[np.int64] = map_array(folder / "word_counts.npy")
        self.document_frequencies: NDArray[np.int64] = map_array(folder / "document_frequencies.npy")
        self.strings = StringTable(
            map_array(folder / "words.offsets.npy"), map_array(folder / "words.data.npy")
        )
        self._ids: Any = marisa_trie.RecordTrie(_ID).mmap(str(folder / "words.marisa"))

    def __len__(self) -> int:
        return len(self.counts)

    def id(self, word: str) -> int:
        """The id of a word, -1 where it has none."""
        records = self._ids.get(word)
        return records[0][0] if records else -1

    def stop_words(self, language: str) -> NDArray[np.bool_]:
        """bool[n]: which words are stop words of the language."""
        stopped = np.zeros(len(self), np.bool_)
        ids = [self.id(word) for word in stop_words(language)]
        stopped[[number for number in ids if number >= 0]] = True
        return stopped

    def single_characters(self) -> NDArray[np.bool_]:
        """bool[n]: which words are of one character."""
        strings = self.strings
        if not len(strings):
            return np.zeros(0, np.bool_)
        starts_character = (strings.data & 0xC0) != 0x80  # every byte of UTF-8 but the continuing ones
        single: NDArray[np.bool_] = (
            np.add.reduceat(starts_character, strings.offsets[:-1], dtype=np.int64) == 1
        )
        return single


def save_vocabulary(
    folder: Path, words: Iterable[str], counts: NDArray[np.int64], document_frequencies: NDArray[np.int64]
) -> None:
    """Write what ``Vocabulary`` reads and the words by id; the places of ``words`` become their ids."""
    strings = StringTable.of(words)
    save_strings(folder, "words", strings)
    save_array(folder / "word_counts.npy", counts)
    save_array(folder / "document_frequencies.npy", document_frequencies)
    entries = ((strings[place], (place,)) for place in range(len(strings)))
    marisa_trie.RecordTrie(_ID, entries).save(str(folder / "words.marisa"))


def read_counts(folder: Path) -> TextCounts:
    """The totals that the words stage left in its folder."""
    return msgspec.json.decode((folder / "counts.json").read_bytes(), type=TextCounts)
