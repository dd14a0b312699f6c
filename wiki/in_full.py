"""Names that people write shorter than titles do: US Senate, JK Rowling, Liverpool FC, rhythm & blues."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TWO_LETTERS = re.compile(r"(.*[^,\s])(?:,\s*|\s+)([^\W\d_])\.?([^\W\d_])\.?")
"""Two letters behind a name, with dots or without, after a comma or none."""

_GENERATION = {"en": re.compile(r"(?<=[^\s,]),?\s+(jr|sr)\b\.?", re.IGNORECASE)}
"""What tells a son from his father behind a name, by the language of the wiki."""

_MOST_INITIALS = 3
"""Letters of the longest word that is taken for the initials of somebody."""

_VOWELS = frozenset("aeiouyAEIOUY")

_AND = {"en": "and"}
"""The word for &, by the language of the wiki."""

_COUNTRIES = {
    "en": {
        **dict.fromkeys(("us", "u.s.", "u.s"), "United States"),
        **dict.fromkeys(("uk", "u.k.", "u.k"), "United Kingdom"),
    }
}
"""What stands before what a country has, in small letters, and its name, by the language of the wiki."""

_OF = {"en": "{} of the {}"}
"""How what a country has is called otherwise, by the language of the wiki."""

_ENDINGS = {"en": ((" football club", " F.C."),)}
"""What titles have in short at their ends, in small letters, by the language of the wiki."""


def in_full(title: str, language: str) -> Iterator[str]:
    """A name as titles write it that is written in short, or in full where titles are not.

    Two letters at the end have dots, and a comma before them or none; initials in front have dots; & is a
    word, and the word &; a country in front is written out, or stands behind. "Jr." and "Sr." have a comma
    before them or none, and a dot or none.

    >>> [list(in_full(title, "en")) for title in ("Washington,DC", "JK Rowling", "Chelsea Football Club")]
    [['Washington, D.C.', 'Washington D.C.'], ['J. K. Rowling'], ['Chelsea F.C.']]
    >>> [list(in_full(title, "en")) for title in ("rhythm & blues", "the dog", "US", "U.S.A.", "Dr. No")]
    [['rhythm and blues'], [], [], [], ['Dr., N.O.', 'Dr. N.O.']]
    >>> list(in_full("Ken Griffey Jr", "en"))
    ['Ken Griffey, Jr.', 'Ken Griffey Jr.', 'Ken Griffey, Jr']
    >>> list(in_full("US president", "en")), list(in_full("rhythm & blues", "de"))
    (['United States president', 'president of the United States'], [])
    """
    first, _, rest = title.partition(" ")
    if not rest:
        # "Washington,D.C.": what has neither a blank nor a comma is one word.
        if "," in title:
            yield from _with_letters_behind(title)
        return
    # "Jr" is no J.R.
    yield from list(_with_generation(title, language)) or _with_letters_behind(title)
    country = _COUNTRIES.get(language, {}).get(first.lower())
    if country is not None:
        yield f"{country} {rest}"
        yield _OF[language].format(rest, country)
    elif _are_initials(first) and not rest.isupper():
        yield f"{'. '.join(first.upper())}. {rest}"
    word = _AND.get(language)
    if word is not None and " & " in title:
        yield title.replace(" & ", f" {word} ")
    elif word is not None and f" {word} " in title:
        yield title.replace(f" {word} ", " & ")
    for ending, short in _ENDINGS.get(language, ()):
        if title.lower().endswith(ending):
            yield title[: -len(ending)] + short


def _with_letters_behind(title: str) -> Iterator[str]:
    found = _TWO_LETTERS.fullmatch(title)
    if found is not None:
        letters = f"{found[2].upper()}.{found[3].upper()}."
        yield from (other for sign in (", ", " ") if (other := f"{found[1]}{sign}{letters}") != title)


def _with_generation(title: str, language: str) -> Iterator[str]:
    generation = _GENERATION.get(language)
    found = generation and generation.search(title)
    if found:
        before, after = title[: found.start()], title[found.end() :]
        written = (
            f"{before}{comma} {found[1].capitalize()}{dot}{after}" for dot in (".", "") for comma in (",", "")
        )
        yield from (other for other in written if other != title)


def _are_initials(word: str) -> bool:
    """Whether a word may be the initials of somebody: capitals, or letters that make no word.

    >>> [_are_initials(word) for word in ("JRR", "Jk", "Van", "U", "NASA", "St")]
    [True, True, False, False, False, True]
    """
    return 1 < len(word) <= _MOST_INITIALS and word.isalpha() and (word.isupper() or _VOWELS.isdisjoint(word))
