"""Answers that stay the same as long as what is served does: tagged, and not sent twice.

An answer to a GET is a function of its address, the model, the snapshot and the code. So one tag for all of
them names that state, whatever the address: a client or a proxy that has an answer asks again with it, and
gets a 304 without a body until another release is in force or another version of wort runs. ``no-cache`` lets
it keep the answer and has it ask each time, since nobody knows when the next release comes.
"""

from __future__ import annotations

import hashlib
import re
from importlib.metadata import version
from typing import TypeVar
from weakref import WeakKeyDictionary

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from app.serving.serving import Serving

_TAG = re.compile(r'\s*+(?:(?:W/)?("[\x21\x23-\x7e\x80-\xff]*+"))?\s*+(?:,|$)')
"""One place of a list of entity tags (RFC 9110, section 8.8.3), which may be empty; the tag as it is compared
weakly, without its ``W/``. Nothing is tried twice: a run of 60,000 spaces would be gone through as often."""

_TAGS: WeakKeyDictionary[Serving, str] = WeakKeyDictionary()

Answer = TypeVar("Answer", bound=Response)


def tag_of(serving: Serving) -> str:
    """The entity tag of whatever ``serving`` answers.

    It is weak: the same answer may be sent compressed or plain, which are different bytes.
    """
    tag = _TAGS.get(serving)
    if tag is None:
        scorer = serving.scorer
        # What is said of the model besides: a release of the same model has another number in its answers.
        # Besides, what scores where another model is asked for comes with the code.
        state = (scorer.snapshot_info, scorer.model, scorer.model_info, version("wort-server"))
        digest = hashlib.blake2b(msgspec.json.encode(state), digest_size=12).hexdigest()
        tag = _TAGS[serving] = f'W/"{digest}"'
    return tag


def tagged(response: Answer, serving: Serving) -> Answer:
    """``response``, which is an answer of ``serving``, with what a cache has to know."""
    response.headers.update(_headers(serving))
    return response


def unchanged(request: Request, serving: Serving) -> Response | None:
    """The 304 to a request whose client has the answer of ``serving`` already; None where it has not.

    To be asked before any work, but after the address was found to be a good one.
    """
    if request.method not in ("GET", "HEAD"):
        return None
    asked = ",".join(request.headers.getlist("if-none-match"))
    if asked.strip() != "*" and tag_of(serving).removeprefix("W/") not in _tags(asked):
        return None
    return Response(status_code=304, headers=_headers(serving))


def _headers(serving: Serving) -> dict[str, str]:
    return {"ETag": tag_of(serving), "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}


def _tags(header: str) -> set[str]:
    """The tags of an ``If-None-Match`` list; of a malformed one those that stand before its fault."""
    tags = set()
    at = 0
    while at < len(header) and (match := _TAG.match(header, at)) is not None:
        if match[1] is not None:
            tags.add(match[1])
        at = match.end()
    return tags
