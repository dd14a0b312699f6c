"""A dumps site on 127.0.0.1 that misbehaves as told: drops connections, corrupts, refuses, changes files."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Fault:
    """How one answer goes wrong.

    ``status`` other than 0 is answered instead of the file, with ``retry_after`` if given; ``drop_after``
    cuts the connection after that many bytes of the body; ``corrupt`` flips a bit of the first byte sent;
    ``replacement`` becomes the file's content before it is answered.
    """

    status: int = 0
    retry_after: str = ""
    drop_after: int | None = None
    corrupt: bool = False
    replacement: bytes | None = None


@dataclass
class Site:
    """The files of a site by path, what goes wrong next with each, and what was asked for."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    faults: defaultdict[str, deque[Fault]] = field(default_factory=lambda: defaultdict(deque))
    requests: list[tuple[str, Message]] = field(default_factory=list)
    accepts_ranges: bool = True
    honours_if_range: bool = True
    sends_etag: bool = True
    sends_length: bool = True

    def publish(self, wiki: str, date: str, dumps: dict[str, bytes], folder: str = "") -> None:
        """Put a wiki's dump files of a date, by ending, and the list of their checksums on the site."""
        lines = []
        for ending, content in dumps.items():
            name = f"{wiki}-{date}-{ending}"
            self.files[f"/{wiki}/{date}/{name}"] = content
            lines.append(f"{hashlib.sha1(content).hexdigest()}  {name}\n")
        self.files[f"/{wiki}/{date}/{wiki}-{date}-sha1sums.txt"] = "".join(lines).encode()
        if folder:
            self.files[f"/{wiki}/{folder}/{wiki}-{folder}-sha1sums.txt"] = "".join(lines).encode()

    def asked(self, ending: str) -> list[Message]:
        """Return the headers of the requests for the file whose path has this ending."""
        return [headers for path, headers in self.requests if path.endswith(ending)]


@contextmanager
def serve(site: Site) -> Iterator[Site]:
    """Serve ``site`` on a free port of 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            answer(site, self)

        def log_message(self, *arguments: object) -> None:
            """Keep the tests' output clean."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Keep quiet about clients that hang up."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answer(site: Site, handler: BaseHTTPRequestHandler) -> None:
    site.requests.append((handler.path, handler.headers))
    fault = site.faults[handler.path].popleft() if site.faults[handler.path] else Fault()
    if fault.replacement is not None:
        site.files[handler.path] = fault.replacement
    status = fault.status or (200 if handler.path in site.files else 404)
    if status != 200:
        handler.send_response(status)
        if fault.retry_after:
            handler.send_header("Retry-After", fault.retry_after)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return
    content = site.files[handler.path]
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    start = 0
    wanted = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
    expected = handler.headers.get("If-Range") if site.honours_if_range else None
    if wanted and site.accepts_ranges and expected in (None, etag):
        start = int(wanted[1])
        if start >= len(content):
            handler.send_response(416)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
    body = bytearray(content[start:])
    if fault.corrupt:
        body[0] ^= 1
    handler.send_response(206 if start else 200)
    if start:
        handler.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
    if site.sends_etag:
        handler.send_header("ETag", etag)
    if site.sends_length:
        handler.send_header("Content-Length", str(len(body)))
    else:
        handler.send_header("Connection", "close")
    handler.end_headers()
    handler.wfile.write(body[: fault.drop_after])
    if fault.drop_after is not None or not site.sends_length:
        handler.close_connection = True
