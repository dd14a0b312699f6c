"""Lists of names as people paste them: with bullets or numbers before them, or with commas between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARK = re.compile(r"(?:[-–—*+•‣·]|\(?\d{1,3}[.)])\s+(?=\S)")
"""What a list has before each of its lines: a bullet or a number."""

_BETWEEN = re.compile(r"[,;]\s+")
"""What stands between names in a line. Without a blank behind it, a comma is part of a number or a name."""


def unlisted(lines: Sequence[str]) -> list[str]:
    """The lines of a list without the marks before them; lines as they are where one has none.

    One line alone is no list: titles may begin so, as that of "1. FC Köln" does.

    >>> unlisted(["- Dog", "* Cat", "1. Tea", "2) Milk"]), unlisted(["1. FC Köln"])
    (['Dog', 'Cat', 'Tea', 'Milk'], ['1. FC Köln'])
    >>> unlisted(["1. FC Köln", "Football"])
    ['1. FC Köln', 'Football']
    """
    marks = [_MARK.match(line) for line in lines]
    if len(lines) < 2 or not all(marks):
        return list(lines)
    return [line[mark.end() :] for line, mark in zip(lines, marks, strict=True) if mark is not None]


def parted(line: str) -> list[str]:
    """The names that commas or semicolons part in a line, each once.

    >>> parted("Dog, Cat, and Tea; Dog"), parted("Dog"), parted("10,000 metres")
    (['Dog', 'Cat', 'Tea'], ['Dog'], ['10,000 metres'])
    """
    names = (re.sub(r"^(?:and|or)\s+", "", part.strip(" ,;")) for part in _BETWEEN.split(line))
    return list(dict.fromkeys(name for name in names if name))
