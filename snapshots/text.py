"""Words and sentences: how text is cut wherever words are counted."""

from __future__ import annotations

import re
import unicodedata
from functools import cache


def _combining_marks() -> str:
    """The combining marks of every script, as the inside of a character class."""
    ranges: list[list[int]] = []
    for code in range(0x20000):  # the planes that hold scripts with marks
        if unicodedata.category(chr(code)).startswith("M"):
            if ranges and code == ranges[-1][1] + 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


@cache
def _word() -> re.Pattern[str]:
    """What a word is, made when the first text needs it: to find the marks of every script takes a while.

    The vowel signs of Hindi, Bengali or Tamil are marks, not letters: without them every such word would fall
    into pieces of one letter.
    """
    return re.compile(rf"[^\W_][\w{_combining_marks()}]*")


# In text of ASCII alone, which most sentences are: the letters and digits, and spaces for the rest.
_ASCII_WORDS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))

_LONGEST_ABBREVIATION, _LONGEST_ALONE = len("corp."), len("etc.")
"""Letters of an abbreviation with its stop, at the most, behind other words and as a name of its own: a
longer word with one ends a sentence."""

# One class comes first, by which the places where a sentence may end are found quickly.
_SENTENCE_END = re.compile(r"[.!?…。！？।](?:(?<=[。！？।])|[.!?…]*+[\"'”’»)\]]*+\s++)")


def words(text: str) -> list[str]:
    """The words of a text, in order: lower-cased runs of letters and digits, unstemmed.

    Marks that combine with a letter belong to its word. A script written without spaces (Chinese,
    Japanese, Thai) gives one word for each run between punctuation marks.

    >>> words("Schrödinger's cat, 1935 (thought_experiment)")
    ['schrödinger', 's', 'cat', '1935', 'thought', 'experiment']
    """
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    return _word().findall(text.lower().replace("_", " "))


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph, in order, without what ends them.

    A sentence ends at . ! ? or … (and closing quotes or brackets) where white space follows, and at the full
    stops of Chinese, Japanese and Hindi. The full stop of an abbreviation ends one too.

    >>> sentences("It is 3.5 km long. Is it? “Yes.” So it is.")
    ['It is 3.5 km long', 'Is it', '“Yes', 'So it is.']
    """
    return [sentence for sentence in between_ends(paragraph) if sentence]


def ends_sentence(name: str) -> bool:
    """Whether the stop behind a name is that of a sentence, and not of an abbreviation.

    >>> [ends_sentence(name) for name in ("game.", "the friends.", "Apple Inc.", "U.S.", "St. Louis", "game")]
    [True, True, False, False, False, False]
    """
    rest, _, last = name.rpartition(" ")
    longest = _LONGEST_ABBREVIATION if rest else _LONGEST_ALONE
    return last.endswith(".") and len(last) > longest and last.count(".") == 1


def between_ends(text: str) -> list[str]:
    """What stands before, between and behind the ends of sentences in a text, be it nothing.

    >>> between_ends(". The turkey was served. Then")
    ['', 'The turkey was served', 'Then']
    """
    return _SENTENCE_END.split(text)


def could_be_named(text: str) -> bool:
    """Whether ``text`` may stand in a name: half of a surrogate pair cannot, nor a NUL, which ends a key."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
