"""People: which articles are biographies, and the surname of the one that they are about."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LIFE = {
    "en": re.compile(
        r"\([^()]*\b(?:born|died|b\.|c\.|fl\.)[^()]*\d{2,4}"
        r"|\([^()]*\d{3,4}\)?[^()]{0,40}(?:[-–—−]|\bto\b|\bdied\b)[^()]{0,40}\d{3,4}"
    ),
}
"""When somebody was born or died, in parentheses behind the name; a pattern by language."""

_PERSON = {
    "en": re.compile(
        r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b"
        r"|\b(?:was|is) an? [^.]{0,80}?\b\w*(?:er|or|ist|ian|man|king|queen|poet|saint)\b"
    ),
}
"""That it is somebody and no war or reign of those years."""

_CATEGORIES = {"en": re.compile(r"\d+ (?:births|deaths)$|^Living people$|\bpeople$|^People$|\bwriters?$")}

_WITHIN = re.compile(r"(?<=[^\s(]) \([^()\d]*\)")
"""Parentheses without a year, as in "(26 April 1564 (baptised) – 23 April 1616)"."""

_SUFFIX = re.compile(r",? (?:Jr|Sr|Junior|Senior)\.?$")
_CAPITALISED = re.compile(r"[^\W\d_][\w.’'-]*")
_ROMAN = re.compile(r"[IVXLC]+")
_PARTICLES = frozenset(
    [
        "al",
        "bin",
        "da",
        "de",
        "del",
        "della",
        "der",
        "di",
        "do",
        "dos",
        "du",
        "el",
        "ibn",
        "la",
        "le",
        "ten",
        "ter",
        "van",
        "von",
        "y",
        "zu",
    ]
)


def is_person(sentence: str, paragraph: str, categories: Sequence[str], language: str) -> bool:
    """Whether an article is a biography: by its categories, or the years of a life and a person's words.

    False in a language of which neither is known.
    """
    of_people = _CATEGORIES.get(language)
    if of_people is not None and any(map(of_people.search, categories)) and _dated(sentence, language):
        return True
    person = _PERSON.get(language)
    return person is not None and _dated(sentence, language) and bool(person.search(paragraph))


def surnames(name: str) -> list[str]:
    """The surname of a person, without and with its particles; none of who has one name, or a number.

    >>> surnames("Albert Einstein"), surnames("Vincent van Gogh"), surnames("Martin Luther King, Jr.")
    (['Einstein'], ['Gogh', 'van Gogh'], ['King'])
    >>> surnames("Louis XIV"), surnames("Aristotle"), surnames("Catherine of Aragon")
    ([], [], [])
    """
    words = _SUFFIX.sub("", name).split()
    if not 2 <= len(words) <= 5 or not words[0][:1].isupper():
        return []
    if any(_ROMAN.fullmatch(word) for word in words[1:]):
        return []
    small = [word for word in words[1:-1] if not word[:1].isupper()]
    last = words[-1]
    if (
        not set(small) <= _PARTICLES
        or not _CAPITALISED.fullmatch(last)
        or not last[0].isupper()
        or len(last) < 3
    ):
        return []
    names = [last]
    begins = len(words) - 1
    while begins > 1 and words[begins - 1].lower() in _PARTICLES:
        begins -= 1
    if begins < len(words) - 1:
        names.append(" ".join(words[begins:]))
    return names


def full_name(title: str, sentence: str) -> str | None:
    """The name that a biography begins with, before the parentheses; None where that is none, or the title.

    >>> full_name("Charles Darwin", "Charles Robert Darwin (12 February 1809 - 19 April 1882) was")
    'Charles Robert Darwin'
    """
    name = sentence.partition("(")[0].strip(" ,;")
    words = name.split()
    if name == title or not 2 <= len(words) <= 7 or words[-1] not in title.split():
        return None
    fine = all(word[:1].isupper() or word in _PARTICLES for word in words)
    return name if fine and _CAPITALISED.fullmatch(words[0]) else None


def _dated(sentence: str, language: str) -> bool:
    life = _LIFE.get(language)
    return life is not None and life.search(_WITHIN.sub("", sentence)) is not None
