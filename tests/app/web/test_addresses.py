"""Addresses: which methods they have, and which parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin

import httpx
import pytest

from tests.app.api.test_api_problems import problem
from tests.support.served import serving, toy_app


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    app = toy_app(tmp_path_factory.mktemp("addresses"))
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/retrainings", "GET, HEAD, POST"),
        ("OPTIONS", "/v1/relatedness", "POST"),
        ("PUT", "/v1/concepts/100", "GET, HEAD"),
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
    refused = problem(http.get(f"{prefix}/health?x=1"), "invalid-request")
    assert refused["detail"] == "There is no parameter x, and none is taken here."


@pytest.mark.parametrize(
    "path", ["/", "/health", "/v1/snapshot", "/v1/metrics", "/docs", "/static/frame.css", "/v1/concepts/1"]
)
def test_head_is_answered_as_get_without_the_body(http: httpx.Client, path: str) -> None:
    got, headed = http.get(path), http.head(path)
    assert headed.status_code == got.status_code
    assert headed.content == b""
    assert headed.headers["content-type"] == got.headers["content-type"]
    assert http.head("/v1/relatedness").headers["allow"] == "POST"


def test_a_browser_is_told_in_a_page_that_there_is_nothing(http: httpx.Client) -> None:
    assert problem(http.get("/nothing"), "not-found")["detail"].startswith("Nothing of this service")
    page = http.get("/nothing", headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "Nothing of this service has that address" in page.text
    assert 'href="./"' in page.text
    assert '<a href="docs">Its routes</a> are listed.' in page.text
    assert "/docs lists" not in page.text


@pytest.mark.parametrize(
    ("path", "up"),
    [("/nothing/", "../"), ("/v1/a/b", "../../"), ("/static/none.css", "../"), ("/static/a/b", "../../")],
)
def test_that_page_is_whole_wherever_something_was_looked_for(http: httpx.Client, path: str, up: str) -> None:
    page = http.get(path, headers={"Accept": "text/html"}).text
    links = set(re.findall(r'(?:href|src)="([^"#]*)"', page))
    assert {f"{up}./", f"{up}explore", f"{up}docs", f"{up}static/frame.css"} <= links
    assert 'aria-current="page"' not in page, "it is none of the pages"
    for link in links:
        assert http.get(urljoin(f"{http.base_url}{path}", link)).status_code == 200


def test_nobody_is_sent_to_the_host_that_a_request_names(http: httpx.Client) -> None:
    host = {"Host": "evil.example"}
    assert http.get("/v1/snapshot/", headers=host).status_code == 404
    moved = http.get("/docs/", headers=host)
    assert (moved.status_code, moved.headers["location"]) == (308, "../docs")


def test_a_page_is_found_with_a_slash_behind_its_address(http: httpx.Client) -> None:
    for path in ("explore", "docs", "text", "releases"):
        assert http.get(f"/{path}/", follow_redirects=True).url.path == f"/{path}"
    moved = http.get("/explore/?concept=Cat&k=10")
    assert moved.headers["location"] == "../explore?concept=Cat&k=10"
    assert http.post("/matrix/", data={"concepts": "Cat"}).headers["location"] == "../matrix"
    for path in ("/nothing/", "/explore//", "/static/", "/v1/relatedness/"):
        assert http.get(path).status_code == 404, path
    assert http.post("/explore/").status_code == 404
