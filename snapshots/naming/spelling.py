"""Spellings: what is written nearly as somebody wrote it, found in a trie by a bounded number of looks.

An edit is a letter too many, a letter missing, a letter that is another, or two neighbours exchanged (Damerau
1964, Levenshtein 1966). Not every string within some edits is tried, but those that a key of the trie begins
with: a wrong edit leads out of the trie after a few letters. Where few keys are left below a beginning, they
are compared one by one. So the cost depends on the length of the text, and little on how many keys there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from wiki.folding import fold

EXCHANGED, ONE_EDIT, TWO_EDITS = 3, 4, 6
"""How many letters may have two neighbours exchanged, and from how many on one edit is allowed, and two:
fewer letters are near to everything."""

FEW = 12
"""Keys that are sooner compared one by one than told apart letter by letter."""

LOOKS = 3000
"""The looks into the trie after which no further second edit is begun; one takes a microsecond or two."""

_AS_ZERO = str.maketrans("&+/@%", "00000")
"""Signs that stand for words, which nobody types for a letter, though perhaps for one another."""

_SMALL_ALPHABETS_END = "\u3000"
"""Beyond it stand scripts of thousands of characters, too many to try."""


class PrefixKeys(Protocol):
    """A trie: its keys that begin with a text."""

    def iterkeys(self, prefix: str) -> Iterator[str]:
        """In any order."""


_BLOCK = 64

_BLOCKS = 4
"""Blocks of letters that a text may bring in: more than any alphabet takes. Each of them is tried."""


class Spellings:
    """The keys of a trie, found by texts that nearly begin them. Usable from several threads."""

    def __init__(self, trie: PrefixKeys, letters: str, few: int = FEW, looks: int = LOOKS) -> None:
        """``letters``: those tried where one is missing or wrong, besides those of the text's own script."""
        self._trie = trie
        self._letters = letters
        self._few, self._looks = few, looks

    def near(self, text: str, edits: int) -> dict[str, int]:
        """What keys begin with that is ``text`` but for 1 to ``edits`` edits (2 at most), and for how many.

        Every such beginning that takes one edit, as far as its letters are tried; of those that take two,
        what ``looks`` looks find. These follow first the first edits that the trie goes on from furthest into
        the text, as it does from a right one; of the others, those that come late.
        """
        return self._search(text, self._letters + _beside(text, self._letters)).near(edits)

    def known_beginning(self, text: str) -> str:
        """The longest beginning of ``text`` that a key begins with."""
        return text[: self._search(text, "").end("", 0)]

    def of(self, trie: PrefixKeys) -> Spellings:
        """Those of another trie, by the same letters."""
        return Spellings(trie, self._letters, self._few, self._looks)

    def _search(self, text: str, letters: str) -> _Search:
        return _Search(self._trie, text, letters, self._few, self._looks)


def begins_within(key: str, text: str, edits: int) -> bool:
    """Whether ``key`` begins with ``text``, but for ``edits`` edits at most.

    >>> begins_within("atheism", "athie", 1), begins_within("atheism", "thie", 1)
    (True, False)
    """
    if not edits:
        return key.startswith(text)
    same = 0
    while same < len(text) and key[same : same + 1] == text[same]:
        same += 1
    if same == len(text):
        return True
    key, text, left = key[same:], text[same:], edits - 1
    return (
        begins_within(key, text[1:], left)
        or (key != "" and (begins_within(key[1:], text, left) or begins_within(key[1:], text[1:], left)))
        or (text[1:2] + text[0] == key[:2] and begins_within(key[2:], text[2:], left))
    )


def is_within(word: str, other: str, edits: int) -> bool:
    """Whether ``word`` is ``other``, but for ``edits`` edits at most.

    >>> is_within("einstein", "einstien", 1), is_within("einsteinium", "einstien", 2)
    (True, False)
    """
    return begins_within(word, other, edits) and begins_within(other, word, edits)


def is_misspelt(word: str, text: str, edits: int) -> bool:
    """Whether ``text`` may be ``word`` with up to ``edits`` typing errors, 2 at most.

    Two edits make most words of six letters of some other one: they count if one letter stands elsewhere.
    Nor are both in one short word of a name: an electric car is no electric bass.

    >>> is_misspelt("gandhi", "ghandi", 2), is_misspelt("breast", "brexit", 2)
    (True, False)
    >>> is_misspelt("united states", "untied sttaes", 2), is_misspelt("electric bass", "electric cars", 2)
    (True, False)
    """
    if not is_within(word, text, edits):
        return False
    if edits < 2 or is_within(word, text, 1) or sorted(word) == sorted(text):
        return True
    parts, written = word.split(), text.split()
    if len(written) == 1 or len(parts) != len(written):
        return len(text) > TWO_EDITS
    return all(
        is_misspelt(part, other, 2 if len(other) >= TWO_EDITS else 1)
        for part, other in zip(parts, written, strict=True)
    )


def is_another(word: str, text: str) -> bool:
    """Whether ``word`` is short and has another letter in place of one of ``text``: many short words do.

    >>> is_another("boole", "booze"), is_another("obama", "obmaa"), is_another("hitler", "hitlar")
    (True, False, False)
    """
    return len(text) < TWO_EDITS and len(word) == len(text) and sorted(word) != sorted(text)


def begins_alike(word: str, text: str) -> bool:
    """Whether ``word`` has the first letter of ``text``, or the first two exchanged: few get the first wrong.

    A keyboard may lack it, though, as the first of "łódź".

    >>> begins_alike("covert", "covid"), begins_alike("ovid", "covid"), begins_alike("paris", "apris")
    (True, False, True)
    """
    if word[:1] == text[:1] or (text.isascii() and not word[:1].isascii()):
        return True
    return len(text) > 1 and word[:3] == text[1::-1] + text[2:3]


