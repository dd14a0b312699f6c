"""Titles that are a name and a legal form, as the name's senses: Apple Inc. for "Apple".

Where links were placed by machines, those of the name lead to what is called just so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import marisa_trie

from snapshots.annotator.names.further_senses import weighed_by_links
from snapshots.csr import CSR
from snapshots.naming.aliases import AliasSense
from snapshots.naming.names import ARTICLE

LEGAL_FORMS = (
    *("Inc.", "Inc", "Corporation", "Corp.", "Company", "Ltd.", "Limited", "LLC", "plc"),
    *("AG", "SE", "GmbH", "S.A.", "N.V.", "S.p.A.", "AB", "A/S"),
)
"""What stands behind a company's name in its title, behind a comma or not."""

LEAST = 0.05
"""The share of the links to all senses that a company has to have: Apple Inc. has 0.07 in the starter."""

REMEMBERED = 20_000
"""Names whose companies are remembered: a megabyte or two."""


def is_company(title: str) -> bool:
    """Whether a title ends with a legal form.

    >>> is_company("Apple Inc."), is_company("Apple")
    (True, False)
    """
    return title.rpartition(" ")[2] in LEGAL_FORMS


class Companies:
    """Finds the companies of names of one word. Reads only; usable from several threads."""

    def __init__(self, leading: marisa_trie.RecordTrie, in_links: CSR) -> None:
        """``leading``: whatever leads somewhere (``RECORD``); ``in_links``: of concepts."""
        self._in_links = in_links
        self._titled = lru_cache(REMEMBERED)(partial(_titled, leading))

    def senses(self, folded: str, known: Sequence[int]) -> list[AliasSense]:
        """The companies called so, and their shares of the links to them and to ``known``, the other senses.

        ``folded``: the name in small letters. Of several words, none is given, nor where a sense is beyond
        the concepts of an excerpt, which does not know its links.
        """
        if not known or " " in folded or max(known) >= self._in_links.rows:
            return []
        return weighed_by_links(self._titled(folded), known, self._in_links, LEAST)


def _titled(leading: marisa_trie.RecordTrie, folded: str) -> tuple[int, ...]:
    """The concepts whose titles are a name, in small letters, and a legal form."""
    name = f"{folded[:1].upper()}{folded[1:]}"
    records = (leading.get(f"{name}{comma} {form}") for form in LEGAL_FORMS for comma in ("", ","))
    return tuple(sorted({of for record in records if record for kind, of in record if kind == ARTICLE}))
