"""Abbreviations that are spelt as stop words: "US troops", "the WHO said", "the IT department".

Sentences with stop words are not counted, so that nothing is known of how often "us" means a country.
Capitals tell it, in a text that has small letters too: unless they shout, as in "DO IT NOW".
"""

from __future__ import annotations

import re
from collections.abc import Callable

OFTEN = 0.002
"""The share of all articles that link to what a stop word may stand for, at the least. In the starter 28 %
link to the United States, 1 % to the World Health Organization and 0.8 % to information technology; but
0.07 % to amplitude modulation ("8 AM") and 0.04 % to dissociative identity disorder ("I DID")."""

_LONGEST_BESIDE = 3
"""Letters of a word in capitals beside it that may be an abbreviation as well."""

_BESIDE = 60
"""Characters to either side that say whether a text writes small letters."""

_WITH_SMALL_LETTERS = re.compile(r"\b[^\W\d_]{2,}\b")
_BEFORE, _BEHIND = re.compile(r"(\w+)[ \u00a0]+$"), re.compile(r"[ \u00a0]+(\w+)")
_LONGEST = 40


def is_abbreviation(text: str, start: int, end: int, is_stop: Callable[[str], bool]) -> bool:
    """Whether ``text[start:end]`` is a stop word in capitals that stands for something else.

    >>> stops = frozenset(["it", "the", "now", "is"]).__contains__
    >>> texts = ("the IT sector", "DO IT NOW, please", "so IT IS a fact", "THE IT SECTOR", "IT and a UN body")
    >>> [is_abbreviation(text, text.index("IT"), text.index("IT") + 2, stops) for text in texts]
    [True, False, False, False, True]
    """
    written = text[start:end]
    if len(written) < 2 or not written.isupper() or not is_stop(written.lower()):
        return False
    around = text[max(0, start - _BESIDE) : start] + " " + text[end : end + _BESIDE]
    if not any(word[1:].islower() for word in _WITH_SMALL_LETTERS.findall(around)):
        return False
    beside = _BEFORE.search(text, max(0, start - _LONGEST), start), _BEHIND.match(text, end, end + _LONGEST)
    shouted = [word[1] for word in beside if word is not None and len(word[1]) > 1 and word[1].isupper()]
    return not any(len(word) > _LONGEST_BESIDE or is_stop(word.lower()) for word in shouted)
