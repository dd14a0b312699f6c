"""Answers are compressed for who takes that, and say so; nothing else about them changes."""

from __future__ import annotations

import asyncio
import gzip
import threading
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Response
from fastapi.responses import StreamingResponse
from hypothesis import given
from hypothesis import strategies as st

from app.web.middleware.compression import INLINE, SMALLEST, Compression, takes_gzip
from tests.support.served import serving, toy_app

LONG = b'{"pairs": [' + b"17, " * (SMALLEST // 2) + b"17]}"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        serving(toy_app(tmp_path_factory.mktemp("compressed"))) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def bare() -> Iterator[httpx.Client]:
    """A service of single answers, to which ``X-Thread`` says on which thread they are made."""
    service = FastAPI()
    service.state.ready = True
    go_on = threading.Event()

    @service.get("/body/{size}")
    async def body(size: int, tag: str | None = None, done: bool = False) -> Response:
        headers = {"ETag": tag} if tag else {}
        if done:
            headers["Content-Encoding"] = "gzip"
        return Response(
            (LONG * (size // len(LONG) + 1))[:size], headers=headers, media_type="application/json"
        )

    @service.get("/image")
    async def image() -> Response:
        return Response(LONG, media_type="image/png")

    @service.get("/stream")
    async def stream() -> StreamingResponse:
        async def lines() -> AsyncIterator[bytes]:
            go_on.clear()
            yield b'{"first": true}\n'
            while not go_on.is_set():
                await asyncio.sleep(0.01)
            yield b'{"second": true}\n'

        return StreamingResponse(lines(), media_type="application/x-ndjson")

    @service.get("/go-on")
    async def release() -> Response:
        go_on.set()
        return Response()

    service.add_middleware(Compression)
    with serving(service) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def raw(client: httpx.Client, path: str, accepted: str) -> tuple[httpx.Headers, bytes]:
    """The headers and the body as sent, not decoded."""
    with client.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
        assert answer.status_code == 200
        return answer.headers, b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip", True),
        ("GZIP;q=0.1", True),
        ("deflate, gzip;q=1.0, *;q=0.5", True),
        ("identity;q=0.5, gzip;q=0.7", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("gzip;q=nan", False),
        ("gzip;q=2", False),
        ("gzip;q=x", False),
        ("identity, gzip;q=0.7", False),
        ("not-gzip-at-all", False),
    ],
)
def test_who_takes_gzip_gets_it(bare: httpx.Client, accepted: str, compressed: bool) -> None:
    headers, body = raw(bare, "/body/5000", accepted)
    assert headers.get("content-encoding") == ("gzip" if compressed else None)
    assert headers["vary"] == "Accept-Encoding"
    assert int(headers["content-length"]) == len(body)
    plain = gzip.decompress(body) if compressed else body
    assert plain == (LONG * 3)[:5000]


@given(st.text(st.characters(max_codepoint=255)))
def test_any_header_is_read(accepted: str) -> None:
    if takes_gzip([accepted]):
        assert "gzip" in accepted.lower()


def test_small_answers_images_and_what_is_compressed_stay_as_they_are(bare: httpx.Client) -> None:
    for path in (f"/body/{SMALLEST - 1}", "/body/0", "/image"):
        headers, _ = raw(bare, path, "gzip")
        assert "content-encoding" not in headers, path
    assert "content-encoding" in raw(bare, f"/body/{SMALLEST}", "gzip")[0]
    headers, body = raw(bare, "/body/5000?done=true", "gzip")
    assert (headers["content-encoding"], body) == ("gzip", (LONG * 3)[:5000])


def test_a_compressed_answer_has_a_weak_tag(bare: httpx.Client) -> None:
    assert raw(bare, '/body/5000?tag="a"', "gzip")[0]["etag"] == 'W/"a"'
    assert raw(bare, '/body/5000?tag=W/"a"', "gzip")[0]["etag"] == 'W/"a"'
    assert raw(bare, '/body/5000?tag="a"', "identity")[0]["etag"] == '"a"'
    assert raw(bare, '/body/10?tag="a"', "gzip")[0]["etag"] == '"a"'


def test_a_large_answer_is_compressed_on_another_thread(
    bare: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    compressobj = zlib.compressobj

    def watched(*arguments: Any) -> object:
        threads.append(threading.current_thread().name)
        return compressobj(*arguments)

    monkeypatch.setattr("starlette.middleware.gzip.zlib.compressobj", watched)
    raw(bare, f"/body/{INLINE - 1}", "gzip")
    raw(bare, f"/body/{INLINE}", "gzip")
    inline, large = threads
    assert "AnyIO" not in inline
    assert "AnyIO" in large


def test_a_line_of_a_stream_does_not_wait_for_the_next(bare: httpx.Client) -> None:
    unpacked = zlib.decompressobj(31)
    with bare.stream("GET", "/stream", headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        pieces = answer.iter_raw()
        assert unpacked.decompress(next(pieces)) == b'{"first": true}\n'
        with httpx.Client(base_url=bare.base_url) as other:
            other.get("/go-on")
        assert unpacked.decompress(b"".join(pieces)) == b'{"second": true}\n'
        assert unpacked.eof


def test_the_service_compresses_its_answers(http: httpx.Client) -> None:
    pairs = {"pairs": [{"left": "Cat", "right": "Dog"}] * 50}
    headers = {"Accept-Encoding": "gzip"}
    answer = http.post("/v1/relatedness", json=pairs, headers=headers)
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.json()["results"]) == 50
    for path in ("/", "/static/page.css", "/openapi.json"):
        assert http.get(path, headers=headers).headers["content-encoding"] == "gzip", path
    tag = http.get("/static/page.css", headers=headers).headers["etag"]
    assert tag.startswith("W/")
    assert http.get("/static/page.css", headers={**headers, "If-None-Match": tag}).status_code == 304
    # A name that nobody varies with twice.
    assert http.get("/v1/snapshot", headers=headers).headers["vary"] == "Accept-Encoding"
