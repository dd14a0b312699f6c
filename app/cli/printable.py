"""Text that others wrote, made fit for a terminal: what would steer it is shown, not obeyed."""

from __future__ import annotations

import re

STEERING = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters: escape sequences begin with one
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the direction of the text after it
    "\u2028\u2029"  # line ends
    "\ud800-\udfff]"  # halves of characters, which cannot be written at all
)
"""What never reaches a terminal as it is. Joiners stay: titles of many languages need them."""

_BUT_LINES = re.compile(STEERING.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))


def printable(text: str, lines: bool = False) -> str:
    r"""``text`` with escapes in the place of what would steer a terminal; ``lines``: but for line ends.

    >>> printable("a title")
    'a title'
    >>> printable(chr(27) + "[31mred" + chr(10))
    '\\x1b[31mred\\x0a'
    >>> printable(chr(27) + chr(10), lines=True) == "\\x1b" + chr(10)
    True
    """
    return (_BUT_LINES if lines else STEERING).sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
