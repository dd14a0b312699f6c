"""Request bodies: read within their limit, decoded into pairs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request

from app.web.problems import MALFORMED, TOO_LARGE, TOO_MANY, TOO_SLOW, WRONG_SHAPE, WRONG_TYPE, ProblemError
from app.wire.relatedness import Pair, Reference, RelatednessRequest
from app.wire.terms import TermsRequest

Asked = TypeVar("Asked", RelatednessRequest, TermsRequest)

_DECODERS: dict[type, Any] = {kind: msgspec.json.Decoder(kind) for kind in (RelatednessRequest, TermsRequest)}


async def read_json(request: Request, limit: int, seconds: float) -> bytes:
    """The body of a JSON request; as ``read_body``."""
    return await read_body(request, {"application/json": "JSON"}, limit, seconds)


async def read_body(request: Request, accepted: Mapping[str, str], limit: int, seconds: float) -> bytes:
    """The body of a request, read as it arrives: ``limit`` bytes in ``seconds`` at the most.

    ``accepted``: the media types that it may be declared as, and what each is called.

    Raises:
        ProblemError: it is declared as something else, is encoded in some other way, is too large or too
            slow.
    """
    called = " or ".join(accepted.values())
    media_type = media_type_of(request)
    if media_type not in accepted:
        declared = f"`{media_type[:100]}`" if media_type else "no media type"
        raise ProblemError(
            WRONG_TYPE,
            f"The body has {declared}. Send {called} with `Content-Type: {' or '.join(accepted)}`.",
        )
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ProblemError(
            WRONG_TYPE, f"The body is compressed. Send plain {called}, without Content-Encoding."
        )
    if int(request.headers.get("content-length", 0)) > limit:
        raise _too_large(limit)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for piece in request.stream():
                body += piece
                if len(body) > limit:
                    raise _too_large(limit)
    except TimeoutError:
        raise ProblemError(
            TOO_SLOW,
            f"The body has {seconds:g} seconds to arrive. Send it at once, or fewer pairs a request.",
            headers={"Connection": "close"},
        ) from None
    return bytes(body)


def media_type_of(request: Request) -> str:
    """The media type that a request's body is declared as, without its parameters; empty for none."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def decode(body: bytes, kind: type[Asked], max_pairs: int) -> Asked:
    """The request of a kind that ``body`` holds.

    Raises:
        ProblemError: it is not JSON, has another shape, or holds more than ``max_pairs`` pairs.
    """
    try:
        asked: Asked = _DECODERS[kind].decode(body)
    except msgspec.ValidationError as error:
        raise ProblemError(WRONG_SHAPE, f"{error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProblemError(MALFORMED, f"{error}.") from None
    except RecursionError:
        raise ProblemError(MALFORMED, "The body is nested too deeply.") from None
    if len(asked.pairs) > max_pairs:
        raise ProblemError(
            TOO_MANY,
            f"The request has {len(asked.pairs):,} pairs and may have {max_pairs:,}. Send them in several.",
            limit=max_pairs,
        )
    return asked


def references(pair: Pair) -> tuple[str | int, str | int]:
    """What the two sides of ``pair`` name: titles or URLs as strings, page ids as integers."""
    return _reference(pair.left), _reference(pair.right)


def _reference(concept: str | int | Reference) -> str | int:
    if not isinstance(concept, Reference):
        return concept
    return concept.id if isinstance(concept.id, int) else str(concept.title)


def _too_large(limit: int) -> ProblemError:
    return ProblemError(TOO_LARGE, f"The body may have {limit:,} bytes. Send fewer pairs a request.", limit)
