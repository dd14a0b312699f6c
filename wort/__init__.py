"""The Python client of a wort server.

::

    from wort import Client

    with Client("http://127.0.0.1:8000") as wort:
        result = wort.relatedness("Atheism", "Religion")
        print(result.score, result.interval)

``interval`` is None where the model knows none.

``wort.schemas`` holds the schemas of requests and responses, all that the server shares with the client.
"""

from __future__ import annotations

import typing

from wort.errors import (
    BrokenAnswer,
    InvalidRequest,
    NotAuthorised,
    NotFound,
    NotReached,
    Refused,
    TooLarge,
    TooOften,
    Unavailable,
    Unresolved,
    WortError,
)
from wort.schemas.described import Interval
from wort.schemas.relatedness import PairResult, Reference, SideReference

if typing.TYPE_CHECKING:
    from wort.client import Client

__version__ = "0.1.0"
"""Of the client and of the server: both distributions are built with it."""

__all__ = [
    "BrokenAnswer",
    "Client",
    "Interval",
    "InvalidRequest",
    "NotAuthorised",
    "NotFound",
    "NotReached",
    "PairResult",
    "Reference",
    "Refused",
    "SideReference",
    "TooLarge",
    "TooOften",
    "Unavailable",
    "Unresolved",
    "WortError",
]


def __getattr__(name: str) -> object:
    """``Client`` once it is asked for: a server, which shares ``wort.schemas``, loads no HTTP client."""
    if name != "Client":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wort.client import Client  # noqa: PLC0415

    globals()["Client"] = Client
    return Client
