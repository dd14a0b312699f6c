"""The names that a snapshot knows: titles, what else leads to them, aliases, and how often words stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import marisa_trie

from snapshots.naming.aliases import Aliases
from snapshots.naming.names import RECORD
from snapshots.naming.word_counts import WordCounts
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from snapshots.text import words
from wiki.folding import fold


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The tables of names that tell whose a word of a text may be. Read only; usable from several threads.

    ``titles``: of the concepts; ``leading``: whatever leads somewhere, each with a capital
    (``snapshots.naming.names.RECORD``); ``counted``: how often single words stand in articles.
    """

    titles: StringTable
    leading: marisa_trie.RecordTrie
    aliases: Aliases
    counted: WordCounts

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot, aliases: Aliases) -> Self:
        """Those of a snapshot, which has ``aliases``.

        Raises:
            DamagedSnapshot: a file was altered, or replaced since the snapshot was opened.
        """
        titles, leading = snapshot.concept_titles, snapshot.trie("titles", RECORD)
        return cls(titles, leading, aliases, WordCounts.of_snapshot(snapshot))

    def words_of(self, concept: int) -> list[str]:
        """The words of a concept's title, in small letters."""
        return words(fold(self.titles[concept]))

    def is_surname(self, word: str, but: int = -1) -> bool:
        """Whether somebody has a word for a surname, other than the concept ``but``."""
        named = (each for each in self.aliases.named(word) if each.concept != but)
        return any("surname" in each.kinds for each in named)

    def is_surname_of(self, written: str, concept: int) -> bool:
        """Whether what a text has with a capital is the surname of a concept, who is a person."""
        return written[0].isupper() and self.aliases.is_surname(written, concept)
