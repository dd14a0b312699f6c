"""Requests as they go to a server: compressed, tried again where that helps, problems raised as errors."""

from __future__ import annotations

import email.utils
import gzip
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, TypeVar

import httpx
import msgspec
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt

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


class Transient(Exception):
    """What may pass by itself: ``error`` is raised in the end, ``wait`` the seconds that the server named."""

    def __init__(self, error: WortError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait = wait


class Transport:
    """Sends requests to one server. May be shared between threads."""

    def __init__(self, url: str, key: str | None, timeout: float, retries: int, longest_wait: float) -> None:
        """``url``: where the service is; a user and password in it are sent as such, and shown nowhere.

        Raises:
            ValueError: the address is none of HTTP, or the key cannot stand in a header.
        """
        address = httpx.URL(url)
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError(f"{address!r} is no address of a server. Name one as http://127.0.0.1:8000.")
        if key is not None and not (key.isascii() and key.isprintable() and key.strip()):
            raise ValueError("The key has characters that cannot stand in a header, or none. Check the key.")
        headers = {"User-Agent": f"wort/{__version__}", "Accept": "application/json"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        named = (address.username, address.password) if address.userinfo and key is None else None
        # httpx logs the addresses of requests: no password may be in one.
        self.address = address.copy_with(userinfo=b"")
        self._http = httpx.Client(base_url=self.address, headers=headers, auth=named, timeout=timeout)
        self._retrying = Retrying(
            retry=retry_if_exception_type(Transient),
            stop=stop_after_attempt(retries + 1),
            wait=lambda state: _seconds(state, longest_wait),
            reraise=True,
        )
        self._longest_wait = longest_wait

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, kind: type[T], query: Mapping[str, Any]) -> T:
        """The answer to a GET.

        Raises:
            WortError: as ``sent``.
        """
        wanted = {name: value for name, value in query.items() if value is not None}
        with self.sent("GET", path, params=wanted) as response:
            return decoded(response.read(), kind)

    def post(self, path: str, body: Mapping[str, Any], kind: type[T]) -> T:
        """The answer to a POST of ``body`` as JSON.

        Raises:
            WortError: as ``sent``.
        """
        with self.sent("POST", path, body=body) as response:
            return decoded(response.read(), kind)

    @contextmanager
    def sent(
        self,
        method: str,
        path: str,
        params: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        accept: str | None = None,
    ) -> Iterator[httpx.Response]:
        """The response to a request, its status good and its body not read yet; tried again until it is.

        Raises:
            NotReached: no server answered, or the answer broke off while it was read.
            BrokenAnswer: what answered is no wort server.
            Refused: the server answered with a problem.
        """
        content, headers = _content(body)
        if accept is not None:
            headers["Accept"] = accept
        request = self._http.build_request(method, path, params=params, content=content, headers=headers)
        try:
            response = self._retrying(self._once, request)
        except Transient as transient:
            raise transient.error from transient.__cause__
        try:
            yield response
        except httpx.TransportError as error:
            raise NotReached(f"{self.address}: the answer broke off: {_reason(error)}.") from error
        finally:
            response.close()

    def _once(self, request: httpx.Request) -> httpx.Response:
        """The response to a request that is sent once.

        Raises:
            Transient: it may go well another time.
            WortError: it will not.
        """
        try:
            response = self._http.send(request, stream=True)
        except httpx.TransportError as error:
            failed = NotReached(
                f"{self.address} does not answer: {_reason(error)}. Is the server running, and is this where?"
            )
            if isinstance(error, BROKEN):
                raise Transient(failed) from error
            raise failed from error
        if response.is_success:
            return response
        try:
            body = response.read()
        except httpx.TransportError as error:
            raise Transient(NotReached(f"{self.address}: the answer broke off: {_reason(error)}.")) from error
        finally:
            response.close()
        raise self._failure(response, body)

    def _failure(self, response: httpx.Response, body: bytes) -> Exception:
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


def _content(body: Mapping[str, Any] | None) -> tuple[bytes | None, dict[str, str]]:
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


def _reason(error: httpx.TransportError) -> str:
    """Why no answer came. httpx has no words for some of its errors."""
    return str(error) or type(error).__name__
