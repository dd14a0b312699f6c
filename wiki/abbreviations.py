"""Abbreviations that are written with dots or without: U.S. and US, J.R.R. Tolkien and J. R. R. Tolkien."""

from __future__ import annotations

import re

_DOTTED = re.compile(r"(?<![\w.])(?:[^\W\d_]\.)+[^\W\d_](?:\.|(?![\w.]))")
"""Single letters with dots between them, and a last dot or none."""


def otherwise_dotted(title: str) -> list[str]:
    """The other ways in which a title with dotted initials may be written: with spaces between, without dots.

    >>> otherwise_dotted("U.S."), otherwise_dotted("J.R.R. Tolkien"), otherwise_dotted("U.K")
    (['U. S.', 'US'], ['J. R. R. Tolkien', 'JRR Tolkien'], ['U. K.', 'UK'])
    >>> otherwise_dotted("St. Louis"), otherwise_dotted("e.g."), otherwise_dotted("3.5")
    ([], [], [])
    """
    spaced = _DOTTED.sub(_spaced, title)
    return [] if spaced == title else [spaced, _DOTTED.sub(_plain, title)]


def _spaced(found: re.Match[str]) -> str:
    letters = found[0].replace(".", "")
    return f"{'. '.join(letters)}." if letters.isupper() else found[0]


def _plain(found: re.Match[str]) -> str:
    letters = found[0].replace(".", "")
    return letters if letters.isupper() else found[0]
