"""Titles that have a name before a comma, as the name's senses: Washington, D.C. for "Washington".

Editors' links from the name lead to it in some wikis alone; in a text, it may be meant in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import marisa_trie

from snapshots.csr import CSR
from snapshots.naming.alias_use import is_placed
from snapshots.naming.aliases import AliasSense
from snapshots.naming.names import ARTICLE

LEAST = 0.1
"""The share of the links to all senses that one has to have: of Paris, Texas, hardly anybody speaks."""

WALKED = 100
"""Titles with a name and a comma that are looked through."""


class PlacedTitles:
    """Finds such senses of names of one word. Reads only; usable from several threads."""

    def __init__(self, leading: marisa_trie.RecordTrie, in_links: CSR) -> None:
        """``leading``: whatever leads somewhere (``RECORD``); ``in_links``: of concepts."""
        self._leading, self._in_links = leading, in_links

    def senses(self, folded: str, known: Sequence[int]) -> list[AliasSense]:
        """The concepts of such titles, and their shares of the links to them and to ``known``, the senses.

        ``folded``: the name in small letters. None of several words has any: who says University of
        California does not mean University of California, Los Angeles. Nor is anything said where a sense is
        beyond the concepts of an excerpt, which does not know its links.
        """
        if not known or " " in folded or max(known) >= self._in_links.rows:
            return []
        begin = f"{folded[:1].upper()}{folded[1:]}, "
        links = {
            concept: 1 + float(self._in_links.sizes(concept))
            for title, (kind, concept) in islice(self._leading.iteritems(begin), WALKED)
            if kind == ARTICLE and concept not in known and is_placed(title)
        }
        total = sum(links.values()) + sum(1 + float(self._in_links.sizes(each)) for each in known)
        return [
            AliasSense(concept, of / total, ("unqualified",))
            for concept, of in links.items()
            if of >= LEAST * total
        ]
