"""Pages that are asked for as JSON answer problems as the interface does, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.served import serving, toy_app

LONG = "x" * 1001


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(toy_app(tmp_path_factory.mktemp("as-json"), max_text=2000)) as address:
        yield address


def problem(answer: httpx.Response) -> tuple[int, str, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert told["status"] == answer.status_code
    return answer.status_code, told["type"].removeprefix("urn:wort:problem:"), told["detail"]


@pytest.mark.parametrize(
    ("path", "asked", "status", "kind", "says"),
    [
        ("/", {}, 422, "invalid-request", "Name two concepts to compare, as left and right."),
        ("/", {"left": "Cat"}, 422, "invalid-request", "Name two concepts"),
        ("/", {"left": LONG, "right": "Cat"}, 422, "invalid-request", "has at most 1,000 characters"),
        ("/explore", {}, 422, "invalid-request", "Name a concept to explore."),
        ("/explore", {"concept": LONG}, 422, "invalid-request", "has at most 1,000 characters"),
        ("/explore", {"concept": "Qqqqqq"}, 404, "not-found", "'Qqqqqq'"),
        ("/explore", {"concept": "Cat", "category": "Nothing"}, 404, "not-found", "Nothing"),
        (
            "/explore",
            {"concept": "Cat", "k": "many"},
            422,
            "invalid-request",
            "“k”: 'many' is not a whole number",
        ),
        ("/terms", {"right": "cat"}, 422, "invalid-request", "Name two terms to compare"),
        ("/text", {}, 422, "invalid-request", "Send a text"),
        ("/text", {"text": "x" * 2001}, 413, "text-too-long", "2,001"),
        ("/texts", {"left": "A cat."}, 422, "invalid-request", "Send two texts"),
        ("/texts", {"left": "A cat.", "right": "x" * 2001}, 413, "text-too-long", "2,001"),
        ("/text", {"text": "A cat.", "model": "wort"}, 422, "invalid-request", "whatever the model. Leave"),
        ("/texts", {"left": "A", "right": "B", "model": "none"}, 404, "unknown-model", "model: "),
        ("/matrix", {}, 422, "invalid-request", "Name some concepts"),
        ("/matrix", {"concepts": "Cat\n" + LONG}, 422, "invalid-request", "has at most 1,000 characters"),
        ("/matrix", {"concepts": "\n".join(map(str, range(41)))}, 413, "too-many-pairs", "40 concepts"),
        ("/threshold", {"precision": "200"}, 422, "invalid-request", "“precision”: 200 is too large"),
        ("/releases", {"model": "none@7"}, 404, "not-found", "none@7"),
        ("/nothing", {}, 404, "not-found", "has that address"),
        ("/v1/relatedness", {}, 405, "method-not-allowed", "GET is not answered here, only POST."),
    ],
)
def test_what_is_wrong_is_a_problem_document(
    address: str, path: str, asked: dict[str, str], status: int, kind: str, says: str
) -> None:
    # A browser asks, too, which takes pages before anything else.
    takes = {"Accept": "text/html,*/*;q=0.8"}
    answer = httpx.get(f"{address}{path}", params={**asked, "as": "json"}, headers=takes)
    told_status, told_kind, detail = problem(answer)
    assert (told_status, told_kind) == (status, kind)
    assert says in detail
    page = httpx.get(f"{address}{path}", params=asked, headers=takes)
    assert page.headers["content-type"].startswith("text/html")


def test_a_posted_form_is_answered_so_too(address: str) -> None:
    for path, asked in (("/text", {"text": "x" * 2001}), ("/texts", {"left": "A cat."}), ("/matrix", {})):
        problem(httpx.post(f"{address}{path}", data={**asked, "as": "json"}))
        problem(httpx.post(f"{address}{path}?as=json", data=asked))
    answered = httpx.post(f"{address}/matrix?as=json", data={"concepts": "Cat\nDog"})
    assert answered.json()["scores"]


def test_an_ambiguous_concept_is_answered_with_its_candidates(address: str) -> None:
    answer = httpx.get(f"{address}/explore", params={"concept": "Mouse", "as": "json"})
    by_interface = httpx.get(f"{address}/v1/concepts/related", params={"title": "Mouse"})
    assert answer.json() == by_interface.json()
    assert answer.json()["candidates"]


def test_a_fault_of_the_server_is_told_so_too(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("app.scoring.concepts.Scorer.score", fails)
    answer = httpx.get(f"{address}/", params={"left": "Cat", "right": "Dog", "as": "json"})
    assert problem(answer)[:2] == (500, "internal-error")
