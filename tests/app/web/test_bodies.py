"""Bodies may come compressed, no body costs more than it may, and what one has too much is told of."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message

from app.web.problems import ProblemError
from app.web.requests.body import Pace, pieces
from app.web.requests.inflating import LEAST, MEMBERS
from tests.support.served import serving, toy_app

LIMIT = 1 << 20
COMPRESSED = {"Content-Type": "application/json", "Content-Encoding": "gzip"}


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    app = toy_app(tmp_path_factory.mktemp("arriving"), max_body=LIMIT)
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def arriving(sent: list[bytes], limit: int = LIMIT, encoding: str = "gzip") -> bytes:
    """What a body becomes that is sent in these pieces."""

    async def collected() -> bytes:
        messages = iter(sent)

        async def receive() -> Message:
            piece = next(messages, None)
            return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

        headers = [(b"content-type", b"a/b"), (b"content-encoding", encoding.encode())]
        request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
        return b"".join([piece async for piece in pieces(request, {"a/b": "something"}, limit, Pace(10))])

    return asyncio.run(collected())


def kind(sent: list[bytes], limit: int = LIMIT, encoding: str = "gzip") -> str:
    with pytest.raises(ProblemError) as caught:
        arriving(sent, limit, encoding)
    return caught.value.kind.name


def test_a_compressed_request_is_answered_as_the_plain_one(http: httpx.Client) -> None:
    body = json.dumps({"pairs": [{"left": "Cat", "right": "Dog"}] * 500}).encode()
    plain = http.post("/v1/relatedness", content=body, headers={"Content-Type": "application/json"})
    packed = gzip.compress(body)
    assert len(packed) < len(body) / 50
    answer = http.post("/v1/relatedness", content=packed, headers=COMPRESSED)
    assert (answer.status_code, answer.content) == (200, plain.content)


@given(
    st.lists(st.binary(max_size=400), min_size=1, max_size=4),
    st.lists(st.integers(0, 2000), max_size=6),
    st.integers(0, 9),
)
def test_any_body_in_any_members_and_pieces(members: list[bytes], cuts: list[int], level: int) -> None:
    packed = b"".join(gzip.compress(member, level) for member in members)
    places = [0, *sorted(min(cut, len(packed)) for cut in cuts), len(packed)]
    sent = [packed[start:end] for start, end in pairwise(places)]
    assert arriving(sent) == b"".join(members)
    assert arriving(sent, encoding="identity") == packed


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_read(body: bytes) -> None:
    try:
        assert arriving([body]) == gzip.decompress(body)
    except ProblemError as problem:
        assert problem.kind.name == "damaged-body"


def test_what_is_cut_or_no_gzip_at_all_is_said_to_be(http: httpx.Client) -> None:
    packed = gzip.compress(b"{}" * 500)
    assert kind([packed[:-1]]) == "damaged-body"
    assert kind([packed, packed[:5]]) == "damaged-body"
    assert kind([packed[:-8], b"12345678"]) == "damaged-body"
    assert kind([]) == "damaged-body"
    assert kind([packed, b"more"]) == "damaged-body"
    answer = http.post("/v1/relatedness", content=b'{"pairs": []}', headers=COMPRESSED)
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:wort:problem:damaged-body")


def test_other_encodings_are_refused_and_the_answer_names_those_that_are_not(http: httpx.Client) -> None:
    for encoding in ("br", "deflate", "gzip, gzip", "zstd"):
        answer = http.post(
            "/v1/relatedness", content=b"", headers={**COMPRESSED, "Content-Encoding": encoding}
        )
        assert answer.status_code == 415
        assert answer.headers["accept-encoding"] == "gzip, identity"


def test_the_limit_is_that_of_what_comes_out() -> None:
    exact = gzip.compress(b" " * LIMIT)
    assert arriving([exact]) == b" " * LIMIT
    assert kind([gzip.compress(b" " * (LIMIT + 1))]) == "body-too-large"
    assert kind([gzip.compress(b" " * LIMIT), gzip.compress(b" ")]) == "body-too-large"
    # Two million bytes that nothing comes of.
    nothing = b"\0\0\0\xff\xff" * 2000
    assert kind([gzip.compress(b"")[:10], *[nothing] * 200]) == "body-too-large"


def test_members_that_hold_next_to_nothing_are_refused() -> None:
    assert arriving([gzip.compress(b"") * MEMBERS]) == b""
    assert kind([gzip.compress(b"") * (MEMBERS + 1)]) == "damaged-body"
    assert kind([gzip.compress(b"") * 100] * 11) == "damaged-body"
    # Each makes room for another.
    full = gzip.compress(b"x" * LEAST)
    assert arriving([full * (2 * MEMBERS)], limit=4 * MEMBERS * LEAST) == b"x" * (2 * MEMBERS * LEAST)


def test_a_refusal_takes_as_long_whatever_follows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, made = 0, zlib.decompressobj

    class Inflater:
        def __init__(self, bits: int) -> None:
            nonlocal begun
            begun += 1
            self._inflater = made(bits)

        def __getattr__(self, name: str) -> object:
            return getattr(self._inflater, name)

    monkeypatch.setattr(zlib, "decompressobj", Inflater)
    assert kind([gzip.compress(b"") * 40_000]) == "damaged-body"
    assert begun == MEMBERS


def test_a_bomb_is_not_unpacked(http: httpx.Client) -> None:
    bomb = gzip.compress(b" " * (64 << 20))
    assert len(bomb) < LIMIT
    tracemalloc.start()
    answer = http.post("/v1/relatedness", content=bomb, headers=COMPRESSED)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (answer.status_code, answer.json()["limit"]) == (413, LIMIT)
    assert most < 8 * LIMIT


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        (
            "/relatedness",
            {"left": "Cat", "right": "Dog"},
            "field `left`: it may have `pairs`, `explain`, `features`, `ambiguous`, `model`.",
        ),
        (
            "/relatedness",
            {"pairs": [{"lft": "Cat", "right": "Dog"}]},
            "field `lft` - at `$.pairs[0]`: it may have `left`, `right`.",
        ),
        (
            "/relatedness",
            {"pairs": [{"left": {"txt": "Cat"}, "right": "Dog"}]},
            "at `$.pairs[0].left`: it may have `id`, `title`, `mention`, `context`, `text`, `description`.",
        ),
        ("/v1/annotate", {"txt": "Cat"}, "field `txt`: it may have `text`, `context`, `min_rho`."),
    ],
)
def test_an_unknown_field_is_answered_with_those_there_are(
    http: httpx.Client, path: str, body: Any, said: str
) -> None:
    detail = http.post(path, json=body).json()["detail"]
    assert detail.startswith("Object contains unknown field `")
    assert detail.endswith(said)


@pytest.mark.parametrize("body", [b"", b" \n"])
def test_an_empty_body_is_said_to_be_empty(http: httpx.Client, body: bytes) -> None:
    answer = http.post("/relatedness", content=body, headers={"Content-Type": "application/json"}).json()
    assert (answer["type"], answer["detail"]) == (
        "urn:wort:problem:malformed-json",
        "The body is empty. Send a JSON object.",
    )
