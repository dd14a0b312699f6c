"""Answers as JSON."""

from __future__ import annotations

import msgspec
from fastapi import Response


def respond(answer: msgspec.Struct, status: int = 200) -> Response:
    """``answer`` as JSON."""
    return Response(msgspec.json.encode(answer), status, media_type="application/json")
