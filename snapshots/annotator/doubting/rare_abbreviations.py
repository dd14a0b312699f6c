"""Rare abbreviations: "OMG" is no Object Management Group wherever somebody writes it.

An article states what it is called for short, and hardly any article links to it so: three letters are short
for many other things, which a snapshot lacks, or which have no article.
"""

from __future__ import annotations

from snapshots.annotator.names.abbreviations import OFTEN
from snapshots.csr import CSR
from snapshots.naming.aliases import Aliases

NEAR = 0.25
"""The cosine with the surroundings from which on what an article states is meant. Of 22 such abbreviations in
sentences of English articles that have less, 18 stand for something else."""


class RareAbbreviations:
    """Tells what is rarely short for a concept. Reads only; usable from several threads."""

    def __init__(self, aliases: Aliases, in_links: CSR) -> None:
        """``in_links``: of the concepts, which say which of them are linked often (``OFTEN``)."""
        self._aliases, self._in_links = aliases, in_links

    def has(self, written: str, concept: int) -> bool:
        """Whether ``written`` has capitals alone, and is stated by the article of a concept that few link."""
        if not (written.isalpha() and written.isupper()):
            return False
        if float(self._in_links.sizes(concept)) >= OFTEN * self._in_links.columns:
            return False
        return any(
            each.concept == concept and "stated" in each.kinds for each in self._aliases.named(written)
        )
