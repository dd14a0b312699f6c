"""Titles with other signs: those of print or of a keyboard; dots behind initials and short words, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DOTTED = re.compile(r"(?<![\w.])(?:[^\W\d_]\.)+[^\W\d_](?:\.|(?![\w.]))")
"""Single letters with dots between them, and a last dot or none."""

_NO_INITIALS = frozenset(["eg", "ie"])
"""What is written with dots, and stands for words of Latin and for no name."""

_BULLET = re.compile(r"^\s*(?:[-–—*•·+]\s+|\d{1,3}[.)]\s+)")
"""What stands before a line of a list."""

_MARKS = " \t\"'“”„‘’«»()[].,;:!?"
"""What stands around a name in a sentence."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‛ʻʼ´`′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
    }
)
"""The signs that print has, and those of a keyboard. Telephones and Word set the former by themselves."""

_PRINTED = (("-", "–"), ("-", "—"), ("'", "’"))
"""Signs of a keyboard, and what titles have in their places."""

_MOST_HYPHENS = 4
"""Hyphens of a title of which each may be a dash by itself."""

_SHORT = 4
"""Letters of the longest word that is an abbreviation with a dot: "Capt."."""

LONGEST = 8
"""Words of a title that may be written otherwise; a longer one is a sentence, and was copied."""


def unmarked(title: str) -> list[str]:
    """A title without what a list or a sentence puts around it, if there is something such.

    >>> [unmarked(title) for title in ('"Atheism"', "- Dog", "1. Horse", "Dog,", "(Jazz).", ".NET", "1984")]
    [['Atheism'], ['Dog'], ['Horse'], ['Dog'], ['Jazz'], [], []]
    """
    if behind_dot(title) is not None:
        return []
    bare = _BULLET.sub("", title).strip(_MARKS)
    return [bare] if bare and bare != title else []


def behind_dot(title: str) -> str | None:
    """The capitals that a title is behind a dot, which is one of the name then; None of another title.

    >>> behind_dot(".NET"), behind_dot(".Net"), behind_dot("NET.")
    ('NET', None, None)
    """
    letters = title[1:]
    return letters if title[:1] == "." and letters.isalpha() and letters.isupper() else None


def plainly_signed(title: str) -> str:
    """A title with the apostrophes, quotes and hyphens of a keyboard in place of those that print has.

    >>> plainly_signed("Schrödinger’s cat"), plainly_signed("Titius–Bode law"), plainly_signed("“Heroes”")
    ("Schrödinger's cat", 'Titius-Bode law', '"Heroes"')
    """
    return title if title.isascii() else title.translate(_PLAIN)


def otherwise_signed(title: str) -> list[str]:
    """A title with other signs: plain ones, those of print, and dots behind short words, or none.

    >>> otherwise_signed("McDonald’s"), otherwise_signed("Run-D.M.C."), otherwise_signed("Dog")
    (["McDonald's"], ['Run–D.M.C.', 'Run—D.M.C.'], [])
    >>> otherwise_signed("St Louis"), otherwise_signed("Mr. Brown"), otherwise_signed("John F Kennedy")
    (['St. Louis'], ['Mr Brown'], ['John. F Kennedy', 'John F. Kennedy'])
    """
    plain = plainly_signed(title)
    signed = [plain]
    for sign, printed in _PRINTED:
        if sign in plain:
            signed.append(plain.replace(sign, printed))
    if 1 < plain.count("-") <= _MOST_HYPHENS:
        parts = plain.split("-")
        signed += (f"{'-'.join(parts[:at])}–{'-'.join(parts[at:])}" for at in range(1, len(parts)))
    words = plain.split()
    if 1 < len(words) <= LONGEST:
        short = [at for at, word in enumerate(words) if len(word) <= _SHORT and word.isalpha()]
        initials = [at for at in short if len(words[at]) == 1]
        signed += (_with_dots(words, places) for places in (*([at] for at in short), initials))
        if ". " in plain:
            signed.append(" ".join(_without_dot(word) for word in words))
    return [other for other in dict.fromkeys(signed) if other != title]


def _with_dots(words: list[str], places: Sequence[int]) -> str:
    return " ".join(f"{word}." if at in places else word for at, word in enumerate(words))


def _without_dot(word: str) -> str:
    """A word without a dot behind it, if it may be an abbreviation; initials have another rule."""
    bare = word.removesuffix(".")
    return bare if 1 < len(bare) <= _SHORT and bare.isalpha() else word


def otherwise_dotted(title: str) -> list[str]:
    """The other ways in which a title with dotted initials may be written: with spaces between, without dots.

    >>> otherwise_dotted("U.S."), otherwise_dotted("J.R.R. Tolkien"), otherwise_dotted("u.k")
    (['U. S.', 'US'], ['J. R. R. Tolkien', 'JRR Tolkien'], ['U. K.', 'UK'])
    >>> otherwise_dotted("St. Louis"), otherwise_dotted("e.g."), otherwise_dotted("3.5")
    ([], [], [])
    """
    spaced = _DOTTED.sub(_spaced, title)
    return [] if spaced == title else [spaced, _DOTTED.sub(_plain, title)]


def _spaced(found: re.Match[str]) -> str:
    letters = _initials(found)
    return f"{'. '.join(letters)}." if letters else found[0]


def _plain(found: re.Match[str]) -> str:
    return _initials(found) or found[0]


def _initials(found: re.Match[str]) -> str:
    """Dotted letters as capitals, without the dots; nothing where they are no initials."""
    letters = found[0].replace(".", "")
    return "" if letters.lower() in _NO_INITIALS else letters.upper()
