"""Titles without what tells them apart from others: "Mercury (planet)", "Paris, Texas", "Apple Inc."."""

from __future__ import annotations

import re

_QUALIFIED = re.compile(r"(.*\S)\s*\([^()]+\)")
_ARTICLES = {"en": ("The ", "A ", "An ")}
_FORMS = {
    "en": re.compile(
        r"(?:River|Mount) (?P<named>[^\W\d_][\w’'-]*)"
        r"|(?P<formed>.*[^\s,]),? (?:A?\.?F\.C\.|Inc\.|Ltd\.|AG|Corporation|Motors|Motor Company)"
        r"|(?P<taught>\S+(?: \S+)?) University"
    )
}
"""How names begin and end that say of what: of a river, a mountain, a club, a firm or a university."""

_LISTS = {"en": ("List of ", "Lists of ", "Index of ", "Outline of ")}
"""How titles of pages begin that are about a list and not about what is in it."""


def unqualified(title: str) -> str | None:
    """The title before its qualifier in parentheses; None where it has none.

    >>> unqualified("Mercury (planet)"), unqualified("Mercury")
    ('Mercury', None)
    """
    match = _QUALIFIED.fullmatch(title)
    return match[1] if match else None


def placed(title: str) -> tuple[str, str] | None:
    """The name before the comma, and the last part behind one: the place in which the named one lies.

    Whether that is a place must be known: of "Lock, Stock and Two Smoking Barrels" it is none.

    >>> placed("Paris, Texas"), placed("Springfield, Greene County, Ohio"), placed("Paris")
    (('Paris', 'Texas'), ('Springfield', 'Ohio'), None)
    """
    name, *parts = title.split(", ")
    return (name, parts[-1]) if parts and name and parts[-1] else None


def without_article(title: str, language: str) -> str | None:
    """The title without the article that it begins with; None where it has none that is known.

    >>> without_article("The Beatles", "en"), without_article("Theatre", "en")
    ('Beatles', None)
    """
    for article in _ARTICLES.get(language, ()):
        if title.startswith(article):
            return title[len(article) :]
    return None


def without_form(title: str, language: str) -> str | None:
    """The title without what says what it is the name of; None where nothing does that is known.

    >>> [without_form(title, "en") for title in ("Manchester United F.C.", "Apple, Inc.", "Tesla Motors")]
    ['Manchester United', 'Apple', 'Tesla']
    >>> [without_form(title, "en") for title in ("River Thames", "Harvard University", "F.C.", "River")]
    ['Thames', 'Harvard', None, None]
    """
    form = _FORMS.get(language)
    match = None if form is None else form.fullmatch(title)
    return match[match.lastgroup or 0] if match else None


def is_list(title: str, language: str) -> bool:
    """Whether the title is that of a list, so that what follows names something else."""
    return title.startswith(_LISTS.get(language, ()))
