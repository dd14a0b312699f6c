"""Titles that two other titles make together: who compares Computer and Mouse may mean a Computer mouse."""

from __future__ import annotations

from collections.abc import Callable

from wiki.inflections import PLURALS


def compounds(first: str, second: str, article: Callable[[str], int], language: str) -> list[str]:
    """The titles of two words or more that ``first`` and ``second`` are together, in either order.

    ``article``: the concept of a title, -1 where there is none. The last word may be a plural, and begin with
    a small letter or a capital.

    >>> titles = ["Computer mouse", "Microsoft Windows", "Death Star"]
    >>> article = lambda title: titles.index(title) if title in titles else -1
    >>> pairs = [("Mouse", "Computer"), ("Microsoft", "Window"), ("Star", "Death"), ("Cat", "Mouse")]
    >>> [compounds(*pair, article, "en") for pair in pairs]
    [['Computer mouse'], ['Microsoft Windows'], ['Death Star'], []]
    """
    plural = PLURALS.get(language)
    written: dict[str, None] = {}
    for before, behind in ((first, second), (second, first)):
        numbers = [behind, None if plural is None else plural(behind)]
        for noun in filter(None, numbers):
            written[f"{before} {noun[0].lower()}{noun[1:]}"] = written[f"{before} {noun}"] = None
    return [title for title in written if article(title) >= 0]
