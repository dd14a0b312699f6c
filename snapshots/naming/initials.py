"""Titles by the first letters of their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from snapshots.naming.aliases import AliasSense
from snapshots.strings import StringTable
from snapshots.text import words
from wiki.folding import fold
from wiki.punctuation import behind_dot

_SHORT = 3
"""Letters of words that initials often leave out: "of", "and", "the"."""

_PLACED = 3
"""Letters of the longest name of a place in short that is looked for behind commas."""


def initials(folded: str) -> tuple[str, str]:
    """The first letters of the words of a title: of all, and of all but those of three letters or fewer.

    >>> initials("united states of america")
    ('usoa', 'usa')
    """
    begun = words(folded)
    return "".join(word[0] for word in begun), "".join(word[0] for word in begun if len(word) > _SHORT)


def of_abbreviated(name: str, named: Sequence[AliasSense], titles: StringTable) -> list[AliasSense]:
    """``named``, or those alone that a name in capitals abbreviates, with a dot before or an "s" behind it.

    By "POPs" nobody means Louis Armstrong, who is called "Pops", where there are persistent organic
    pollutants. Their shares are those of each other then. Nor are "CDs" a credit default swap: what has the
    "s" for a first letter, too, is written in capitals. ".NET" is no net, but ".PDF" is what the letters are.
    """
    if (behind := behind_dot(name)) is not None:
        return [each for each in named if fold(behind) in initials(fold(titles[each.concept]))]
    letters = name.removesuffix("s")
    if letters == name or len(letters) < 2 or not (letters.isalpha() and letters.isupper()):
        return list(named)
    begun = [initials(fold(titles[each.concept])) for each in named]
    spelt = [each for each, first in zip(named, begun, strict=True) if fold(letters) in first]
    total = sum(each.share for each in spelt)
    if total > 0:
        return [each._replace(share=each.share / total) for each in spelt]
    return [each for each, first in zip(named, begun, strict=True) if fold(name) not in first]


def placed_in(letters: str, titles_with: Callable[[str], Iterable[str]]) -> list[str]:
    """Titles behind whose comma stands what some capitals are in short.

    ``titles_with``: those that have some words.

    >>> placed_in("DC", lambda words: [f"Washington, {words}", f"Flag of Washington, {words}, in 1938"])
    ['Washington, D.C.']
    """
    if not (1 < len(letters) <= _PLACED and letters.isalpha() and letters.isupper()):
        return []
    behind = "".join(f"{letter}." for letter in letters)
    return [title for title in titles_with(behind) if title.partition(", ")[2] == behind]
