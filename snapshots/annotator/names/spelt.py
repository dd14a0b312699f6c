"""Titles that have a spelling of their own: a capital within a word, as the titles iPhone and NeXT have.

A text that spells such a word just so means it, whatever links say: a dump may have none to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import marisa_trie

from snapshots.naming.names import DISAMBIGUATION

LINKED = 0.7
"""How often such a word is a link: 28 of the 40 that stand in real English articles, each counted once an
article and not in its own, are one there (``python -m benchmarks.doubts`` counts them)."""

_CAPITAL_WITHIN = re.compile(r"\b[^\W_]+[A-ZÀ-ÖØ-ÞΑ-ΩЀ-Я][^\W_]*\b")


class Spelt(NamedTuple):
    """A word of a text that is spelt as a title is, and the concept that the title leads to."""

    start: int
    end: int
    concept: int


class SpeltTitles:
    """Finds such words. Reads only; usable from several threads."""

    def __init__(self, titles: marisa_trie.RecordTrie) -> None:
        """``titles``: the trie of titles, which begin with a capital (``snapshots.naming.names.RECORD``)."""
        self._titles = titles

    def found(self, text: str) -> Iterator[Spelt]:
        """The words of ``text`` that have small letters, and a capital behind the first, as a title has."""
        for word in _CAPITAL_WITHIN.finditer(text):
            written = word[0]
            records = None if written.isupper() else self._titles.get(written[0].upper() + written[1:])
            if records and records[0][0] != DISAMBIGUATION:
                yield Spelt(word.start(), word.end(), records[0][1])