def same_signs(text: str, spelling: str) -> bool:
    """Whether a spelling has the digits of ``text``, or begins with them as one of a whole name may.

    So it has to be of signs that are said: AT&T is no ATWT.

    >>> same_signs("1984", "1948"), same_signs("apolo", "apollo 11"), same_signs("2 pak", "2pac")
    (False, True, True)
    >>> same_signs("at&t", "atwt"), same_signs("h&m", "h & m")
    (False, True)
    """
    digits, others = ("".join(filter(str.isdigit, each.translate(_AS_ZERO))) for each in (text, spelling))
    return others.startswith(digits)


def slips(word: str) -> list[str]:
    """A word without one of its letters, or with two neighbours exchanged: in each way.

    >>> slips("cat")
    ['at', 'ct', 'ca', 'act', 'cta']
    """
    without = [word[:place] + word[place + 1 :] for place in range(len(word))]
    exchanged = [
        word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1)
    ]
    return [other for other in dict.fromkeys([*without, *exchanged]) if other != word]


class _Repair(NamedTuple):
    """One edit made: ``begun`` stands for ``text[:read]``, and some key goes on with ``text[read:end]``."""

    begun: str
    read: int
    end: int


class _Search:
    """One text, looked for."""

    def __init__(self, trie: PrefixKeys, text: str, letters: str, few: int, most_looks: int) -> None:
        self._keys = trie.iterkeys
        self._text = text
        self._letters = letters
        self._next: dict[str, list[str]] = {}
        self._found: dict[str, int] = {}
        self._few, self._most_looks, self._looks = few, most_looks, 0

    def near(self, edits: int) -> dict[str, int]:
        repairs = self._repairs(edits) if edits else []
        if edits > 1:
            for repair in sorted(repairs, key=lambda repair: (-repair.end, -repair.read)):
                if self._looks > self._most_looks:
                    break
                for begun, read in self._edited(repair, 1, 1):
                    spelling = begun + self._text[read:]
                    if spelling not in self._found and self._has(spelling):
                        self._found[spelling] = 2
        self._found.pop(self._text, None)
        return self._found

    def _repairs(self, edits: int) -> list[_Repair]:
        """The first edits, but for those after which the few keys that are left were compared."""
        repairs: dict[tuple[str, int], _Repair] = {}
        for begun, read in self._edited(_Repair("", 0, self.end("", 0)), 0, edits):
            if (begun, read) in repairs:
                continue
            repair = repairs[begun, read] = _Repair(begun, read, self.end(begun, read))
            if repair.end == len(self._text):
                self._found[begun + self._text[read:]] = 1
        return list(repairs.values())

    def end(self, begun: str, read: int) -> int:
        """Up to where a key that begins with ``begun`` goes on as ``text[read:]``."""
        text = self._text
        for end in range(read, len(text)):
            if end == read + 2 and self._has(begun + text[read:]):
                break
            if not self._has(begun + text[read : end + 1]):
                return end
        return len(text)

    def _edited(self, start: _Repair, made: int, left: int) -> Iterator[tuple[str, int]]:
        """What the text begins with, and up to where, once an edit more is made, at each place up to the end.

        ``made``: the edits before it; ``left``: how many may still be made. Where few keys are left, those
        that the text begins within these are found, and there is no need to go on.
        """
        text = self._text
        for at in range(start.read, start.end + 1):
            begun = start.begun + text[start.read : at]
            keys = list(islice(self._keys(begun), self._few + 1))
            self._looks += len(keys)
            if len(keys) <= self._few:
                self._compare(keys, len(begun), at, made, left)
                return
            if at < len(text):
                yield begun, at + 1
            exchanged = begun + text[at : at + 2][::-1]
            if at + 1 < len(text) and text[at] != text[at + 1] and self._has(exchanged):
                yield exchanged, at + 2
            for letter in self._letters_after(begun):
                yield begun + letter, at
                if at < len(text) and letter != text[at]:
                    yield begun + letter, at + 1

    def _compare(self, keys: list[str], begun: int, at: int, made: int, left: int) -> None:
        rest = self._text[at:]
        for key in keys:
            for edits in range(1, left + 1):
                if begins_within(key[begun:], rest, edits):
                    self._found[key] = min(self._found.get(key, 2), made + edits)
                    break

    def _letters_after(self, begun: str) -> list[str]:
        """The letters that a key has after ``begun``."""
        letters = self._next.get(begun)
        if letters is None:
            letters = self._next[begun] = [letter for letter in self._letters if self._has(begun + letter)]
        return letters

    def _has(self, beginning: str) -> bool:
        """Whether a key begins so."""
        self._looks += 1
        # The trie has no other way to say so that is as quick.
        for _ in self._keys(beginning):
            return True
        return False


def _beside(text: str, letters: str) -> str:
    """The letters that stand in Unicode beside those of ``text`` that are not among ``letters``.

    Of a text of many scripts, those of the ones that most of its letters are of.
    """
    strange = Counter(
        ord(c) // _BLOCK for c in text if c not in letters and "\x80" <= c < _SMALL_ALPHABETS_END
    )
    blocks = sorted(strange, key=lambda block: (-strange[block], block))[:_BLOCKS]
    beside = (chr(_BLOCK * block + place) for block in sorted(blocks) for place in range(_BLOCK))
    return "".join(c for c in beside if c.isalpha() and fold(c) == c and c not in letters)
