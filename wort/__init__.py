"""The Python client of a wort server.

::

    from wort import Client

    with Client("http://127.0.0.1:8000") as wort:
        print(wort.relatedness("Atheism", "Religion").score)

Only this and what it says over the wire (``app.wire``) is loaded: no tables, no numbers.
"""

from app.wire.relatedness import Reference
from wort.client import Client
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

__all__ = [
    "BrokenAnswer",
    "Client",
    "InvalidRequest",
    "NotAuthorised",
    "NotFound",
    "NotReached",
    "Reference",
    "Refused",
    "TooLarge",
    "TooOften",
    "Unavailable",
    "Unresolved",
    "WortError",
]
