"""Numbers in words, as titles may have them where people write figures: 1984 is Nineteen Eighty-Four."""

from __future__ import annotations

import re

_ONES = {
    "en": (
        *("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
        *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    )
}
_TENS = {"en": ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")}
"""By the language of the wiki: the words for the numbers up to nineteen, and those for tens."""

_NUMBER = re.compile(r"[1-9][0-9]?|1[1-9][1-9][0-9]")
"""A number of one or two figures, or a year that is said as two of these."""


def number_in_words(text: str, language: str) -> str | None:
    """A number in words, if a text is one of two figures at the most, or a year that is said as two such.

    >>> [number_in_words(text, "en") for text in ("7", "42", "1984", "1900", "2001", "3,000", "ten")]
    ['seven', 'forty-two', 'nineteen eighty-four', None, None, None, None]
    >>> number_in_words("1984", "de") is None
    True
    """
    if language not in _ONES or _NUMBER.fullmatch(text) is None:
        return None
    return " ".join(_said(int(part), language) for part in (text[:-2], text[-2:]) if part)


def _said(number: int, language: str) -> str:
    """A number below a hundred in words."""
    ones, tens = _ONES[language], _TENS[language]
    if number < len(ones):
        return ones[number]
    ten, one = divmod(number, 10)
    return f"{tens[ten - 2]}-{ones[one]}" if one else tens[ten - 2]
