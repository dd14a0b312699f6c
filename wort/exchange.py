"""What a request and its answer are, whoever waits for them: bodies, problems, when to try again."""

from __future__ import annotations

import email.utils
import gzip
import random
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypeVar

import httpx
import msgspec
from tenacity import RetryCallState, retry_if_exception_type, stop_after_attempt

import wort.schemas.arguments as given
from wort import __version__
from wort.errors import BrokenAnswer, NotReached, Refused, WortError, refusal
from wort.schemas.operation import Problem

T = TypeVar("T")

COMPRESSED_FROM = 1024
"""Bytes from which a body is sent compressed: a smaller one fits a packet or two as it is."""

BROKEN = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)
"""Connections that were not made, or broke: the request may be sent again, since scoring changes nothing.
A time-out of the answer is not among them, for the server may still be at it."""

TRANSIENT = frozenset((HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE))


_ADDRESS = "Begin it with http:// or https://, and a host, as in http://127.0.0.1:8000."
"""What to give where an address is none."""


class Transient(Exception):
    """What may pass by itself: ``error`` is raised in the end, ``wait`` the seconds that the server named."""

    def __init__(self, error: WortError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait = wait


class Server:
    """Where a server is, what is sent to it with every request, and what its answers are raised as."""

    def __init__(self, url: str, key: str | None, longest_wait: float) -> None:
        """``url``: where the service is; a user and password in it are sent as such, and shown nowhere.

        Raises:
            TypeError: the address or the key is no text, or ``longest_wait`` no number.
            ValueError: the address is none of HTTP, the key cannot stand in a header, or ``longest_wait`` is
                no time.
        """
        if not isinstance(url, str | httpx.URL):
            # Its value is not shown, as bytes may hold a password.
            raise TypeError(f"The address of a server is a string, and not of type {_kind(url)}. {_ADDRESS}")
        try:
            address = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise ValueError(
                f"{url!r} is no address of a server: {error}. Name one as http://127.0.0.1:8000."
            ) from None
        if address.scheme not in ("http", "https") or not address.host:
            named = str(address.copy_with(userinfo=b""))  # without a password
            raise ValueError(f"{named!r} is no address of a server. {_ADDRESS}")
        if not isinstance(key, str | None):
            raise TypeError(f"The key of a server is a string, and not of type {_kind(key)}.")
        if key is not None and not (key.isascii() and key.isprintable() and key.strip()):
            raise ValueError("The key has characters that cannot stand in a header, or none. Check the key.")
        self.headers = {"User-Agent": f"wort/{__version__}", "Accept": "application/json"}
        if key is not None:
            self.headers["Authorization"] = f"Bearer {key}"
        self.named = (address.username, address.password) if address.userinfo and key is None else None
        # httpx logs the addresses of requests: no password may be in one.
        self.address = address.copy_with(userinfo=b"")
        self._longest_wait = given.seconds(longest_wait, "longest_wait", positive=False)

    def retrying(self, retries: int) -> dict[str, Any]:
        """How a request is tried again, ``retries`` times at most, as tenacity is told it.

        Raises:
            TypeError, ValueError: ``retries`` is no such number.
        """
        tries = 1 + given.whole(retries, "retries", "how often a request is sent again", least=0)
        return {
            "retry": retry_if_exception_type(Transient),
            "stop": stop_after_attempt(tries),
            "wait": lambda state: _seconds(state, self._longest_wait),
            "reraise": True,
        }

    def unanswered(self, error: httpx.TransportError) -> Exception:
        """What a request is raised as that nobody answered."""
        failed = NotReached(
            f"{self.address} does not answer: {_reason(error)}. Is the server running, and is this where?"
        )
        return Transient(failed) if isinstance(error, BROKEN) else failed

    def broken_off(self, error: httpx.TransportError) -> NotReached:
        """What an answer is raised as that did not come to its end."""
        return NotReached(f"{self.address}: the answer broke off: {_reason(error)}.")

    def failure(self, response: httpx.Response, body: bytes) -> Exception:
        """What the answer of a status that is not good is raised as."""
        error: Refused | BrokenAnswer
        try:
            error = refusal(msgspec.json.decode(body, type=Problem))
        except msgspec.DecodeError:
            error = BrokenAnswer(
                f"{response.request.method} {self.address} was answered {response.status_code}, and not by "
                "wort. Is this its address, and what stands between?"
            )
        wait = _retry_after(response)
        # A problem of wort that passes says when; of a proxy's 503 nobody knows.
        passes = wait is not None or isinstance(error, BrokenAnswer)
        if response.status_code in TRANSIENT and passes and (wait or 0) <= self._longest_wait:
            return Transient(error, wait)
        return error


def decoded(body: bytes, kind: type[T]) -> T:
    """What ``body`` says. Fields that are not known are left: a newer server may have more.

    Raises:
        BrokenAnswer: it is not JSON, or misses what the kind has.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenAnswer(
            f"The answer is not what this client (wort {__version__}) expects: {error}. Does a server of "
            "this version answer there?"
        ) from None


def content_of(body: Mapping[str, Any] | None) -> tuple[bytes | None, dict[str, str]]:
    """The bytes of a body, and the headers that go with them."""
    if body is None:
        return None, {}
    content = msgspec.json.encode(body)
    headers = {"Content-Type": "application/json"}
    if len(content) < COMPRESSED_FROM:
        return content, headers
    return gzip.compress(content, compresslevel=1), {**headers, "Content-Encoding": "gzip"}


def _seconds(state: RetryCallState, longest: float) -> float:
    """How long to wait: what the server named, else ever longer, with a random part."""
    failed = None if state.outcome is None else state.outcome.exception()
    named = failed.wait if isinstance(failed, Transient) else None
    grown: float = 0.1 * 2 ** (state.attempt_number - 1)
    # No secret depends on it.
    part = random.random()  # noqa: S311
    wait = grown * (0.5 + part / 2) if named is None else named + part * min(grown, 1)
    return min(wait, longest)


def _retry_after(response: httpx.Response) -> float | None:
    """The seconds that ``Retry-After`` names, as a number or a date (RFC 9110, section 10.2.3)."""
    said = response.headers.get("Retry-After", "")
    if said.isdecimal():
        return float(said)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - time.time())
    except ValueError:
        return None


def _kind(value: object) -> str:
    return type(value).__name__


def _reason(error: httpx.TransportError) -> str:
    """Why no answer came. httpx has no words for some of its errors."""
    return str(error) or type(error).__name__
