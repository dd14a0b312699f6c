"""Requests as they go to a server: compressed, tried again where that helps, problems raised as errors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

import httpx
from tenacity import AsyncRetrying, Retrying

import wort.schemas.arguments as given
from wort.asking import Question
from wort.errors import Closed
from wort.exchange import Server, Transient, content_of, decoded

T = TypeVar("T")


class Transport:
    """Sends requests to one server. May be shared between threads."""

    def __init__(self, server: Server, timeout: float, retries: int) -> None:
        """``timeout``: seconds without a byte; ``retries``: how often a request is sent again."""
        self.server = server
        limit = given.seconds(timeout, "timeout", positive=True)
        self._http = httpx.Client(
            base_url=server.address, headers=server.headers, auth=server.named, timeout=limit
        )
        self._retrying = Retrying(**server.retrying(retries))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def ask(self, question: Question[T]) -> T:
        """The answer to a question.

        Raises:
            WortError: as ``sent``.
        """
        with self.sent(question) as response:
            return decoded(response.read(), question.kind)

    @contextmanager
    def sent(self, question: Question[T], accept: str | None = None) -> Iterator[httpx.Response]:
        """The response to a request, its status good and its body not read yet; tried again until it is.

        Raises:
            Closed: this is.
            NotReached: no server answered, or the answer broke off while it was read.
            BrokenAnswer: what answered is no wort server.
            Refused: the server answered with a problem.
        """
        if self._http.is_closed:
            raise Closed
        request = request_of(self._http, question, accept)
        try:
            response = self._retrying(self._once, request)
        except Transient as transient:
            raise transient.error from transient.__cause__
        try:
            yield response
        except httpx.TransportError as error:
            raise self.server.broken_off(error) from error
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
            raise self.server.unanswered(error) from error
        if response.is_success:
            return response
        try:
            body = response.read()
        except httpx.TransportError as error:
            raise Transient(self.server.broken_off(error)) from error
        finally:
            response.close()
        raise self.server.failure(response, body)


class AsyncTransport:
    """Sends requests to one server, each as ``Transport`` does, while others are waited for."""

    def __init__(self, server: Server, timeout: float, retries: int) -> None:
        """``timeout``, ``retries``: as of ``Transport``."""
        self.server = server
        limit = given.seconds(timeout, "timeout", positive=True)
        self._http = httpx.AsyncClient(
            base_url=server.address, headers=server.headers, auth=server.named, timeout=limit
        )
        self._retrying = AsyncRetrying(**server.retrying(retries))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def ask(self, question: Question[T]) -> T:
        """The answer to a question.

        Raises:
            WortError: as ``Transport.sent``.
        """
        async with self.sent(question) as response:
            return decoded(await response.aread(), question.kind)

    @asynccontextmanager
    async def sent(self, question: Question[T], accept: str | None = None) -> AsyncIterator[httpx.Response]:
        """The response to a request, its status good and its body not read yet; tried again until it is.

        Raises:
            WortError: as ``Transport.sent``.
        """
        if self._http.is_closed:
            raise Closed
        request = request_of(self._http, question, accept)
        try:
            # A copy: what is known of the tries of one request is not another's, which goes on meanwhile.
            response: httpx.Response = await self._retrying.copy()(self._once, request)
        except Transient as transient:
            raise transient.error from transient.__cause__
        try:
            yield response
        except httpx.TransportError as error:
            raise self.server.broken_off(error) from error
        finally:
            await response.aclose()

    async def _once(self, request: httpx.Request) -> httpx.Response:
        """As ``Transport._once``."""
        try:
            response = await self._http.send(request, stream=True)
        except httpx.TransportError as error:
            raise self.server.unanswered(error) from error
        if response.is_success:
            return response
        try:
            body = await response.aread()
        except httpx.TransportError as error:
            raise Transient(self.server.broken_off(error)) from error
        finally:
            await response.aclose()
        raise self.server.failure(response, body)


def request_of(
    http: httpx.Client | httpx.AsyncClient, question: Question[T], accept: str | None
) -> httpx.Request:
    """The request that asks ``question``; ``accept``: the media type of the answer, if not JSON."""
    content, headers = content_of(question.body)
    if accept is not None:
        headers["Accept"] = accept
    method = "GET" if question.body is None else "POST"
    wanted = {name: value for name, value in question.query.items() if value is not None}
    return http.build_request(method, question.path, params=wanted or None, content=content, headers=headers)
