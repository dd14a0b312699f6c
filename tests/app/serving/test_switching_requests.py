"""What answers while releases come: requests that have begun, terms, the page, the interface."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.follower import Follower
from app.settings import Settings
from tests.app.serving.test_switching import gone
from tests.support.patience import until
from tests.support.promoted import OTHER, PAIRS, Candidate, ToyRegistry
from tests.support.releases import first_fixture, follower, toy_registry_fixture
from tests.support.served import serving, toy_files, toy_term_model

__all__ = ["first_fixture", "toy_registry_fixture"]


def test_a_request_that_has_begun_keeps_its_release(toy_registry: ToyRegistry, first: Candidate) -> None:
    served = follower(toy_registry)
    begun = served.current.scorer
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2))
    served.look()
    shutil.rmtree(first.folder)
    assert tuple(result.score for result in begun.score(PAIRS)) == first.scores


def test_an_answer_is_of_one_release_though_it_is_switched_meanwhile(
    toy_registry: ToyRegistry, first: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = toy_term_model(toy_registry.folder / "terms.json", first.snapshot)
    settings = Settings(database=toy_registry.url, follow_seconds=0, term_model=terms)
    served = Follower(settings)
    second = toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2)
    body = {"pairs": [{"left": left, "right": right} for left, right in PAIRS]}

    def switch(scorer: Any) -> None:
        """From now on, the next request is switched in its middle."""
        score = scorer.score

        def scored(*arguments: Any, **options: Any) -> Any:
            monkeypatch.undo()
            toy_registry.promote(second if served.current.info.snapshot.id == first.snapshot else first)
            served.look()
            return score(*arguments, **options)

        monkeypatch.setattr(scorer, "score", scored)

    with serving(create_app(settings, served)) as address, httpx.Client(base_url=address) as http:
        for begun, other in ((first, second), (second, first), (first, second)):
            switch(served.current.scorer)
            answer = http.post("/relatedness", json=body).json()
            assert served.current.info.snapshot.id == other.snapshot
            assert answer["model"]["version"] == begun.ref
            assert answer["snapshot"]["id"] == begun.snapshot
            assert tuple(result["score"] for result in answer["results"]) == begun.scores
        switch(served.current.terms())
        answer = http.post("/terms/relatedness", json=body).json()
        assert served.current.info.snapshot.id == first.snapshot
        assert answer["snapshot"]["id"] == second.snapshot
        switch(served.current.scorer)
        page = http.get("/", params={"left": "Cat", "right": "Dog"}).text
        assert served.current.info.snapshot.id == second.snapshot
        assert f">{first.ref}</a>." in page


def test_terms_stay_ready_across_a_switch(toy_registry: ToyRegistry, first: Candidate) -> None:
    terms = toy_term_model(toy_registry.folder / "terms.json", first.snapshot)
    served = follower(toy_registry, term_model=terms)
    opened = served.current.terms()
    toy_registry.promote(toy_registry.candidate(first.folder, 0.3))
    served.look()
    assert served.current.terms().known("Cat") == opened.known("Cat")
    assert served.current.terms().model is opened.model
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.3))
    served.look()
    after = served.current.terms()
    assert after.snapshot is served.current.scorer.snapshot
    assert after.model_info.warning is not None


def test_the_interface_says_what_is_served(toy_registry: ToyRegistry, first: Candidate) -> None:
    served = follower(toy_registry, follow_seconds=0.05)
    with serving(create_app(Settings(), served)) as address, httpx.Client(base_url=address) as http:
        before = http.get("/models").json()
        assert before["served"]["release"]["number"] == 1
        assert before["served"]["model"] == {
            "name": "toy",
            "trained_on": first.snapshot,
            "version": "toy@1",
            "release": 1,
        }
        assert before["following"] == {"registry": "wort.sqlite", "seconds": 0.05}
        assert before["worker"] == os.getpid()
        assert "refused" not in before
        second = toy_registry.candidate(first.folder, 0.3)
        toy_registry.promote(second)
        until(lambda: http.get("/models").json()["served"]["release"]["number"] == 2)
        gone(toy_registry, second)
        until(lambda: "refused" in http.get("/models").json())
        after = http.get("/models").json()
        assert after["served"]["release"]["number"] == 2
        assert after["refused"]["release"]["number"] == 3
        assert ">toy@2</a>." in http.get("/").text


def test_zero_seconds_stay_with_the_release_of_the_start(toy_registry: ToyRegistry, first: Candidate) -> None:
    served = follower(toy_registry, follow_seconds=0)
    with serving(create_app(Settings(), served)) as address:
        toy_registry.promote(toy_registry.candidate(first.folder, 0.3))
        time.sleep(0.3)
        assert httpx.get(f"{address}/models").json()["served"]["release"]["number"] == 1


def test_a_scorer_alone_is_served_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    app = create_app(Settings(), Scorer.open(*toy_files(tmp_path / "files")))
    with serving(app) as address:
        answer = httpx.get(f"{address}/models").json()
    assert set(answer) == {"served", "worker"}
    assert set(answer["served"]) == {"model", "models", "snapshot", "since", "terms", "integrity"}
