"""Mentions: the form in which anchors, titles and running text meet.

A mention is lower-cased text with single spaces that starts with a word character. Text is brought into
the same form character by character, so that a place in the one is a place in the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from wiki.titles import LONGEST_WRITTEN

MAXIMUM_CHARACTERS = 80
"""No longer mention is kept: six words hardly ever take more."""

_FORMS = str.maketrans(
    {
        **dict.fromkeys("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000", " "),
        **dict.fromkeys(map(chr, range(0x2000, 0x200B)), " "),
        **dict.fromkeys("‘’ʼ´", "'"),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
    }
)
"""Characters that differ in print alone, and the one that stands for them."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no space between words: each may start or end a mention."""

WORD_START = re.compile(rf"[^\W{UNSPACED}]+|[{UNSPACED}]")
"""Its matches start where a mention may start, unless ``inside_word`` says otherwise."""

_SPACED_LETTER = re.compile(rf"[^\W{UNSPACED}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(" +")
QUALIFIER = re.compile(r"\s*\([^()]*\)$")
"""What tells a title from others of the same name: Mercury (planet)."""


def fold(text: str) -> str:
    """``text`` in lower case, with one form of space, quote and dash; as long as it was.

    A letter whose lower case takes two characters stays as it is. Surrogates, which UTF-8 cannot hold,
    become the replacement character.
    """
    folded = text.lower()
    if len(folded) != len(text):
        folded = "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)
    if folded.isascii() and folded.isprintable():  # nothing below concerns it
        return folded
    return _SURROGATE.sub("\ufffd", folded).translate(_FORMS)


def inside_word(text: str, place: int) -> bool:
    """Whether the characters on both sides of ``place`` belong to one word."""
    return 0 < place < len(text) and _in_word(text[place - 1]) and _in_word(text[place])


def _in_word(character: str) -> bool:
    if character < "\u0300":
        return character.isalnum() or character == "_"
    return _SPACED_LETTER.match(character) is not None or unicodedata.category(character)[0] == "M"


def mention_of(text: str, maximum_words: int) -> str | None:
    """The mention that an anchor or a title is, or None where it is none.

    None are: what has no letter (numbers, dates written in figures), single characters, and what is longer
    than ``maximum_words`` or ``MAXIMUM_CHARACTERS`` (TagMe, section 3, drops the same); what is longer than a
    title may be written is not even folded.
    """
    if len(text) > LONGEST_WRITTEN:
        return None
    mention = _SPACES.sub(" ", fold(text)).strip()
    start = WORD_START.search(mention)
    if start is None:
        return None
    mention = mention[start.start() :]
    if not 1 < len(mention) <= MAXIMUM_CHARACTERS or mention.count(" ") >= maximum_words:
        return None
    return mention if any(map(str.isalpha, mention)) else None


def names_of(title: str, maximum_words: int) -> Iterator[str]:
    """The mentions that a title is: itself, and itself without its qualifier in parentheses."""
    for form in {title, QUALIFIER.sub("", title)}:
        mention = mention_of(form, maximum_words)
        if mention is not None:
            yield mention
