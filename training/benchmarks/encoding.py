"""Titles out of a file whose encoding was broken twice, as WORD's was when it was released.

Its titles were UTF-8, were taken for Windows-1252, and the letters so obtained were written in Mac Roman: the
é of UTF-8 is the bytes C3 A9, in Windows-1252 "Ã" and "©", in Mac Roman the bytes CC A9. Three things follow.

- The way back is known: Mac Roman → letters → Windows-1252 → bytes → UTF-8.
- A letter of Windows-1252 that Mac Roman lacks (³, the second byte of ó) was written "_" and is lost. What
  remains is a short list of the letters that it may have been.
- CC A9 is also sound UTF-8, for a rare combining mark. So the way back is tried first, and text is taken as
  it is only where the way back leads nowhere; titles in sound UTF-8 do not take the way back, since their
  bytes stand for other letters in Mac Roman.
"""

from __future__ import annotations

import math
import re
from itertools import product

LOST = b"_"

MOST_SPELLINGS = 1000
"""Beyond this a title has lost so many letters that its spellings are no help."""


def _written(byte: int) -> bytes:
    """What stands in the file for ``byte`` of the UTF-8 text."""
    try:
        return bytes([byte]).decode("cp1252").encode("mac_roman")
    except UnicodeDecodeError:  # no letter of Windows-1252: it passed through
        return bytes([byte])
    except UnicodeEncodeError:  # a letter that Mac Roman lacks
        return LOST


def _read_as(bytes_of_text: range) -> dict[int, bytes]:
    """For each byte in the file, the bytes of UTF-8 text in that range that it may stand for."""
    meanings: dict[int, bytes] = {}
    for byte in bytes_of_text:
        written = _written(byte)[0]
        meanings[written] = meanings.get(written, b"") + bytes([byte])
    return meanings


_CONTINUATIONS = _read_as(range(0x80, 0xC0))
_LEADS = {
    length: {
        written: meant
        for written, meant in _read_as(range(first, end)).items()
        # A lost first byte would make a letter of every underscore.
        if written != LOST[0]
    }
    for length, first, end in ((2, 0xC2, 0xE0), (3, 0xE0, 0xF0), (4, 0xF0, 0xF5))
}


def _any_of(meanings: dict[int, bytes]) -> bytes:
    return b"[" + re.escape(bytes(meanings)) + b"]"


_LETTER = re.compile(
    b"|".join(
        _any_of(leads) + _any_of(_CONTINUATIONS) + b"{%d}" % (length - 1)
        for length, leads in _LEADS.items()
        if leads
    )
)


def _letters(written: bytes) -> list[str]:
    """The letters that the bytes of one broken letter may have been, in the order of Unicode."""
    lead = _LEADS[len(written)][written[0]]
    choices = [lead, *(_CONTINUATIONS[byte] for byte in written[1:])]
    letters = []
    for encoded in product(*choices):
        try:
            letter = bytes(encoded).decode()
        except UnicodeDecodeError:
            continue
        if letter.isprintable():
            letters.append(letter)
    return letters


def _broken_twice(text: bytes) -> list[list[str]] | None:
    """The pieces of a text on the way back, each with what it may have been; None if it leads nowhere."""
    broken = [(match.start(), match.end()) for match in _LETTER.finditer(text)]
    pieces = []
    end = 0
    for start, stop in [*broken, (len(text), len(text))]:
        if not text[end:start].isascii():
            return None
        pieces.append([text[end:start].decode()])
        if letter := text[start:stop]:
            pieces.append(_letters(letter))
        end = stop
    return pieces if all(pieces) else None


def recovered(text: bytes) -> tuple[str, tuple[str, ...]]:
    """The text that the bytes were, and where letters of it were lost, every text that it may have been.

    A lost letter is "\N{REPLACEMENT CHARACTER}" in the first. The second is empty where nothing was lost, or
    so much that a list is no help.
    """
    pieces = _broken_twice(text)
    if pieces is not None:
        shown = "".join(piece[0] if len(piece) == 1 else "\N{REPLACEMENT CHARACTER}" for piece in pieces)
        if 1 < math.prod(map(len, pieces)) <= MOST_SPELLINGS:
            return shown, tuple("".join(spelling) for spelling in product(*pieces))
        return shown, ()
    try:
        return text.decode(), ()
    except UnicodeDecodeError:
        return text.decode("mac_roman"), ()
