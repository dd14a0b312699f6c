"""The Python client of a wort server, and the way to what a server answers without one.

::

    from wort import Client

    with Client("http://127.0.0.1:8000") as client:
        result = client.relatedness("Atheism", "Religion")
        print(result.score, result.interval)

``interval`` is None where the model knows none. ``AsyncClient`` asks the same from an event loop. Where the
server is installed as well, ``wort.open`` has the same answers computed in this process.

``wort.schemas`` holds the schemas of requests and responses, all that the server shares with the client.
"""

from __future__ import annotations

import typing
from importlib import import_module

from wort.errors import (
    BrokenAnswer,
    Closed,
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
from wort.schemas.references import Reference, SideReference
from wort.schemas.relatedness import PairResult
from wort.schemas.unscored import UnscoredWarning

if typing.TYPE_CHECKING:
    from wort.async_client import AsyncClient
    from wort.client import Client
    from wort.in_process import open as open

__version__ = "0.1.0"
"""Of the client and of the server: both distributions are built with it."""

__all__ = [
    "AsyncClient",
    "BrokenAnswer",
    "Client",
    "Closed",
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
    "UnscoredWarning",
    "WortError",
]
# ``open`` is not among them: ``from wort import *`` would hide Python's own.

_LAZY = {"AsyncClient": "wort.async_client", "Client": "wort.client", "open": "wort.in_process"}
"""What is loaded once it is asked for, and the module that has it."""


def __getattr__(name: str) -> object:
    """What is asked for: a server, which shares ``wort.schemas``, loads no HTTP client."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    attribute: object = getattr(import_module(_LAZY[name]), name)
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    """What there is, loaded or not; nothing of what this module itself imports."""
    return sorted({*__all__, "open", *(name for name in globals() if name.startswith("__"))})
