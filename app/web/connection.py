"""A connection of the server: as uvicorn has it, but with bounds for the head of a request."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

HEAD_SECONDS = 10.0
"""How long the first request of a connection may take to come, and the head of each to be whole."""

LARGEST_HEAD = 64 << 10
"""Bytes that the head of a request may have."""


class Connection(HttpToolsProtocol):
    """Closes itself where a client sends nothing, or a head byte by byte, or one that is far too large.

    uvicorn gives an idle connection a time once it was answered, and none before; and it keeps a head of any
    size. Whoever opened connections and sent nothing would hold all that the process may have open.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._waiting: asyncio.TimerHandle | None = None
        # Bytes of the head that is arriving; None where none is.
        self._head: int | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin to wait for the first request."""
        super().connection_made(transport)
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
        self._head = 0

    def on_headers_complete(self) -> None:
        """Stop waiting: the head is there."""
        self._head = None
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting: nobody is there."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEAD_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _close(self) -> None:
        self._waiting = None
        # What came after the head may have been answered meanwhile, or be about to be.
        if self._is_idle() and not self.transport.is_closing():
            self.transport.close()
