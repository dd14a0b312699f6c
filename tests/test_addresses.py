"""Addresses: which methods they have, and which parameters."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.served import serving, toy_app
from tests.test_api_problems import problem


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    app = toy_app(tmp_path_factory.mktemp("addresses"))
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/retrainings", "GET, POST"),
        ("OPTIONS", "/v1/relatedness", "POST"),
        ("PUT", "/v1/concepts/100", "GET"),
        ("GET", "/v1/relatedness/files", "POST"),
        ("POST", "/static/page.css", "GET, HEAD"),
    ],
)
def test_an_address_says_all_its_methods(http: httpx.Client, method: str, path: str, allowed: str) -> None:
    refused = http.request(method, path)
    assert refused.headers["allow"] == allowed
    assert problem(refused, "method-not-allowed")["detail"].endswith(f"only {allowed}.")


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_a_parameter_that_there_is_not_is_refused(http: httpx.Client, prefix: str) -> None:
    for path in ("/concepts/search?q=a&limt=3", "/snapshot?pretty", "/concepts/100/related?minscore=0.5"):
        assert "There is no parameter" in problem(http.get(prefix + path), "invalid-request")["detail"]
    assert http.get(f"{prefix}/concepts/search?q=a&limit=3").status_code == 200
