"""How often somebody may ask: by key, or by address.

Counted in the memory of one process: of several workers each allows as much. A window begins with the first
request of somebody and allows so many until it ends; then the next one begins. Its time is that of a clock
that cannot be set: were it set back, a window would last for as long as that was.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from functools import lru_cache

from limits import RateLimitItem, parse_many
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.middleware.authority import PROBES, is_static
from app.web.problems import TOO_OFTEN, ProblemError
from app.web.refusing import refuse
from app.web.request_notes import notes_of

MOST = 50_000
"""Windows that are remembered; beyond, that which began first is forgotten. They take some 20 MB."""

_PREFIX = 64
"""Bits of an IPv6 address that name a network: whoever has one has all addresses in it."""


class Counters(Storage):
    """Counts in memory, at most ``most`` of them.

    That of ``limits`` itself has no bound, and looks through all it has up to a hundred times a second.
    """

    STORAGE_SCHEME = None

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self.most = most
        # The number of each window and when it ends, those that began first in front.
        self._windows: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._windows)

    @property
    def base_exceptions(self) -> type[Exception]:
        """What may go wrong here: nothing does."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count ``amount`` more and tell how many that makes; ``expiry``: the seconds of a window."""
        number, end = self._windows.get(key, (0, 0.0))
        now = time.monotonic()
        if end <= now:
            self._windows.pop(key, None)
            number, end = 0, now + expiry
            while len(self._windows) >= self.most:
                self._windows.popitem(last=False)
        number += amount
        self._windows[key] = (number, end)
        return number

    def get(self, key: str) -> int:
        """How many were counted in the window of ``key``."""
        number, end = self._windows.get(key, (0, 0.0))
        return number if end > time.monotonic() else 0

    def get_expiry(self, key: str) -> float:
        """When the window of ``key`` ends, on a clock that nobody sets (``time.monotonic``)."""
        return self._windows.get(key, (0, time.monotonic()))[1]

    def check(self) -> bool:
        """Whether it works: it does."""
        return True

    def reset(self) -> int:
        """Forget everything and tell how much that was."""
        number = len(self._windows)
        self._windows.clear()
        return number

    def clear(self, key: str) -> None:
        """Forget the window of ``key``."""
        self._windows.pop(key, None)


class Rates:
    """Refuses who asks more often than ``limits`` allow. ``Identification`` stands before it."""

    def __init__(self, app: ASGIApp, limits: str) -> None:
        self.app = app
        self.counters = Counters()
        self._limiter = FixedWindowRateLimiter(self.counters)
        self._limits: list[RateLimitItem] = parse_many(limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and scope["path"] not in PROBES and not is_static(scope["path"]):
            who = who_asks(scope)
            for limit in self._limits:
                if not self._limiter.hit(limit, who):
                    await refuse(self._too_often(limit, who), scope, receive, send)
                    return
        await self.app(scope, receive, send)

    def _too_often(self, limit: RateLimitItem, who: str) -> ProblemError:
        left = self._limiter.get_window_stats(limit, who).reset_time - time.monotonic()
        seconds = max(1, math.ceil(left))
        return ProblemError(
            TOO_OFTEN,
            f"{limit.amount:,} requests in {limit.get_expiry():,} s are allowed here. "
            f"Try again in {seconds} s.",
            limit.amount,
            headers={"Retry-After": str(seconds)},
        )


def who_asks(scope: Scope) -> str:
    """Whom a request is counted for: its key where it has one that is in force, else its address."""
    caller = notes_of(scope).caller
    if caller is not None:
        return f"key {caller.name}"
    client = scope.get("client")
    return "nowhere" if client is None else network_of(client[0])


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What shares one count: an address, or of IPv6 the network of 64 bits that it is in.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> network_of("2001:db8::1"), network_of("2001:db8::ffff:2")
    ('2001:db8::/64', '2001:db8::/64')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        # What a proxy wrote that is no address.
        return address[:64]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, _PREFIX), strict=False))
