"""How often one may ask, by key or by address, and how many requests are here at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from starlette.types import Message, Scope

from app.settings import Settings
from app.web.middleware.rates import Counters, Rates, network_of
from models.registry.registry import Registry
from tests.support.databases import sqlite_fixture  # noqa: F401
from tests.support.served import serving, toy_app


@pytest.fixture(name="http")
def http_fixture(tmp_path: Path) -> Iterator[httpx.Client]:
    app = toy_app(tmp_path, rate_limit="3/minute;100/hour")
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as http:
        yield http


def asked(http: httpx.Client, path: str = "/models", **headers: str) -> int:
    return http.get(path, headers=headers).status_code


def test_an_address_may_ask_so_often(http: httpx.Client) -> None:
    # The server trusts what a proxy on this machine says of the client.
    one, other = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}
    assert [asked(http, **one) for _ in range(4)] == [200, 200, 200, 429]
    refused = http.get("/models", headers=one)
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    document = refused.json()
    assert (document["type"], document["limit"]) == ("urn:wort:problem:rate-limited", 3)
    assert asked(http, **other) == 200
    # Who spoofs an address before that of the proxy's own client is not believed.
    assert asked(http, **{"X-Forwarded-For": "198.51.100.9, 192.0.2.1"}) == 429


def test_probes_and_files_are_not_counted(http: httpx.Client) -> None:
    for path in ("/health", "/v1/ready", "/metrics"):
        assert {asked(http, path) for _ in range(10)} == {200}
    assert {asked(http, "/static/nothing") for _ in range(10)} == {404}
    assert [asked(http) for _ in range(4)] == [200, 200, 200, 429]
    assert asked(http, "/health") == 200


def test_networks_of_ipv6_share_a_count(http: httpx.Client) -> None:
    addresses = ["2001:db8::1", "2001:db8::2:0", "2001:db8:0:0:ffff::", "2001:db8::3"]
    assert [asked(http, **{"X-Forwarded-For": each}) for each in addresses] == [200, 200, 200, 429]
    assert asked(http, **{"X-Forwarded-For": "2001:db8:0:1::1"}) == 200


def test_each_key_has_a_count_of_its_own(sqlite: str, tmp_path: Path) -> None:
    with Registry.open(sqlite) as registry:
        keys = [registry.keys.create(name=name, scopes=["score"], who="a test")[1] for name in ("a", "b")]
    (tmp_path / "toy").mkdir()
    app = toy_app(tmp_path / "toy", database=sqlite, require_key=True, rate_limit="2/minute")
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as http:
        for key in keys:
            assert [asked(http, **{"X-API-Key": key}) for _ in range(3)] == [200, 200, 429]
        # Who has none is counted by address before being refused.
        assert [asked(http, **{"X-API-Key": "x"}) for _ in range(3)] == [401, 401, 429]


def scope(address: str) -> Scope:
    return {"type": "http", "method": "GET", "path": "/", "headers": [], "client": (address, 1)}


async def ignored(_: Message) -> None:
    pass


async def nothing() -> Any:
    raise AssertionError


async def answered(_: Scope, __: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.mark.slow
def test_many_addresses_take_little_memory() -> None:
    rates = Rates(answered, "5/minute")
    rates.counters.most = 20_000

    async def flood() -> None:
        for number in range(100_000):
            address = f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1"
            await rates(scope(address), nothing, ignored)

    asyncio.run(flood())
    assert len(rates.counters) == 20_000


def test_a_window_ends_and_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    counters = Counters(most=2)
    now = 1000.0
    monkeypatch.setattr("app.web.middleware.rates.time.monotonic", lambda: now)
    assert [counters.incr("a", 10) for _ in range(3)] == [1, 2, 3]
    assert (counters.get("a"), counters.get_expiry("a")) == (3, 1010.0)
    now = 1010.0
    assert counters.get("a") == 0
    assert counters.incr("a", 10) == 1
    counters.incr("b", 10)
    counters.incr("c", 10)
    assert (counters.get("a"), counters.get("b"), counters.get("c")) == (0, 1, 1)
    counters.clear("b")
    assert counters.check()
    assert counters.reset() == 1
    assert len(counters) == 0


def test_a_clock_that_is_set_back_keeps_nobody_out(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to = time.time()
    monkeypatch.setattr(time, "time", lambda: set_to)
    assert [asked(http) for _ in range(4)] == [200, 200, 200, 429]
    set_to -= 10 * 365 * 86400
    refused = http.get("/models")
    assert 1 <= int(refused.headers["Retry-After"]) <= 60


@given(st.ip_addresses() | st.text())
def test_any_address_has_a_count(address: Any) -> None:
    assert len(network_of(str(address))) <= 64


@pytest.mark.parametrize("text", ["often", "0/second", "5", "5/fortnight", "-1/second", ";"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="50/second;2000/minute"):
        Settings(rate_limit=text)
