"""What ``POST /relatedness`` and the other routes answer, asked of a real server over the toy wiki."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from app.scoring.concepts import HELPED
from features.catalogue import FEATURE_NAMES, OF_WORT
from models.protocol import CLIP
from tests.support.patience import PATIENCE
from tests.support.served import page_id, serving, toy_app
from tests.wikis.toy import TITLES
from wort.schemas.relatedness import RelatednessResponse


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        serving(toy_app(tmp_path_factory.mktemp("api"))) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def ask(http: httpx.Client, *pairs: tuple[Any, Any], **options: bool) -> dict[str, Any]:
    body = {"pairs": [{"left": left, "right": right} for left, right in pairs], **options}
    response = http.post("/relatedness", json=body)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    answer: dict[str, Any] = response.json()
    assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(answer, RelatednessResponse))) == answer
    return answer


def test_one_pair(http: httpx.Client) -> None:
    answer = ask(http, ("Cat", "Piano"))
    (result,) = answer["results"]
    assert result["status"] == "ok"
    assert 0 <= result["score"] <= 1
    assert result["resolved"]["left"] == {
        "asked": "Cat",
        "status": "ok",
        "title": "Cat",
        "page_id": page_id("Cat"),
        "matched": "title",
    }
    assert set(result) == {"score", "status", "percentiles", "resolved"}


def test_an_answer_names_its_model_and_snapshot(http: httpx.Client) -> None:
    answer = ask(http)
    assert answer["results"] == []
    assert answer["model"] == {"name": "toy", "trained_on": answer["snapshot"]["id"]}
    assert answer["snapshot"] == {
        "id": answer["snapshot"]["id"],
        "wiki": "smallwiki",
        "language": "en",
        "dump_date": "2001-01-15",
        "concepts": 12,
        "licence": "CC0-1.0",
        "attribution": "made up",
    }


def test_a_batch_is_its_pairs_one_by_one_and_order_of_sides_does_not_matter(http: httpx.Client) -> None:
    pairs = [(left, right) for left in TITLES for right in TITLES]
    together = {
        pair: result["score"] for pair, result in zip(pairs, ask(http, *pairs)["results"], strict=True)
    }
    for left, right in pairs[::7]:
        assert ask(http, (left, right))["results"][0]["score"] == together[left, right]
    assert all(together[left, right] == together[right, left] for left, right in pairs)
    assert len(set(together.values())) > 20


def test_an_explanation_adds_up_exactly(http: httpx.Client) -> None:
    for result in ask(http, ("Cat", "Dog"), ("Cat", "Noun"), ("Computer", "Piano"), explain=True)["results"]:
        explanation = result["explanation"]
        assert tuple(entry["feature"] for entry in explanation["contributions"]) == OF_WORT
        total = explanation["intercept"]
        for number, entry in enumerate(explanation["contributions"]):
            weight = 0.01 * (number + 1) * (-1 if number == 1 else 1)
            assert entry["contribution"] == pytest.approx(weight * entry["value"], abs=1e-15)
            total += entry["contribution"]
        assert total == explanation["raw"]
        assert result["score"] == min(max(explanation["raw"], 0), CLIP[1])


def test_features_are_the_values_that_an_explanation_shows(http: httpx.Client) -> None:
    (plain,) = ask(http, ("Cat", "Dog"), features=True)["results"]
    (explained,) = ask(http, ("Cat", "Dog"), explain=True)["results"]
    assert tuple(plain["features"]) == FEATURE_NAMES
    values = {entry["feature"]: entry["value"] for entry in explained["explanation"]["contributions"]}
    assert {name: plain["features"][name] for name in values} == values
    assert "explanation" not in plain
    assert (
        plain["features"]["J-IN"] == 1 / 4
    )  # in(Cat) = Dog, Pet, House mouse; in(Dog) = Cat, Pet; one shared


@pytest.mark.parametrize(
    ("reference", "matched"),
    [
        ("Cat", "title"),
        ("cat", "title"),
        ("CAT", "variant"),
        (" Cat_ ", "title"),
        ("Felis catus", "redirect"),
        ({"title": "Felis_catus"}, "redirect"),
        (100, "page_id"),
        ({"id": 100}, "page_id"),
        ("https://en.wikipedia.org/wiki/Cat", "title"),
        ("https://en.m.wikipedia.org/w/index.php?title=Felis_catus", "redirect"),
    ],
)
def test_every_way_to_name_a_concept(http: httpx.Client, reference: Any, matched: str) -> None:
    (named, plain) = ask(http, (reference, "Dog"), ("Cat", "Dog"))["results"]
    assert named["score"] == plain["score"]
    side = named["resolved"]["left"]
    assert (side["status"], side["title"], side["page_id"], side["matched"]) == ("ok", "Cat", 100, matched)
    assert side["asked"] == (next(iter(reference.values())) if isinstance(reference, dict) else reference)


def test_a_concept_with_itself(http: httpx.Client) -> None:
    for pair in (("Cat", "Felis catus"), ("Cat", 100), ("Zyzzyva", "Zyzzyva")):
        (result,) = ask(http, pair, explain=True, features=True)["results"]
        assert (result["score"], result["status"]) == (1.0, "identical")
        assert "explanation" not in result
        assert "features" not in result


@pytest.mark.parametrize(
    ("reference", "status", "more"),
    [
        ("Catt", "unknown", {"suggestions": ["Cat"]}),
        (
            "Computer keybord",
            "unknown",
            {"suggestions": ["Computer keyboard"]},
        ),
        ("Mouse", "ambiguous", {"candidates": ["House mouse", "Computer mouse"]}),
        ("Keyboard", "ambiguous", {}),
        ("", "invalid", {}),
        ("[[Cat]", "invalid", {}),
        ("a\u0000b", "invalid", {}),
        (101, "unknown", {}),
        (-1, "unknown", {}),
        (10**30, "unknown", {}),
        ("https://example.org/wiki/Cat", "unknown", {}),
        ("https://de.wikipedia.org/wiki/Cat", "unknown", {}),
        ("x" * 100_000, "invalid", {}),
    ],
)
def test_what_names_no_concept(http: httpx.Client, reference: Any, status: str, more: dict[str, Any]) -> None:
    before, result, after = ask(http, ("Cat", "Dog"), ("Dog", reference), ("Dog", "Cat"))["results"]
    assert before["score"] == after["score"] > 0
    assert result["score"] is None
    assert result["status"] == result["resolved"]["right"]["status"] == status
    assert result["resolved"]["left"]["status"] == "ok"
    for name in ("suggestions", "candidates"):
        assert result["resolved"]["right"].get(name, []) == more.get(name, [])


def test_an_answer_to_many_troubles_stays_short(tmp_path: Path) -> None:
    """Only the first unknown and the first ambiguous titles are helped, however many there are."""
    for_each = {"Mouse": "candidates", "Catt": "suggestions"}
    with (
        serving(toy_app(tmp_path)) as address,
        httpx.Client(base_url=address, timeout=60) as http,
    ):
        for title, helped in for_each.items():
            spellings = [f"{title}#{number}" for number in range(HELPED + 5)]
            results = ask(http, *((title, "Cat") for title in spellings))["results"]
            assert [helped in result["resolved"]["left"] for result in results] == [True] * HELPED + [
                False
            ] * 5


def test_the_graver_trouble_names_the_pair(http: httpx.Client) -> None:
    troubles = ["Mouse", "No such thing", "[x]"]
    statuses = ["ambiguous", "unknown", "invalid"]
    for grave, status in enumerate(statuses):
        for milder in troubles[: grave + 1]:
            results = ask(http, (troubles[grave], milder), (milder, troubles[grave]))["results"]
            assert [result["status"] for result in results] == [status, status]


def test_requests_at_once_do_not_mix(http: httpx.Client) -> None:
    pairs = [(left, right) for left in TITLES for right in TITLES]
    alone = [ask(http, pair)["results"][0]["score"] for pair in pairs]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda pair: ask(http, pair)["results"][0]["score"], pairs))
    assert together == alone


def test_probes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = toy_app(tmp_path)
    go_on = threading.Event()
    monkeypatch.setattr(app.state.source.current.scorer, "warm", lambda: go_on.wait(PATIENCE))
    with serving(app, warm=False) as address:
        assert httpx.get(f"{address}/health").json() == {"status": "ok"}
        starting = httpx.get(f"{address}/ready")
        assert (starting.status_code, starting.json()) == (503, {"status": "starting"})
        go_on.set()
        while not app.state.ready:
            time.sleep(0.01)
        ready = httpx.get(f"{address}/ready")
        assert (ready.status_code, ready.json()) == (200, {"status": "ok"})


def test_a_snapshot_that_cannot_be_scored_is_never_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = toy_app(tmp_path)
    tried = threading.Event()

    def fail() -> None:
        tried.set()
        raise OSError("no such table")

    monkeypatch.setattr(app.state.source.current.scorer, "warm", fail)
    with serving(app, warm=False) as address:
        assert tried.wait(PATIENCE)
        assert httpx.get(f"{address}/ready").status_code == 503
        assert httpx.get(f"{address}/health").status_code == 200
