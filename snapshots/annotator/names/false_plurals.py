"""False plurals: "tones" are no tons, nor "skies" skis, though links that a machine placed may say so.

A machine that looks for titles in texts may take what is left of a word for its ending. Where the plural of a
title is written otherwise, by the rules of the language, such a mention is none, and may be another's name.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Self

import marisa_trie

from snapshots.csr import CSR
from snapshots.naming.mentions import QUALIFIER, fold
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language
from snapshots.strings import StringTable
from wiki.inflections import PLURALS


class _Ending(NamedTuple):
    """An ending of plurals, and the nouns that may have it whatever the rules say."""

    ending: str
    nouns: re.Pattern[str]


_ENDINGS = {"en": _Ending("es", re.compile(r"(?:s|x|z|ch|sh|o)$"))}
"""By language. English writes "cargoes" as well as "cargos"."""

HALF = 0.5
"""The share of a mention's links from which on they say what it is taken for."""


class FalsePlurals:
    """Finds such mentions. Reads only; usable from several threads."""

    def __init__(self, mentions: marisa_trie.Trie, titles: StringTable, language: str) -> None:
        """``mentions``: the dictionary; ``titles``: of the concepts; ``language``: of the wiki."""
        self._mentions, self._titles = mentions, titles
        self._rule, self._plural = _ENDINGS.get(language), PLURALS.get(language)

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot, mentions: marisa_trie.Trie) -> Self:
        """Those of a snapshot, whose dictionary is ``mentions``."""
        return cls(mentions, snapshot.concept_titles, base_language(snapshot.manifest.language))

    def is_singular(self, name: str, title: str) -> bool:
        """Whether a title, in small letters, is the plural of a name, as Shorts is of "short"."""
        return self._plural is not None and self._plural(name) == title

    def has(self, mention: int, senses: CSR) -> bool:
        """Whether at least half of a mention's links lead to what it is a false plural of.

        ``senses``: mentions by concepts, commonness. Concepts without a title, as an excerpt has them, are
        taken as they come.
        """
        if self._rule is None or self._plural is None:
            return False
        name = self._mentions.restore_key(mention)
        noun = name.removesuffix(self._rule.ending)
        if noun == name or self._rule.nouns.search(noun) or self._plural(noun) == name:
            return False
        shares = zip(senses.row(mention).tolist(), senses.row_values(mention).tolist(), strict=True)
        return any(
            share >= HALF and fold(QUALIFIER.sub("", self._titles[concept])) == noun
            for concept, share in shares
            if concept < len(self._titles)
        )
