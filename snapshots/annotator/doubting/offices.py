"""Offices before surnames: Justice Kennedy was no president.

A surname that many have is mostly that of the best known of them, but behind an office which one holds for
life it is of somebody whose article is about that office.
"""

from __future__ import annotations

import re

OFFICES = {"en": frozenset(["Archbishop", "Bishop", "Cardinal", "Judge", "Justice", "Pope", "Rabbi"])}
"""By language, offices that are held for life, or nearly. Of others, such as Senator or General, the articles
on those who held them say too little."""

_LONGEST = 40
"""Characters of the longest office."""

_BEFORE = re.compile(r"\b([^\W\d_]+)[ \u00a0]$")


def office_before(text: str, start: int, language: str) -> str | None:
    """The office that stands before a place, in small letters; None where none does.

    >>> [office_before(text, 8, "en") for text in ("Justice Kennedy", "justice Kennedy", "General Grant")]
    ['justice', None, None]
    """
    before = _BEFORE.search(text, max(0, start - _LONGEST), start)
    return before[1].lower() if before is not None and before[1] in OFFICES.get(language, ()) else None
