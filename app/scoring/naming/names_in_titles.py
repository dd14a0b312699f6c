"""How names stand in titles: as a word of them, or as what tells them apart."""

from __future__ import annotations

from snapshots.naming.initials import initials
from snapshots.naming.mentions import fold
from snapshots.text import words

SHORTEST, LONGEST = 3, 5
"""Letters of a name in capitals that may be an abbreviation."""


def is_proper(name: str) -> bool:
    """Whether a name has several words and each of them a capital, as those of people and firms.

    >>> [is_proper(name) for name in ("Nelson Mandella", "Climate crisis", "Selfie")]
    [True, False, False]
    """
    parts = name.split()
    return len(parts) > 1 and all(part[0].isupper() for part in parts)


def has_name(title: str, name: str) -> bool:
    """Whether a title has all words of a name, or is one word that begins with it.

    >>> [has_name(title, "dentist") for title in ("dentistry", "the dentist", "dentists of spain")]
    [True, True, False]
    """
    return set(words(name)) <= set(words(title)) or (" " not in title and title.startswith(name))


def is_told_apart_by(name: str, title: str) -> bool:
    """Whether a title has a name behind its comma alone.

    >>> [is_told_apart_by("georgia", title) for title in ("augusta, georgia", "georgia (country)", "u.s.")]
    [True, False, False]
    """
    before, comma, behind = title.partition(", ")
    return bool(comma) and name in words(behind) and name not in words(before)


def is_read_as_word(asked: str | int, title: str) -> bool:
    """Whether a name in capitals, as abbreviations are, was taken for a title that it does not abbreviate.

    >>> is_read_as_word("ISIS", "Isis"), is_read_as_word("Isis", "Isis"), is_read_as_word("NATO", "NATO")
    (True, False, False)
    >>> is_read_as_word("UNESCO", "Unesco"), is_read_as_word("WHO", "World Health Organization")
    (False, False)
    """
    if not isinstance(asked, str) or not SHORTEST <= len(asked) <= LONGEST:
        return False
    if not (asked.isalpha() and asked.isupper()) or asked in title:
        return False
    # "USA" is no word of its title.
    return fold(asked) in words(fold(title)) and fold(asked) not in initials(fold(title))
