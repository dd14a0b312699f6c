"""Other ways to write a title: U.S. and US, Coca Cola and Coca-Cola, World War 2 and World War II."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wiki.inflections import BARE

_DOTTED = re.compile(r"(?<![\w.])(?:[^\W\d_]\.)+[^\W\d_](?:\.|(?![\w.]))")
"""Single letters with dots between them, and a last dot or none."""

_LONGEST = 8
"""Words of a title that may be written otherwise; a longer one is a sentence, and was copied."""

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")

_NUMBERS = {
    "en": (
        *("one", "two", "three", "four", "five", "six"),
        *("seven", "eight", "nine", "ten", "eleven", "twelve"),
    )
}
"""The words for the numbers from one on, by the language of the wiki."""

_LEFT_OUT = {"en": (", Jr.", " Jr.")}
"""What often is left out at the end of a name, by the language of the wiki."""


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


def otherwise_spelt(title: str, language: str) -> Iterator[str]:
    """Other ways in which a title may be meant that is written so, each with one thing changed.

    An article in front is left out; a space is a hyphen, or a hyphen a space; an ``s`` at the end of a word
    has an apostrophe before it, or none; a number is a Roman one; "Jr." is added.

    >>> list(otherwise_spelt("coca cola", "en"))
    ['coca-cola', 'coca cola, Jr.', 'coca cola Jr.']
    >>> [list(otherwise_spelt(title, "de")) for title in ("World War 2", "mcdonalds", "E-Mail")]
    [['World-War 2', 'World War-2', 'World War II'], ["mcdonald's"], ['E Mail']]
    >>> list(otherwise_spelt("the world war two", "en"))[0::4]
    ['world war two', 'the world war II']
    """
    words = title.split()
    if not 0 < len(words) <= _LONGEST:
        return
    bare = BARE.get(language)
    if bare is not None and (without := bare(title)):
        yield without
    for place in range(1, len(words)):
        yield f"{' '.join(words[:place])}-{' '.join(words[place:])}"
    if "-" in title:
        yield title.replace("-", " ")
    for place, word in enumerate(words):
        if other := _otherwise_spelt(word, language):
            yield " ".join([*words[:place], other, *words[place + 1 :]])
    for ending in _LEFT_OUT.get(language, ()):
        if len(words) > 1:
            yield title + ending


def _otherwise_spelt(word: str, language: str) -> str | None:
    """A number as a Roman one, a genitive with its apostrophe or without; None for other words."""
    numbers = _NUMBERS.get(language, ())
    if word.lower() in numbers:
        return _ROMAN[numbers.index(word.lower())]
    if word.isdecimal() and word.isascii() and len(word) <= 2 and 0 < int(word) <= len(_ROMAN):
        return _ROMAN[int(word) - 1]
    if word[-2:] in ("'s", "’s"):
        return f"{word[:-2]}s"
    return f"{word[:-1]}'s" if len(word) > 3 and word.endswith("s") and word.isalpha() else None
