"""Titles that have a name before a comma, as the name's senses: Washington, D.C. for "Washington".

Editors' links from the name lead to it in some wikis alone; in a text, it may be meant in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import marisa_trie

from snapshots.annotator.names.further_senses import weighed_by_links
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
        placed = (
            concept
            for title, (kind, concept) in islice(self._leading.iteritems(begin), WALKED)
            if kind == ARTICLE and is_placed(title)
        )
        return weighed_by_links(placed, known, self._in_links, LEAST)
