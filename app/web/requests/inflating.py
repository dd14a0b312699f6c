"""Compressed bodies of requests, decompressed as they arrive, and never more of them than allowed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from app.web.problems import DAMAGED, ProblemError

STEP = 1 << 20
"""Bytes that are decompressed in one go: two milliseconds. Between two, the event loop has its turn."""

FED = 1 << 14
"""Compressed bytes that are decompressed in one go: nothing may come of any number of them."""

MEMBERS, LEAST = 1_000, 1 << 10
"""A stream of gzip may have so many members, and one more for each so many bytes that come of them. To begin
one takes twenty bytes of the sender, and here as long as to decompress some thousands."""

_GZIP = zlib.MAX_WBITS | 16


class Inflating:
    """Decompresses a gzip stream of one member or several, as bytes come."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)
        self._members = 1
        self._size = 0
        self.whole = False

    def pieces(self, compressed: bytes, most: int) -> Iterator[bytes]:
        """What ``compressed`` becomes, ``STEP`` bytes at a time, and not much more than ``most`` of them.

        Raises:
            ProblemError: it is not gzip, or next to nothing in very many members.
        """
        at = 0
        while at < len(compressed) and most > 0:
            if self._member.eof:
                self._begin_member()
            fed = compressed[at : at + FED]
            try:
                piece = self._member.decompress(fed, min(STEP, most))
            except zlib.error as error:
                raise ProblemError(
                    DAMAGED, f"The body is not gzip, which its Content-Encoding says it is: {error}."
                ) from None
            at += len(fed) - len(self._member.unconsumed_tail or self._member.unused_data)
            self.whole = self._member.eof
            most -= len(piece)
            self._size += len(piece)
            yield piece

    def _begin_member(self) -> None:
        self._members += 1
        if self._members > MEMBERS + self._size // LEAST:
            raise ProblemError(
                DAMAGED, "The body is gzip of too many members that hold next to nothing. Send it as one."
            )
        self._member = zlib.decompressobj(_GZIP)
