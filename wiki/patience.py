"""Trying again: how often, how long to wait in between, and when to give up."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception_type

from wiki.errors import ServerUnavailable

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to wait for a server.

    ``attempts`` in a row that bring no new byte end a download; waits double from ``first_wait`` seconds up
    to ``longest_wait``, which also bounds what a server may ask for with ``Retry-After``. ``told`` is called
    with a sentence before each wait.
    """

    attempts: int = 8
    first_wait: float = 1.0
    longest_wait: float = 300.0
    told: Callable[[str], None] | None = None


class AttemptFailed(Exception):
    """An attempt failed in a way that another may not; ``retry_after`` is the server's wish in seconds."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


def persist(
    attempt: Callable[[], Result], url: str, patience: Patience, received: Callable[[], int]
) -> Result:
    """Return what ``attempt`` returns; after AttemptFailed, try again as long as patience lasts.

    ``received`` gives the bytes that are there so far: an attempt that added some does not use up patience.
    Raises ServerUnavailable, which names ``url``, when it has run out.
    """
    failures = 0
    most = 0

    def wait(state: RetryCallState) -> float:
        nonlocal failures, most
        failures = failures + 1 if received() <= most else 1
        most = max(most, received())
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, AttemptFailed) and error.retry_after is not None:
            return error.retry_after
        # Jitter keeps clients that were cut off together from coming back together.
        longest = min(patience.first_wait * 2.0 ** (failures - 1), patience.longest_wait)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 nothing secret

    def tell(state: RetryCallState) -> None:
        if patience.told is not None and state.outcome is not None:
            patience.told(f"{url}: {state.outcome.exception()}; trying again in {state.upcoming_sleep:.0f} s")

    retrying = Retrying(
        retry=retry_if_exception_type(AttemptFailed),
        wait=wait,  # tenacity asks for the wait before it asks whether to stop
        stop=lambda _: failures >= patience.attempts,
        before_sleep=tell,
        reraise=True,
    )
    try:
        return retrying(attempt)
    except AttemptFailed as error:
        raise ServerUnavailable(
            f"{url} could not be fetched: {error} ({failures} attempts in a row brought nothing). Check the "
            "network and run the same command again: it goes on where it stopped."
        ) from error


def seconds_until(value: str) -> float | None:
    """Return the seconds that a Retry-After header asks for, given as a number or a date."""
    if value.isdecimal():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
