"""The undocumented parts of libraries that ``app/web`` relies on: each is named, with its reason.

``pyproject.toml`` bounds the libraries for them. Where a later version fails here, what is named has to
change before the bound does.
"""

from __future__ import annotations

import inspect
from importlib.metadata import version

import pytest
import uvicorn
from prometheus_client import values
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

METHODS = {
    "connection_made": "a connection waits for its first head from here on",
    "data_received": "a head may not grow without end",
    "on_message_begin": "a head begins",
    "on_headers_complete": "a head has ended, and its request begins",
    "send_400_response": "a head that is too large is refused",
    "timeout_keep_alive_handler": "an idle connection is closed",
    "_start_asgi_task": "a request begins to be answered",
    "pause_writing": "a reader is late from here on",
    "resume_writing": "a reader took what was sent",
    "connection_lost": "nobody is waited for any more",
}
ATTRIBUTES = {
    "self.cycle": "whether a request is answered",
    "self.flow": "whether a reader takes what is sent",
    "self.transport": "what is cut off",
    "self.app": "what answers",
    "self.loop": "whose clock counts",
}


@pytest.mark.parametrize("name", METHODS)
def test_uvicorn_tells_what_happens_to_a_connection(name: str) -> None:
    told = f"app/web/connection.py: {METHODS[name]}, and uvicorn {uvicorn.__version__} has no {name}"
    assert hasattr(HttpToolsProtocol, name), told


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_uvicorn_keeps_what_a_connection_needs(name: str) -> None:
    sources = inspect.getsource(HttpToolsProtocol) + inspect.getsource(RequestResponseCycle)
    told = f"app/web/connection.py: {ATTRIBUTES[name]}, and uvicorn {uvicorn.__version__} has no {name}"
    assert name in sources, told


def test_uvicorn_tells_a_request_that_its_client_has_left() -> None:
    made = inspect.getsource(RequestResponseCycle.__init__)
    for name in ("disconnected", "message_event", "response_complete"):
        assert f"self.{name}" in made, f"app/web/connection.py cuts answers off by {name}, which is gone"


def test_prometheus_chooses_a_class_of_values_by_process() -> None:
    told = (
        "app/web/middleware/worker_slots.py gives each worker a slot to count into by choosing this class, "
        f"and prometheus_client {version('prometheus-client')} has another one"
    )
    assert {"ValueClass", "MultiProcessValue"} <= set(vars(values)), told
    assert "process_identifier" in inspect.signature(values.MultiProcessValue).parameters, told
