"""How long tests wait: for what must come, longer than any busy machine takes; for what must not, briefly.

No test passes or fails by a clock. A wait for what must come ends only a test that hangs; one that shall run
out shows that something does not come, and a slow machine only makes it show less. ``WORT_TEST_PATIENCE``
multiplies the first.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx

PATIENCE = 300.0 * float(os.environ.get("WORT_TEST_PATIENCE", "1"))
"""Seconds to wait for what must come, where each of four processes beside it wants the same processor."""

BRIEF = 0.3
"""Seconds to wait where the wait shall run out."""


def until(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for what another thread or process does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def least(measure: Callable[[], float], limit: float, tries: int = 3) -> float:
    """The least of what is measured, which is measured again as long as it is not below a limit.

    What slows a machine passes, and a slow program stays slow.
    """
    found = measure()
    for _ in range(tries - 1):
        if found >= limit:
            found = min(found, measure())
    return found


@contextmanager
def patient_clients() -> Iterator[None]:
    """Clients of httpx wait as long unless told otherwise: five seconds, its own default, are a clock."""
    functions: list[Callable[..., object]] = [
        inspect.unwrap(getattr(httpx, name))
        for name in ("get", "head", "options", "post", "put", "patch", "delete", "request", "stream")
    ]
    functions += [httpx.Client.__init__, httpx.AsyncClient.__init__]
    defaults: list[dict[str, object]] = [function.__kwdefaults__ or {} for function in functions]
    before = [of_one["timeout"] for of_one in defaults]
    for of_one in defaults:
        of_one["timeout"] = httpx.Timeout(PATIENCE)
    try:
        yield
    finally:
        for of_one, timeout in zip(defaults, before, strict=True):
            of_one["timeout"] = timeout
