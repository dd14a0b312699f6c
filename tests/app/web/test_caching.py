"""An answer that has not changed is not sent again, and one that has is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from fastapi import Response
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from app.scoring.concepts import Scorer
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.web.responses.caching import tag_of, tagged, unchanged
from models.linear import LinearModel
from tests.support.served import serving, toy_app, toy_scorer


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("caching"))


@pytest.fixture(scope="module")
def served(scorer: Scorer) -> Serving:
    return Serving(scorer, TermSettings())


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        serving(toy_app(tmp_path_factory.mktemp("tagged"))) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def asking(*tags: str, method: str = "GET") -> Request:
    headers = [(b"if-none-match", tag.encode("latin-1")) for tag in tags]
    return Request({"type": "http", "method": method, "headers": headers})


def test_an_unchanged_answer_is_not_sent_again(http: httpx.Client) -> None:
    first = http.get("/v1/snapshot")
    assert first.status_code == 200
    assert first.headers["cache-control"] == "no-cache"
    assert "Accept-Encoding" in first.headers["vary"]
    again = http.get("/v1/snapshot", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("etag", "cache-control", "vary"):
        assert again.headers[name] == first.headers[name]
    other = http.get("/v1/snapshot", headers={"If-None-Match": '"another"'})
    assert (other.status_code, other.json()) == (200, first.json())


def test_the_tag_goes_by_model_snapshot_release_and_nothing_else(scorer: Scorer, served: Serving) -> None:
    tag = tag_of(served)
    assert tag.startswith('W/"')
    assert tag_of(Serving(scorer, TermSettings())) == tag
    assert isinstance(scorer.model, LinearModel)
    models = [
        msgspec.structs.replace(scorer.model, intercept=0.5),
        msgspec.structs.replace(scorer.model, name="other"),
    ]
    others = [Scorer(scorer.snapshot, scorer.resolver, model) for model in models]
    others.append(Scorer(scorer.snapshot, scorer.resolver, scorer.model, (7, "toy@1")))
    others.append(Scorer(scorer.snapshot, scorer.resolver, scorer.model, (8, "toy@1")))
    tags = {tag_of(Serving(other, TermSettings())) for other in others}
    assert len(tags | {tag}) == 5


def test_another_version_of_the_code_is_another_tag(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tag_of(Serving(scorer, TermSettings()))
    monkeypatch.setattr("app.web.responses.caching.version", lambda _: "99.0.0")
    assert tag_of(Serving(scorer, TermSettings())) != before


def test_another_snapshot_is_another_tag(served: Serving, tmp_path: Path) -> None:
    other = toy_scorer(tmp_path)
    other.snapshot_info = msgspec.structs.replace(other.snapshot_info, id="other")
    assert tag_of(Serving(other, TermSettings())) != tag_of(served)


def test_every_way_to_name_the_tag(served: Serving) -> None:
    weak = tag_of(served)
    strong = weak.removeprefix("W/")
    for tags in (
        [weak],
        [strong],
        ["*"],
        [" * "],
        [f'"a", {weak}'],
        [f'"a,b" ,, W/"c",{strong} '],
        ['"a"', weak],
        [f"{weak}, not a tag"],
        [f'{weak}, "never closed'],
    ):
        answer = unchanged(asking(*tags), served)
        assert answer is not None, tags
        assert answer.status_code == 304
    for tags in ([], [""], ['"a"'], [strong.strip('"')], [f"not a tag, {weak}"], [f"w/{strong}"]):
        assert unchanged(asking(*tags), served) is None, tags
    assert unchanged(asking(weak, method="POST"), served) is None


@given(st.text(st.characters(max_codepoint=255)))
def test_any_header_is_answered(served: Serving, header: str) -> None:
    expected = header.strip() == "*"
    assert (unchanged(asking(header), served) is not None) == expected


def test_what_is_tagged_keeps_its_own_headers(served: Serving) -> None:
    answer = tagged(Response(b"{}", headers={"X-Own": "kept"}), served)
    assert answer.headers["X-Own"] == "kept"
    assert answer.headers["ETag"] == tag_of(served)
