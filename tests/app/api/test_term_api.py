"""What ``POST /terms/relatedness`` answers, asked of a real server over a wiki with an ambiguous name."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import numpy as np
import pytest
from fastapi import FastAPI

from app.api import terms as api
from app.api.terms import EXAMPLES
from app.scoring.batches import BatchSizes
from app.scoring.concepts import Scorer
from app.scoring.model_kinds import load_term_model
from app.scoring.terms import LONGEST_TERM, TermScorer, shipped_term_model
from app.service import create_app
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.serving.starter import open_scorer
from app.settings import Settings
from features.senses.candidates import LONGEST_CONTEXT
from features.terms.catalogue import TERM_FEATURE_NAMES
from features.terms.extract import TermExtractor, TermPair
from models.errors import ModelError
from models.protocol import CLIP
from snapshots.naming.resolver import Resolver
from tests.support.patience import PATIENCE, until
from tests.support.served import serving, toy_model, toy_term_model
from tests.wikis.sense_wiki import build_senses
from wort.schemas.terms import AskedTerms, TermsResponse

CAT, CAR = "Jaguar (animal)", "Jaguar (car)"


class Files:
    """The snapshot and the two models."""

    def __init__(self, folder: Path) -> None:
        self.snapshot = build_senses(folder)
        self.model = toy_model(folder / "model.json", self.snapshot.id)
        self.term_model = toy_term_model(folder / "terms.json", self.snapshot.id)

    def settings(self, **settings: Any) -> Settings:
        """Settings that name the model of terms."""
        return Settings(term_model=self.term_model, **settings)

    def scorer(self) -> Scorer:
        """The scorer of concepts."""
        return Scorer.open(self.snapshot.folder, self.model)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("terms"))


@pytest.fixture(scope="module")
def scorer(files: Files) -> TermScorer:
    return TermScorer.open(files.scorer(), load_term_model(files.term_model))


@pytest.fixture(scope="module")
def service(files: Files) -> FastAPI:
    return create_app(files.settings(max_term_pairs=50), files.scorer())


@pytest.fixture(scope="module")
def http(service: FastAPI) -> Iterator[httpx.Client]:
    with serving(service) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


def ask(http: httpx.Client, *pairs: tuple[str, ...], **options: bool) -> dict[str, Any]:
    named = [dict(zip(("left", "right", "context"), pair, strict=False)) for pair in pairs]
    response = http.post("/terms/relatedness", json={"pairs": named, **options})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(answer, TermsResponse))) == answer
    return answer


def test_one_pair(http: httpx.Client, files: Files) -> None:
    answer = ask(http, ("leopard forest", "the engine"))
    (result,) = answer["results"]
    assert set(result) == {"score", "status", "resolved", "used", "model", "percentiles"}
    assert (result["used"], result["model"]) == (["concepts", "words"], "toy-terms")
    assert result["status"] == "ok"
    assert 0 < result["score"] < 1
    assert result["resolved"]["left"]["words"] == ["leopard", "forest"]
    assert result["resolved"]["right"]["words"] == ["engine"]
    assert answer["model"] == {"name": "toy-terms", "trained_on": files.snapshot.id}
    assert answer["snapshot"]["id"] == files.snapshot.id


def test_a_score_is_the_model_of_the_features(http: httpx.Client, files: Files) -> None:
    pairs = [("jaguar", "python"), ("jaguar", "forest road", "road"), ("leopard", "forest engine")]
    extractor = TermExtractor.open(files.snapshot, Resolver.open(files.snapshot))
    values = extractor.extract([TermPair(*pair) for pair in pairs])
    expected = np.clip(0.05 + values @ (0.01 * np.arange(1, len(TERM_FEATURE_NAMES) + 1)), *CLIP)
    answer = ask(http, *pairs, explain=True, features=True)
    for result, row, score in zip(answer["results"], values, expected, strict=True):
        assert result["score"] == pytest.approx(score)
        assert list(result["features"]) == list(TERM_FEATURE_NAMES)
        assert list(result["features"].values()) == row.tolist()
        explanation = result["explanation"]
        total = explanation["intercept"]
        for entry in explanation["contributions"]:
            total += entry["contribution"]
        assert total == explanation["raw"]


def test_the_senses_are_shown_and_a_context_chooses_them(http: httpx.Client) -> None:
    forest, road = ask(
        http,
        ("jaguar", "python", "a forest with deer and leopards"),
        ("jaguar", "python", "the engine and the wheels of cars on the road"),
    )["results"]
    assert (forest["resolved"]["left"]["sense"]["title"], road["resolved"]["left"]["sense"]["title"]) == (
        CAT,
        CAR,
    )
    assert CAR in forest["resolved"]["left"]["sense"]["alternatives"]
    assert CAT in road["resolved"]["left"]["sense"]["alternatives"]
    assert 0 < forest["resolved"]["left"]["sense"]["prior"] <= 1
    assert forest["score"] != road["score"]
    assert forest["resolved"]["left"]["sense"]["page_id"] != road["resolved"]["left"]["sense"]["page_id"]


def test_the_order_of_terms_makes_no_difference(http: httpx.Client) -> None:
    pairs = [("jaguar", "engine"), ("forest leopard", "jaguar car"), ("python", "jaguar")]
    there = ask(http, *pairs)["results"]
    back = ask(http, *[(right, left) for left, right in pairs])["results"]
    for one, other in zip(there, back, strict=True):
        assert one["score"] == other["score"]
        assert one["resolved"]["left"] == other["resolved"]["right"]


def test_what_is_not_known_has_no_score_and_disturbs_nothing(http: httpx.Client) -> None:
    unknown, ok, half, same, empty, long, nothing = ask(
        http,
        ("qwxyz", "jaguar"),
        ("leopard", "jaguar"),
        ("qwxyz leopard", "jaguar"),
        ("Qwxyz  leopard", "qwxyz leopard"),
        ("", "jaguar"),
        ("jaguar " * 50, "leopard"),
        ("?!", "jaguar"),
    )["results"]
    assert (unknown["score"], unknown["status"], unknown["resolved"]["left"]["status"]) == (
        None,
        "unknown",
        "unknown",
    )
    assert unknown["resolved"]["left"]["unknown_words"] == ["qwxyz"]
    assert unknown["resolved"]["right"]["status"] == "ok"
    assert ok["status"] == half["status"] == "ok"
    assert half["resolved"]["left"]["words"] == ["leopard"]
    assert half["resolved"]["left"]["unknown_words"] == ["qwxyz"]
    assert (same["score"], same["status"]) == (1, "identical")
    assert (empty["score"], empty["status"], empty["resolved"]["left"]["status"]) == (
        None,
        "invalid",
        "invalid",
    )
    assert (long["score"], long["status"]) == (None, "invalid")
    assert (nothing["score"], nothing["status"]) == (None, "unknown")


def test_a_context_is_read_so_far(scorer: TermScorer) -> None:
    padding = " " + "x" * LONGEST_CONTEXT
    pairs = [TermPair("jaguar", "python", context) for context in ("road", "road" + padding + " forest")]
    one, other = scorer.score(pairs)
    assert one.score == other.score
    blank, none = scorer.score([TermPair("jaguar", "python", context) for context in ("  ", None)])
    assert blank == none


def test_limits_and_wrong_requests(http: httpx.Client) -> None:
    def problem(content: Any) -> tuple[int, str]:
        response = http.post("/terms/relatedness", json=content)
        return response.status_code, response.json()["type"].rpartition(":")[2]

    pair = {"left": "cat", "right": "dog"}
    assert problem({"pairs": [pair] * 51}) == (413, "too-many-pairs")
    for wrong in (
        {},
        {"pairs": [{"left": "cat"}]},
        {"pairs": [{**pair, "left": 3}]},
        {"pairs": [{**pair, "context": 3}]},
        {"pairs": [{**pair, "topic": "x"}]},
    ):
        assert problem(wrong) == (422, "invalid-request")
    assert problem({"pairs": [pair], "model": "x"}) == (404, "unknown-model")
    assert ask(http)["results"] == []


def test_the_limits_are_stated(http: httpx.Client) -> None:
    document = http.get("/openapi.json").json()
    operation = document["paths"]["/v1/terms/relatedness"]["post"]
    assert "50 pairs" in operation["description"]
    assert f"{LONGEST_TERM} characters; {LONGEST_CONTEXT} of a context" in operation["description"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert {"properties": {"pairs": {"maxItems": 50}}} in schema["allOf"]


def test_every_example_runs(http: httpx.Client) -> None:
    for example in EXAMPLES.values():
        answer = http.post("/terms/relatedness", json=example["value"])
        assert answer.status_code == 200
        assert len(answer.json()["results"]) == len(example["value"]["pairs"])


def test_a_foreign_model_is_told_of_or_refused(files: Files, tmp_path: Path) -> None:
    foreign = toy_term_model(tmp_path / "terms.json", "another")
    body = {"pairs": [{"left": "jaguar", "right": "leopard"}]}
    for strict in (False, True):
        app = create_app(Settings(term_model=foreign, strict=strict), files.scorer())
        with serving(app) as address:
            answer = httpx.post(f"{address}/terms/relatedness", json=body, timeout=PATIENCE)
            models = httpx.get(f"{address}/models").json()
        assert "another" in models["served"]["terms"]["warning"]
        if strict:
            assert answer.status_code == 503
            assert answer.json()["type"] == "urn:wort:problem:no-term-model"
            assert "--strict" in answer.json()["detail"]
        else:
            assert "was trained on snapshot another" in answer.json()["model"]["warning"]


def test_a_file_that_is_no_model_of_terms_is_refused_at_the_start(files: Files) -> None:
    with pytest.raises(ModelError, match=str(files.model)):
        create_app(Settings(term_model=files.model), files.scorer())


def test_the_shipped_models_suit_their_snapshots() -> None:
    starter = TermScorer.open(open_scorer(None, None), None, strict=True)
    assert starter.model_info.warning is None
    foreign = shipped_term_model("of nobody")
    assert "excerpt" not in foreign.snapshot


def test_threads_share_the_scorer(scorer: TermScorer) -> None:
    pairs = [TermPair(left, right) for left in ("jaguar", "python") for right in ("leopard", "engine road")]
    expected = scorer.score(pairs, explain=True)
    found: list[Any] = []

    def work() -> None:
        found.extend(scorer.score(pairs, explain=True) == expected for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 40


BODY = {"pairs": [{"left": "jaguar", "right": "leopard"}] * 30}


class Held:
    """Stands in for ``TermScorer.score``: waits until it is let go, and counts."""

    def __init__(self, scorer: TermScorer) -> None:
        self.begun = self.most = self.present = 0
        self.go = threading.Event()
        self._score = scorer.score
        self._lock = threading.Lock()

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        with self._lock:
            self.begun += 1
            self.present += 1
            self.most = max(self.most, self.present)
        self.go.wait(PATIENCE)
        with self._lock:
            self.present -= 1
        return self._score(*arguments, **options)


@pytest.fixture
def held(files: Files, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Held, str]]:
    """A server that scores one pair of terms in one go, when it is let, and its address."""
    source = Source(Serving(files.scorer(), TermSettings.of(files.settings())))
    score = Held(source.current.terms())
    monkeypatch.setattr(source.current.terms(), "score", score)
    with serving(create_app(files.settings(concurrency=2), source, BatchSizes(terms=1))) as address:
        yield score, address
        score.go.set()


def test_pairs_of_concepts_do_not_wait_for_terms(held: tuple[Held, str]) -> None:
    score, address = held
    found: list[int] = []

    def ask_terms() -> None:
        found.append(httpx.post(f"{address}/terms/relatedness", json=BODY, timeout=PATIENCE).status_code)

    threads = [threading.Thread(target=ask_terms) for _ in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: score.begun == 1)
    for _ in range(3):
        answer = httpx.post(
            f"{address}/relatedness", json={"pairs": [{"left": CAT, "right": CAR}]}, timeout=PATIENCE
        )
        assert answer.json()["results"][0]["status"] == "ok"
    assert score.begun == 1
    score.go.set()
    for thread in threads:
        thread.join()
    assert found == [200] * 4
    assert score.begun == 4 * 30
    assert score.most == 1


def test_the_work_of_a_client_that_left_ends(held: tuple[Held, str]) -> None:
    score, address = held
    server = httpx.URL(address)
    with socket.create_connection((server.host, server.port or 80), timeout=PATIENCE) as client:
        body = json.dumps(BODY).encode()
        head = "POST /terms/relatedness HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        until(lambda: score.begun == 1)
    # The server hears of it before it is let go on: it hears of what happens in the order of it.
    for _ in range(5):
        assert httpx.get(f"{address}/health").status_code == 200
    score.go.set()
    answer = httpx.post(f"{address}/terms/relatedness", json={"pairs": BODY["pairs"][:1]}, timeout=PATIENCE)
    assert answer.status_code == 200
    assert score.begun == 2


def test_batches_are_the_pairs_in_order() -> None:
    short = [AskedTerms(str(number), "b") for number in range(120)]
    assert [len(some) for some in api.term_batches(short)] == [50, 50, 20]
    assert [pair.left for some in api.term_batches(short) for pair in some] == [pair.left for pair in short]
    long = [AskedTerms("a" * 255, "b" * 255, "c" * 500)] * 25
    assert [len(some) for some in api.term_batches(long)] == [9, 9, 7]
    # What is not read does not count.
    assert [len(some) for some in api.term_batches([AskedTerms("a", "b" * 10**6, "c" * 10**6)] * 20)] == [
        13,
        7,
    ]
    assert list(api.term_batches([])) == []


def test_an_answer_in_batches_is_the_answer(http: httpx.Client, service: FastAPI) -> None:
    pairs = [("jaguar", "leopard"), ("jaguar", "engine", "road"), ("", "x"), ("python", "jaguar")]
    whole = ask(http, *pairs, explain=True, features=True)
    service.state.batch_sizes = BatchSizes(terms=1)
    assert ask(http, *pairs, explain=True, features=True) == whole


def test_terms_that_cannot_be_opened_are_a_problem_of_the_moment(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> Any:
        raise RuntimeError("/a/secret/place is damaged")

    with contextlib.ExitStack() as served:
        # At the start as in the request: what a start cannot open is tried again when somebody asks for it.
        with monkeypatch.context() as broken:
            broken.setattr(TermExtractor, "__init__", fails)
            address = served.enter_context(serving(create_app(files.settings(), files.scorer())))
            answer = httpx.post(f"{address}/terms/relatedness", json=BODY)
        assert answer.status_code == 503
        assert answer.json()["type"] == "urn:wort:problem:no-term-model"
        assert "secret" not in answer.text
        assert httpx.post(f"{address}/terms/relatedness", json=BODY, timeout=PATIENCE).status_code == 200
