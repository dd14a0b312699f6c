"""Titles that have the letters of a word, and blanks, hyphens, dots or apostrophes between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

_BETWEEN = " -'"
"""What may stand between the letters of a title, and is left out by who joins them."""

_JOINED = "-'.,"
"""What is read over in a word. Other signs say what it is: Blood+ is no blood."""

_BEHIND_FIRST = "-"
"""The same of that which may stand behind the first letter: X-Men."""

FEWEST = 4
"""Letters of a word below which it has those of too many titles."""

FEWEST_OF_WORDS = 6
"""The same where a title has several words."""

_LONGEST = 30
"""Letters of a word that is looked up so. No two words that anybody joins have more."""

_MOST_SIGNS = 4
"""Signs that a title may have more than the word: more make an abbreviation of it."""


class PrefixTrie(Protocol):
    """A trie of folded titles."""

    def iterkeys(self, prefix: str) -> Iterator[str]:
        """The keys that begin so."""

    def __contains__(self, key: object) -> bool:
        """Whether there is a key."""


def with_letters_of(word: str, trie: PrefixTrie) -> str | None:
    """The one key of a trie that has the letters of a folded word and other signs between; None without one.

    A sign is tried behind each letter as far as keys begin so: that ends soon, but where a title does.

    >>> import marisa_trie
    >>> trie = marisa_trie.Trie(["spider-man", "ice cream", "ice age", "ak-47", "abc-d", "ab-cd"])
    >>> [with_letters_of(word, trie) for word in ("spiderman", "icecream", "ak47", "abcd", "ak47+", "a cat")]
    ['spider-man', 'ice cream', 'ak-47', None, None, None]
    """
    letters = "".join(sign for sign in word if sign not in _JOINED)
    if not letters.isalnum() or not FEWEST <= len(letters) <= _LONGEST or " " in word:
        return None
    begun, longest, keys = [letters[0]], len(letters) + _MOST_SIGNS, trie.iterkeys
    for place, letter in enumerate(letters[1:]):
        signs = _BETWEEN if place else _BEHIND_FIRST
        begun = [
            longer
            for beginning in begun
            for sign in ("", *signs)
            if len(longer := beginning + sign + letter) <= longest and next(keys(longer), None) is not None
        ]
    found = [key for key in begun if key in trie and key != word]
    if len(found) != 1 or (" " in found[0] and len(letters) < FEWEST_OF_WORDS):
        return None
    return found[0]
