"""Request bodies: read within their limits as they arrive, and decoded."""

from __future__ import annotations

import asyncio
import re
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Mapping
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.inspect import ListType, LiteralType, Metadata, StructType, Type, UnionType, type_info
from starlette.requests import ClientDisconnect, Request

from app.web.problems import (
    DAMAGED,
    MALFORMED,
    TOO_LARGE,
    TOO_MANY,
    TOO_SLOW,
    WRONG_SHAPE,
    WRONG_TYPE,
    ProblemError,
)
from app.web.requests.inflating import Inflating
from app.web.resources import MemoryBudget, resources_of
from models.given import json_fault

T = TypeVar("T")

JSON = {"application/json": "JSON"}
"""The media type of a request's body, and what it is called."""


class Pace(NamedTuple):
    """How long a body may take: ``seconds``, and no less than ``rate`` bytes a second.

    The rate is looked at over any ``stretch`` of seconds of waiting: a network may halt for a moment.
    """

    seconds: float
    rate: float = 0
    stretch: float = 10.0


async def read_body(
    request: Request, accepted: Mapping[str, str] = JSON, budget: MemoryBudget | None = None
) -> bytes:
    """The body of a request, all of it, within the limits of the settings; as ``pieces``.

    It takes of ``budget`` until the request ends; None for that of the requests that are answered at once.

    Raises:
        ProblemError: there is no room for it; or as ``pieces``.
    """
    state = request.app.state
    resources, budget = resources_of(request.scope), budget or state.bodies
    body = bytearray()
    async for piece in pieces(request, accepted, state.settings.max_body, state.pace):
        resources.take_for_body(len(piece), budget)
        body += piece
    return bytes(body)


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
    gzip = _is_gzip(request, accepted, limit)
    inflating = Inflating() if gzip else None
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


def parsed(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """What ``body`` holds, as ``decoder`` reads it; a byte order mark of UTF-8 before it is passed over.

    Raises:
        ProblemError: it is not JSON, or has another shape.
    """
    # RFC 8259, section 8.1: a reader may ignore the mark.
    content = body.removeprefix(BOM_UTF8)
    try:
        return decoder.decode(content)
    except msgspec.ValidationError as error:
        raise ProblemError(WRONG_SHAPE, f"{error}{_remedy(str(error), decoder.type)}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProblemError(MALFORMED, _no_text(body) or f"{json_fault(error, content, decoder)}.") from None
    except RecursionError:
        raise ProblemError(MALFORMED, "The body is nested too deeply.") from None


def check_number(number: int, most: int, what: str, remedy: str = "Send them in several.") -> None:
    """Do nothing where a request may have so many of ``what``.

    Raises:
        ProblemError: it may not; ``remedy``: what to do then.
    """
    if number > most:
        raise ProblemError(
            TOO_MANY, f"The request has {number:,} {what} and may have {most:,}. {remedy}", limit=most
        )


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


def _declaring(accepted: Mapping[str, str]) -> str:
    """How to declare a body: one header that can be pasted, and the other media types beside it.

    >>> _declaring(JSON)
    'Send JSON with `Content-Type: application/json`.'
    >>> _declaring({"text/csv": "a table (CSV)", "text/tab-separated-values": "a table (TSV)"})
    'Send a table (CSV) with `Content-Type: text/csv`, or a table (TSV) as `text/tab-separated-values`.'
    """
    (kind, called), *others = accepted.items()
    also = "".join(f", or {name} as `{other}`" for other, name in others)
    return f"Send {called} with `Content-Type: {kind}`{also}."


def _is_gzip(request: Request, accepted: Mapping[str, str], limit: int) -> bool:
    """Whether the body comes compressed, by what the head of the request says of it.

    Raises:
        ProblemError: that is nothing that is accepted.
    """
    media_type = media_type_of(request)
    called = " or ".join(accepted.values())
    if media_type not in accepted:
        declared = f"`{media_type[:100]}`" if media_type else "no media type"
        raise ProblemError(
            WRONG_TYPE,
            f"The body has {declared}. {_declaring(accepted)}",
        )
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        raise ProblemError(
            WRONG_TYPE,
            f"The body is encoded as `{encoding[:100]}`. Send {called} as it is, or with "
            "`Content-Encoding: gzip`.",
            headers={"Accept-Encoding": "gzip, identity"},
        )
    # A length that is no number does not come here: the server refuses it.
    if int(request.headers.get("content-length", 0)) > limit:
        raise too_large(limit)
    return encoding != "identity"


def _remedy(error: str, kind: object) -> str:
    """What may stand where a body of ``kind`` has a word or a field that is not allowed, else nothing."""
    if not error.startswith(("Invalid enum value", "Object contains unknown field")):
        return ""
    allowed = type_info(kind)
    # A place is written as `$.pairs[0].left`.
    for name in re.findall(r"\.(\w+)|\[", error.rpartition("`$")[2]):
        allowed = _within(allowed, name)
    allowed = _plain(allowed)
    if isinstance(allowed, LiteralType):
        return f": it may be {' or '.join(repr(value) for value in allowed.values)}"
    if isinstance(allowed, StructType):
        return f": it may have {', '.join(f'`{field.encode_name}`' for field in allowed.fields)}"
    return ""


def _within(kind: Type, name: str) -> Type:
    """The type of a field of ``kind``; of its items, where ``name`` is empty."""
    kind = _plain(kind)
    if isinstance(kind, ListType):
        return kind.item_type
    if isinstance(kind, StructType):
        return next((field.type for field in kind.fields if field.encode_name == name), kind)
    return kind


def _plain(kind: Type) -> Type:
    """A type without what is said of it; of several, the one that has fields."""
    if isinstance(kind, Metadata):
        return _plain(kind.type)
    if isinstance(kind, UnionType):
        return next((one for one in map(_plain, kind.types) if isinstance(one, StructType)), kind)
    return kind


def _no_text(body: bytes) -> str | None:
    """What is said of a body that has no text, or whose bytes are none."""
    if not body.strip():
        return "The body is empty. Send a JSON object."
    try:
        body.decode()
    except UnicodeDecodeError as error:
        byte = body[error.start]
        return f"The body is not UTF-8: byte 0x{byte:02x} at {error.start + 1}. Save or send it as UTF-8."
    return None
