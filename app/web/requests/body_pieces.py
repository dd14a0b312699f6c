"""Request bodies as they arrive: piece by piece, decompressed, never more of them than allowed."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import NamedTuple

from starlette.requests import ClientDisconnect, Request

from app.web.problems import DAMAGED, TOO_LARGE, TOO_SLOW, WRONG_TYPE, ProblemError

STEP = 1 << 20
"""Bytes that are decompressed in one go: two milliseconds. Between two, the event loop has its turn."""

FED = 1 << 14
"""Compressed bytes that are decompressed in one go: nothing may come of any number of them."""

MEMBERS, LEAST = 1_000, 1 << 10
"""A stream of gzip may have so many members, and one more for each so many bytes that come of them. To begin
one takes twenty bytes of the sender, and here as long as to decompress some thousands."""

_GZIP = zlib.MAX_WBITS | 16


class Pace(NamedTuple):
    """How long a body may take: ``seconds``, and no less than ``rate`` bytes a second.

    The rate is looked at over any ``stretch`` of seconds of waiting: a network may halt for a moment.
    """

    seconds: float
    rate: float = 0
    stretch: float = 10.0


async def pieces(
    request: Request, accepted: Mapping[str, str], limit: int, pace: Pace
) -> AsyncIterator[bytes]:
    """The body of a request, as it arrives: ``limit`` bytes at the most, at some pace.

    A body that is compressed with gzip comes decompressed; the limit is that of the bytes that come out, so
    that a small body that holds a large one is stopped where a large one would be. ``accepted``: the media
    types that it may be declared as, and what each is called.

    Raises:
        ProblemError: it is declared as something else, is encoded in some other way or is damaged, is too
            large or too slow.
        ClientDisconnect: the client left before it was whole.
    """
    _check_type(request, accepted)
    gzip = _is_gzip(request, " or ".join(accepted.values()))
    # A length that is no number does not come here: the server refuses it.
    if int(request.headers.get("content-length", 0)) > limit:
        raise too_large(limit)
    inflating = _Inflating() if gzip else None
    size = sent = 0
    async for arrived in _in_time(request, pace):
        sent += len(arrived)
        # Of compressed bytes too: there may be any number that become nothing.
        if sent > limit:
            raise too_large(limit)
        # What is left of the limit, and a byte to see that there is more.
        for piece in (arrived,) if inflating is None else inflating.pieces(arrived, limit + 1 - size):
            size += len(piece)
            if size > limit:
                raise too_large(limit)
            yield piece
            if gzip:
                await asyncio.sleep(0)
    if inflating is not None and not inflating.whole:
        raise ProblemError(DAMAGED, "The compressed body ends before its end. Send all of it.")


def media_type_of(request: Request) -> str:
    """The media type that a request's body is declared as, without its parameters; empty for none."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def too_large(limit: int) -> ProblemError:
    """That a body has more than ``limit`` bytes."""
    return ProblemError(
        TOO_LARGE, f"The body may have {limit:,} bytes, decompressed. Send it in several requests.", limit
    )


class _Inflating:
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


async def _in_time(request: Request, pace: Pace) -> AsyncIterator[bytes]:
    """The body as it is sent.

    Raises:
        ProblemError: it is not here in time, or comes too slowly.
    """
    seconds, rate, stretch = pace
    clock = asyncio.get_running_loop().time
    due = clock() + seconds
    # What came since it was enough, and how long that was waited for.
    came, waited = 0, 0.0
    while True:
        begun = clock()
        too_slow = begun + stretch - waited if rate > 0 else due
        try:
            async with asyncio.timeout_at(min(due, too_slow)):
                message = await request.receive()
        except TimeoutError:
            least = f" and at least {rate:,.0f} bytes a second" if rate > 0 else ""
            raise ProblemError(
                TOO_SLOW,
                f"The body has {seconds:g} seconds to arrive{least}. Send it at once, or less in a request.",
                headers={"Connection": "close"},
            ) from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        piece = message.get("body", b"")
        came, waited = came + len(piece), waited + clock() - begun
        if came >= rate * stretch:
            came, waited = 0, 0.0
        if piece:
            yield piece
        if not message.get("more_body", False):
            return


def _check_type(request: Request, accepted: Mapping[str, str]) -> None:
    media_type = media_type_of(request)
    if media_type not in accepted:
        called = " or ".join(accepted.values())
        declared = f"`{media_type[:100]}`" if media_type else "no media type"
        raise ProblemError(
            WRONG_TYPE,
            f"The body has {declared}. Send {called} with `Content-Type: {' or '.join(accepted)}`.",
        )


def _is_gzip(request: Request, called: str) -> bool:
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        raise ProblemError(
            WRONG_TYPE,
            f"The body is encoded as `{encoding[:100]}`. Send {called} as it is, or with "
            "`Content-Encoding: gzip`.",
            headers={"Accept-Encoding": "gzip, identity"},
        )
    return encoding != "identity"
