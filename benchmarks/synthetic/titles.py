"""Words and titles by number: no table of them is needed, whatever the size of the wiki.

The first words are English stop words, since builds pass them over by name; all others are made up of
syllables, the more frequent the shorter. Every title has its own number, and no two are the same. Most hold
a made-up name; a few titles share each name, as namesakes do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from building.stop_words import stop_words

Numbers = NDArray[np.int64]
Strings = NDArray[np.object_]

STOP_WORDS: Final = tuple(sorted(stop_words("en"), key=lambda word: (len(word), word)))
TITLE_WORDS: Final = (1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 0)
"""How many words the titles have, in turn; 0 for a name with a qualifier in parentheses."""

NAMESAKES: Final = 4
"""How many titles of each length share a name."""

_QUALIFIERS: Final = ("album", "band", "city", "company", "film", "novel", "river", "ship", "song", "village")
_NAMES: Final = 300_000
"""Names are rare words: the words from this number on."""

_SHAPES: Final = np.array(TITLE_WORDS)
_OF_SHAPE: Final = np.bincount(_SHAPES)
_PLACE: Final = np.array([int((_SHAPES[:place] == shape).sum()) for place, shape in enumerate(_SHAPES)])
_COMMON: Final = (230, 6_000)
"""From which words the ordinary words of titles come."""

_HEAD: Final = 1 << 17
_SCATTER: Final = 1 << 25


def _syllables() -> Strings:
    """Syllables of which each string of them can be read in one way only, the shorter ones first.

    Each has one vowel and begins with a consonant. Without "e" and "h" they make no stop word but those that
    are left out.
    """
    codas = ("", *"nrslt")
    made = ("".join(parts) for parts in product(codas, "aiou", "bdfgjklmnprstvwz"))
    found = (f"{syllable[-1]}{syllable[-2]}{syllable[:-2]}" for syllable in made)
    return _strings([syllable for syllable in found if syllable not in STOP_WORDS])


def _strings(values: Sequence[str] | Strings) -> Strings:
    array = np.empty(len(values), object)
    array[:] = values
    return array


_SYLLABLES: Final = _syllables()


def _made_up(numbers: Numbers) -> Strings:
    """The made-up words of some numbers from 0: each number another word."""
    # Bijective numeration: there is no syllable for zero, which would be silent at the start of a word.
    rest, digit = np.divmod(numbers, len(_SYLLABLES))
    made = _SYLLABLES[digit]
    more = np.flatnonzero(rest)
    if more.size:
        made[more] = _made_up(rest[more] - 1) + made[more]
    return made


@cache
def _head() -> Strings:
    return np.concatenate([_strings(STOP_WORDS), _made_up(np.arange(_HEAD - len(STOP_WORDS)))])


@cache
def _spaced_head() -> Strings:
    return _strings([f"{word} " for word in _head()])


def words(numbers: Numbers, spaced: bool = False) -> Strings:
    """The words of some numbers, the more frequent the smaller; ``spaced`` with a space behind."""
    head = _spaced_head() if spaced else _head()
    found = head[np.minimum(numbers, _HEAD - 1)]
    rare = np.flatnonzero(numbers >= _HEAD)
    if rare.size:
        made = _made_up(numbers[rare] - len(STOP_WORDS))
        found[rare] = made + " " if spaced else made
    return found


def titles(numbers: Numbers) -> Strings:
    """The titles of some numbers from 0."""
    turn, slot = np.divmod(numbers, len(_SHAPES))
    shape = _SHAPES[slot]
    place = turn * _OF_SHAPE[shape] + _PLACE[slot]  # among the titles of this shape
    alone = shape == 1
    group, member = np.divmod(place, np.where(alone, 1, NAMESAKES))
    names = [name.capitalize() for name in words(_name_number(group, shape))]
    low, high = _COMMON
    first = words(low + (scattered(group, 1) + 701 * member) % (high - low))
    middle = [words(low + scattered(place, number) % (high - low)) for number in (2, 3)]
    proper = scattered(group, 4) % 2 == 0
    found = _strings(names)
    for row in np.flatnonzero(~alone):
        name = names[row]
        if shape[row] == 0:
            found[row] = f"{name} ({_QUALIFIERS[(group[row] + member[row]) % len(_QUALIFIERS)]})"
            continue
        between = (middle[0][row], "of", middle[1][row])[: shape[row] - 2]
        parts = (first[row].capitalize(), *between, name if proper[row] else name.lower())
        found[row] = " ".join(parts)
    return found


def shared_name(group: int) -> str:
    """The name that a group of namesakes with titles of two words share; it is no title by itself."""
    number = _name_number(np.array([group]), np.array([2]))
    return str(words(number)[0]).capitalize()


def namesakes(group: int) -> list[int]:
    """The numbers of the titles of that group."""
    slots = np.flatnonzero(_SHAPES == 2)
    turn, slot = np.divmod(np.arange(group * NAMESAKES, (group + 1) * NAMESAKES), len(slots))
    numbers: list[int] = (turn * len(_SHAPES) + slots[slot]).tolist()
    return numbers


def _name_number(group: Numbers, shape: Numbers) -> Numbers:
    """The number of the word that is the name of a group of titles: another one for each shape."""
    high, low = np.divmod(group * (_SHAPES.max() + 1) + shape, _SCATTER)
    # Neighbours are no relatives: an odd step goes through all of a power of two without order.
    numbers: Numbers = _NAMES + high * _SCATTER + low * 0x9E3779B1 % _SCATTER
    return numbers


def scattered(numbers: Numbers, salt: int) -> Numbers:
    """Numbers without any order, the same for the same ones (the finaliser of Steele's SplitMix, 2014)."""
    mixed = numbers.astype(np.uint64) * np.uint64(4) + np.uint64(salt)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(33)).astype(np.int64)
