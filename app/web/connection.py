"""A connection of the server: as uvicorn has it, but with bounds for heads of requests and for readers."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn import Config
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from app.web.resources import CUT, SMALL

LARGEST_HEAD = 64 << 10
"""Bytes that the head of a request may have."""

PIECE = SMALL
"""Bytes of an answer that are under way at a time. The next ones follow when a reader has taken these."""


class Connection(HttpToolsProtocol):
    """Closes itself where a client sends no whole head, or one that is far too large, or reads nothing.

    uvicorn gives an idle connection a time once it was answered, and none before; and it keeps a head of any
    size. Whoever opened connections and sent nothing would hold all that the process may have open. An answer
    it buffers whole and counts as sent, and it waits for its reader without end. Here a request lasts until
    its answer is taken but for the last piece, and a reader has ``send_seconds`` for each.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        send_seconds: float = 20.0,
        head_seconds: float = 10.0,
    ) -> None:
        """``send_seconds``: how long a reader may take for a piece.

        ``head_seconds``: how long the first request of a connection may take to come, and the head of each to
        be whole.
        """
        super().__init__(config, server_state, app_state, _loop)
        self._waiting: asyncio.TimerHandle | None = None
        # Bytes of the head that is arriving; None where none is.
        self._head: int | None = None
        self._send_seconds = send_seconds
        self._head_seconds = head_seconds
        self._reading: asyncio.TimerHandle | None = None
        # The request that is answered: of several that came at once, not the last, as ``cycle`` is.
        self._answered: RequestResponseCycle | None = None
        self.app = partial(self._answer, self.app)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin to wait for the first request."""
        super().connection_made(transport)
        _keep_little_unsent(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Take what has come; where that is no whole head, begin to wait for the rest of it."""
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")
        if self._is_idle():
            self._wait_for_head()

    def on_message_begin(self) -> None:
        """Begin to count the bytes of a head."""
        super().on_message_begin()
        self.scope["state"][CUT] = self.transport.abort
        self._head = 0

    def on_headers_complete(self) -> None:
        """Stop waiting: the head is there."""
        self._head = None
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting, and tell the request that is answered: nobody is there."""
        self._stop_waiting()
        self._stop_reading()
        self.app = self.config.loaded_app  # in place of what holds this object
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to wait for the reader: more than a piece is under way."""
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """Stop waiting: it was taken."""
        super().resume_writing()
        self._stop_reading()
        self._wait_for_rest()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, and close."""
        super().send_400_response(msg)
        self._wait_for_rest()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection."""
        super().timeout_keep_alive_handler()
        self._wait_for_rest()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    async def _answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, partial(self._send, send))
        finally:
            # uvicorn closes after an answer that is the last, or was cut off.
            self.loop.call_soon(self._wait_for_rest)

    async def _send(self, send: Send, message: Message) -> None:
        """Send a message, a large body in pieces, and return when all but the last one is taken."""
        body = message.get("body", b"")
        at = 0
        while len(body) - at > PIECE and not self.transport.is_closing():
            await send({**message, "body": body[at : at + PIECE], "more_body": True})
            await self.flow.drain()
            at += PIECE
        await send({**message, "body": body[at:]} if at else message)
        await self.flow.drain()

    def _wait_for_head(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(self._head_seconds, self._close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _wait_for_reader(self) -> None:
        if self._reading is None:
            self._reading = self.loop.call_later(self._send_seconds, self.transport.abort)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _wait_for_rest(self) -> None:
        """A connection that is to be closed is so only when all is taken that was sent on it."""
        if self.transport.is_closing() and self.transport.get_write_buffer_size() > 0:
            self._wait_for_reader()

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _close(self) -> None:
        self._waiting = None
        # What came after the head may have been answered meanwhile, or be about to be.
        if self._is_idle() and not self.transport.is_closing():
            self.transport.close()
            self._wait_for_rest()


def _keep_little_unsent(transport: asyncio.Transport) -> None:
    """Have the kernel take no more than a piece that it cannot send, where it can be told so.

    It would hold megabytes for a reader that takes nothing, and tell of one that takes little only now and
    then.
    """
    connected: socket.socket | None = transport.get_extra_info("socket")
    if connected is not None and connected.family in (socket.AF_INET, socket.AF_INET6):
        option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
        if option is not None:
            connected.setsockopt(socket.IPPROTO_TCP, option, PIECE)
