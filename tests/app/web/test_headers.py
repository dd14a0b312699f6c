"""What every answer tells browsers, and which other origins may ask from one."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from pydantic import ValidationError

from app.settings import Settings
from tests.support.served import serving, toy_app

ORIGIN = "https://example.org"
ASKED = {
    "Origin": ORIGIN,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-type",
}
PAIRS = {"pairs": [{"left": "Cat", "right": "Dog"}]}


@pytest.fixture(scope="module", name="http")
def http_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        serving(toy_app(tmp_path_factory.mktemp("plain"))) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


@pytest.fixture(scope="module", name="shared")
def shared_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("shared")
    app = toy_app(
        folder,
        cors_origins=f"{ORIGIN}, http://localhost:3000",
        require_key=True,
        admin_key="k",
        database=f"sqlite:///{folder / 'wort.sqlite'}",
    )
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def test_every_answer_has_them(http: httpx.Client) -> None:
    for answer in (
        http.get("/"),
        http.get("/docs"),
        http.get("/openapi.json"),
        http.get("/health"),
        http.get("/metrics"),
        http.get("/nothing"),
        http.get("/static/nothing"),
        http.get("/relatedness"),
        http.post("/relatedness", json=PAIRS),
        http.post("/relatedness", content=b"{"),
    ):
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        page = headers["Content-Type"].startswith("text/html")
        policy = headers["Content-Security-Policy"]
        assert page == (policy != "default-src 'none'; frame-ancestors 'none'"), answer.url
        # Nobody shows any of it within a page of theirs.
        assert headers.get("X-Frame-Options") == "DENY" or "frame-ancestors" in policy


def test_no_other_origin_may_ask(http: httpx.Client) -> None:
    for answer in (
        http.options("/relatedness", headers=ASKED),
        http.post("/relatedness", json=PAIRS, headers={"Origin": ORIGIN}),
    ):
        assert not any(name.startswith("access-control-") for name in answer.headers)


def test_named_origins_may_ask_and_send_their_keys(shared: httpx.Client) -> None:
    before = shared.options("/relatedness", headers=ASKED)
    assert before.status_code == 200
    assert before.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "authorization" in before.headers["Access-Control-Allow-Headers"].lower()
    # What a browser keeps for the server by itself is not sent along.
    assert "Access-Control-Allow-Credentials" not in before.headers
    asked = {"Origin": ORIGIN, "Authorization": "Bearer k"}
    answer = shared.post("/relatedness", json=PAIRS, headers=asked)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Retry-After" in answer.headers["Access-Control-Expose-Headers"]
    refused = shared.post("/relatedness", json=PAIRS, headers={"Origin": ORIGIN})
    assert refused.status_code == 401
    assert refused.headers["Access-Control-Allow-Origin"] == ORIGIN


def test_origins_that_are_not_named_may_not(shared: httpx.Client) -> None:
    for origin in ("https://example.com", "http://example.org", "null", f"{ORIGIN}.evil.example"):
        assert shared.options("/relatedness", headers={**ASKED, "Origin": origin}).status_code == 400
        asked = {"Origin": origin, "Authorization": "Bearer k"}
        answer = shared.post("/relatedness", json=PAIRS, headers=asked)
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("text", ["example.org", "https://example.org/", "ftp://example.org", "*, null"])
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="is no origin"):
        Settings(cors_origins=text)
