"""Request bodies: read within their limit, decoded into pairs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import ListType, LiteralType, Metadata, StructType, Type, type_info
from starlette.requests import Request

from app.web.problems import MALFORMED, TOO_MANY, WRONG_SHAPE, ProblemError
from app.web.requests.body_pieces import pieces
from app.web.resources import BodyMemory, MemoryBudget
from wort.schemas.relatedness import RelatednessRequest
from wort.schemas.terms import TermsRequest

T = TypeVar("T")
Asked = TypeVar("Asked", RelatednessRequest, TermsRequest)

_DECODERS: dict[type, Any] = {kind: msgspec.json.Decoder(kind) for kind in (RelatednessRequest, TermsRequest)}


JSON = {"application/json": "JSON"}
"""The media type of a request's body, and what it is called."""


async def read_body(
    request: Request, accepted: Mapping[str, str] = JSON, budget: MemoryBudget | None = None
) -> bytes:
    """The body of a request, all of it, within the limits of the settings; as ``pieces``.

    It takes of ``budget`` until the request ends; None for that of the requests that are answered at once.

    Raises:
        ProblemError: there is no room for it; or as ``pieces``.
    """
    state = request.app.state
    arriving = BodyMemory(request, budget or state.bodies)
    body = bytearray()
    async for piece in pieces(request, accepted, state.settings.max_body, state.pace):
        arriving.take(len(piece))
        body += piece
    return bytes(body)


def decode(body: bytes, kind: type[Asked], max_pairs: int) -> Asked:
    """The request of a kind that ``body`` holds.

    Raises:
        ProblemError: it is not JSON, has another shape, or holds more than ``max_pairs`` pairs.
    """
    asked: Asked = parsed(body, _DECODERS[kind])
    if len(asked.pairs) > max_pairs:
        raise ProblemError(
            TOO_MANY,
            f"The request has {len(asked.pairs):,} pairs and may have {max_pairs:,}. Send them in several.",
            limit=max_pairs,
        )
    return asked


def parsed(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """What ``body`` holds, as ``decoder`` reads it.

    Raises:
        ProblemError: it is not JSON, or has another shape.
    """
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise ProblemError(WRONG_SHAPE, f"{error}{_remedy(str(error), decoder.type)}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProblemError(MALFORMED, _not_utf8(body) or f"{error}.") from None
    except RecursionError:
        raise ProblemError(MALFORMED, "The body is nested too deeply.") from None


def _remedy(error: str, kind: object) -> str:
    """What may stand where a body of ``kind`` has a word that is none of those allowed, else nothing."""
    if not error.startswith("Invalid enum value"):
        return ""
    found = type_info(kind)
    # A place is written as `$.pairs[0].left`.
    for name in re.findall(r"\.(\w+)|\[", error.rpartition("`$")[2]):
        found = _within(found, name)
    found = _plain(found)
    if not isinstance(found, LiteralType):
        return ""
    return f": it may be {' or '.join(repr(value) for value in found.values)}"


def _within(kind: Type, name: str) -> Type:
    """The type of a field of ``kind``; of its items, where ``name`` is empty."""
    kind = _plain(kind)
    if isinstance(kind, ListType):
        return kind.item_type
    if isinstance(kind, StructType):
        return next((field.type for field in kind.fields if field.encode_name == name), kind)
    return kind


def _plain(kind: Type) -> Type:
    return kind.type if isinstance(kind, Metadata) else kind


def _not_utf8(body: bytes) -> str | None:
    """What is said of a body whose bytes are no text."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        byte = body[error.start]
        return f"The body is not UTF-8: byte 0x{byte:02x} at {error.start + 1}. Save or send it as UTF-8."
    return None
