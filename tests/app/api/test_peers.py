"""What users of other tools for relatedness complain of, and that it cannot happen here.

Each test says the complaint in its own words, and asks the service as it ships: the starter snapshot, its
model, a real server.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.concepts import Scorer
from app.scoring.offered import WORT, named_model
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from features.catalogue import FEATURES
from models.additive import TRANSFORMS
from models.linear import LinearModel
from models.protocol import LARGEST, Coefficient
from tests.conftest import ROOT
from tests.support.patience import PATIENCE
from tests.support.served import serving, toy_app

ALONE = ROOT / "tests" / "alone"
"""What a server without a network starts with."""


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.fixture(scope="module")
def http(scorer: Scorer) -> Iterator[httpx.Client]:
    with (
        serving(create_app(Settings(), scorer)) as address,
        httpx.Client(base_url=f"{address}/v1", timeout=PATIENCE) as client,
    ):
        yield client


def ask(http: httpx.Client, pairs: list[tuple[Any, Any]], **options: Any) -> list[dict[str, Any]]:
    body = {"pairs": [{"left": left, "right": right} for left, right in pairs], **options}
    response = http.post("/relatedness", json=body)
    assert response.status_code == 200, response.text
    results: list[dict[str, Any]] = response.json()["results"]
    return results


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Star Wars", "Star Wars"),
        ("star wars", "Star Wars"),
        ("STAR WARS", "Star Wars"),
        ("Star_Wars", "Star Wars"),
        ("  Star   Wars ", "Star Wars"),
        ("Star Wars#Plot", "Star Wars"),
        ("https://en.wikipedia.org/wiki/Star_Wars", "Star Wars"),
        ("http://en.m.wikipedia.org/wiki/Star_Wars?action=view#Plot", "Star Wars"),
        ("en.wikipedia.org/w/index.php?title=Star_Wars", "Star Wars"),
        ("Pokemon", "Pokémon"),
        ("pokémon", "Pokémon"),
        ("Poke\u0301mon", "Pokémon"),
        ("Pok%C3%A9mon", "Pokémon"),
        ("https://en.wikipedia.org/wiki/Pok%C3%A9mon", "Pokémon"),
        ("niccolo machiavelli", "Niccolò Machiavelli"),
        ("religion", "Religion"),
        ("Religion ", "Religion"),
    ],
)
def test_a_title_need_not_be_written_exactly(http: httpx.Client, written: str, title: str) -> None:
    """Titles cut out of addresses, or written in lower case, raise a KeyError though the page is there."""
    (loose, exact) = ask(http, [(written, "Philosophy"), (title, "Philosophy")])
    assert loose["status"] == "ok"
    assert loose["resolved"]["left"]["title"] == title
    assert loose["score"] == exact["score"]


def test_a_redirect_leads_to_its_article(tmp_path: Path) -> None:
    """The title of a redirect is no key, so that its concept seems to be missing."""
    with (
        serving(toy_app(tmp_path)) as address,
        httpx.Client(base_url=f"{address}/v1", timeout=PATIENCE) as http,
    ):
        (result, direct) = ask(http, [("felis_catus", "Dog"), ("Cat", "Dog")])
    side = result["resolved"]["left"]
    assert (side["title"], side["matched"]) == ("Cat", "redirect")
    assert result["score"] == direct["score"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("star ward", "Star Wars"),
        ("Relgion", "Religion"),
        ("philosphy", "Philosophy"),
        ("Pokemonn", "Pokémon"),
    ],
)
def test_a_misspelt_title_gets_suggestions(http: httpx.Client, written: str, meant: str) -> None:
    """Nothing says which title was nearly right; the one wrong title ends the whole batch."""
    (result, other) = ask(http, [(written, "Science"), ("Atheism", "Religion")])
    assert (result["score"], result["status"]) == (None, "unknown")
    assert meant in result["resolved"]["left"]["suggestions"]
    assert other["status"] == "ok"
    (again,) = ask(http, [(meant, "Science")])
    assert again["status"] == "ok"


@pytest.mark.parametrize("title", ["Religion", "World War II", "Star Wars"])
def test_there_are_related_concepts(http: httpx.Client, scorer: Scorer, title: str) -> None:
    """A term goes in, and no list of related terms comes out: the function is described and not deployed."""
    asked = scorer.resolver.resolve(title)
    answer = http.get("/concepts/related", params={"title": title, "k": 10}).json()
    assert len({concept["title"] for concept in answer["related"]} - {asked.title}) == 10
    others = np.delete(np.arange(scorer.snapshot.concepts), asked.concept)
    scores = scorer.relatedness(np.full(len(others), asked.concept), others)
    found, best = [concept["score"] for concept in answer["related"]], np.sort(scores)[:-11:-1].tolist()
    assert found == sorted(found, reverse=True)
    # Candidates are found in the tables of texts and mentions: nine of the true ten, or all.
    assert len(set(found) & set(best)) >= 9


@pytest.mark.parametrize("title", ["Atheism", "Religion", "Pokémon", "World War II", "Apple Inc."])
def test_what_is_most_similar_has_the_similarity_of_its_pair(
    http: httpx.Client, scorer: Scorer, title: str
) -> None:
    """The list of the most similar concepts gives other scores than the similarity of the same two."""
    related = http.get("/concepts/related", params={"title": title, "k": 50}).json()["related"]
    assert len(related) == 50
    for asked in (
        [(title, concept["page_id"] or concept["title"]) for concept in related],
        [(concept["title"], title) for concept in related],
    ):
        results = ask(http, asked)
        assert [result["score"] for result in results] == [concept["score"] for concept in related]
        assert [result["percentiles"] for result in results] == [
            concept["percentiles"] for concept in related
        ]
    matrix = http.post(
        "/relatedness/matrix", json={"rows": [title], "columns": [concept["title"] for concept in related]}
    ).json()
    assert matrix["scores"] == [[concept["score"] for concept in related]]


def test_a_score_comes_with_its_reasons(http: httpx.Client, scorer: Scorer) -> None:
    """A number comes back, and nothing says where it is from."""
    pairs = [("Atheism", "Religion"), ("World War II", "Adolf Hitler"), ("Religion", "Pokémon")]
    for result in ask(http, pairs, explain=True):
        explanation = result["explanation"]
        total = explanation["intercept"]
        for entry in explanation["contributions"]:
            total += entry["contribution"]
        assert total == explanation["raw"]
        assert [result["score"]] == scorer.model.clipped(np.array([explanation["raw"]])).tolist()
        assert {entry["feature"] for entry in explanation["contributions"]} == set(scorer.model.reads)
        evidence = result["evidence"]
        values = {entry["feature"]: entry["value"] for entry in explanation["contributions"]}
        assert evidence["esa"]["cosine"] == values["ESA"]
        assert evidence["tfidf"]["cosine"] == values["TFIDF-CS"]
        assert (evidence["categories"]["both"] > 0) == values["CATEGORY"]
        linked = evidence["links"]["left_to_right"] and evidence["links"]["right_to_left"]
        assert linked == values["DIRECT-LINK"]
        for side in ("in_links", "out_links"):
            assert len(evidence[side]["strongest"]) == min(
                10, evidence[side]["both"] - evidence[side]["unnamed"]
            )
        # What is shown can be asked for in turn.
        shown = [(one["page_id"] or one["title"], one["title"]) for one in evidence["in_links"]["strongest"]]
        assert all(found["status"] == "identical" for found in ask(http, shown))
    explained = ask(http, pairs[:2], explain=True)
    assert all(result["evidence"]["in_links"]["strongest"] for result in explained)


def test_ten_thousand_pairs_are_one_request(http: httpx.Client, scorer: Scorer) -> None:
    """No more than a hundred pairs go into a request, so that a study takes thousands of requests."""
    random = np.random.default_rng(4)
    titles = [scorer.snapshot.concept_titles[row] for row in range(scorer.snapshot.concepts)]
    asked = [(str(a), str(b)) for a, b in random.choice(titles, (10_000, 2))]
    results = ask(http, asked)
    assert len(results) == 10_000
    assert all(result["status"] in ("ok", "identical") for result in results)
    for place in random.choice(10_000, 20, replace=False).tolist():
        assert ask(http, [asked[place]]) == [results[place]]


@st.composite
def extreme_models(draw: st.DrawFn, model: LinearModel) -> LinearModel:
    """Models of the same features whose weights are as large as a model file may have them."""
    number = st.one_of(
        st.floats(-LARGEST, LARGEST), st.sampled_from([0.0, 5e-324, LARGEST, -LARGEST, 1.0, -1.0])
    )
    addends = st.tuples(st.sampled_from(model.reads), st.sampled_from(sorted(TRANSFORMS)))
    chosen = draw(st.lists(addends, min_size=1, max_size=20, unique=True))
    return LinearModel(
        **{
            **{name: getattr(model, name) for name in model.__struct_fields__},
            "coefficients": tuple(Coefficient(*addend, draw(number)) for addend in chosen),
            "intercept": draw(number),
        }
    )


@settings(max_examples=40)
@given(st.data())
def test_no_score_is_out_of_range(scorer: Scorer, data: st.DataObject) -> None:
    """Similarities come out above 1, below 0, or as no number at all."""
    linear = named_model(scorer.snapshot, WORT)
    assert isinstance(linear, LinearModel)
    model = data.draw(extreme_models(linear))
    extreme = Scorer(scorer.snapshot, scorer.resolver, model)
    title = st.integers(0, scorer.snapshot.concepts - 1).map(scorer.snapshot.concept_titles.__getitem__)
    pairs = data.draw(st.lists(st.tuples(title, title), min_size=1, max_size=40))
    for (left, right), result in zip(pairs, extreme.score(pairs, explain=True), strict=True):
        assert result.score is not None
        assert math.isfinite(result.score)
        assert 0.0 <= result.score <= 1.0
        assert result.percentiles is not None
        for rank in (result.percentiles.random, result.percentiles.linked):
            assert rank is not None
            assert 0.0 <= rank <= 100.0
        if left == right:
            assert result.score == 1.0
        else:
            assert result.explanation is not None
            assert math.isfinite(result.explanation.raw)
            low_high = {feature.name: feature.range for feature in FEATURES}
            for entry in result.explanation.contributions:
                low, high = low_high[entry.feature]
                assert low <= entry.value <= high
            assert result.evidence is not None
            assert 0.0 <= result.evidence.esa.cosine <= 1.0


PAIR = {"pairs": [{"left": "Atheism", "right": "Religion"}]}


def requests_of(document: dict[str, Any], page_id: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """A request or more for each operation of the interface's description: its examples, where it has any."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            address = path.replace("{id}", str(page_id)).replace("{number}", "1")
            content = operation.get("requestBody", {}).get("content", {})
            query = {
                parameter["name"]: "atheism"
                for parameter in operation.get("parameters", ())
                if parameter["in"] == "query" and parameter.get("required")
            }
            examples = content.get("application/json", {}).get("examples", {})
            for example in examples.values():
                yield method, address, {"json": example["value"], "params": query}
            if not examples and "text/csv" in content:
                yield (
                    method,
                    address,
                    {
                        "content": b"left,right\nAtheism,Religion\n",
                        "headers": {"Content-Type": "text/csv"},
                        "params": query,
                    },
                )
            elif not examples:
                yield method, address, {"params": query}


def test_a_server_needs_no_other_machine(tmp_path: Path) -> None:
    """The hosted service is down, or gone for good, and what was built on it is dead.

    The server runs in a process in which reaching for any other machine, by name or by address, is an error
    that is written down. Every operation of the interface is asked of it, and every page.
    """
    tried = tmp_path / "tried"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
        "PYTHONPATH": os.pathsep.join([str(ALONE), str(ROOT)]),
        "REACHED_FOR": str(tried),
        "XDG_DATA_HOME": str(tmp_path),
    }
    command = [sys.executable, "-m", "app.cli", "serve", "--port", "0"]
    reach = "import socket; socket.create_connection(('192.0.2.1', 80), 1)"
    refused = subprocess.run(
        [sys.executable, "-c", reach], env=environment, capture_output=True, text=True, check=False
    )
    assert "PermissionError" in refused.stderr
    assert "192.0.2.1" in tried.read_text()
    tried.unlink()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, cwd=tmp_path
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            with httpx.Client(base_url=address, timeout=PATIENCE) as http:
                document = http.get("/openapi.json").json()
                asked = set()
                for method, path, request in requests_of(document, 25414):
                    response = http.request(method, path, **request)
                    # Retrainings need a key, which this server has none of.
                    expected = {401, 403} if "/retrainings" in path else {200}
                    assert response.status_code in expected, f"{method} {path}: {response.text}"
                    asked.add((method, re.sub(r"/\d+", "/{}", path)))
                    if response.headers["content-type"].startswith("application/json"):
                        json.loads(response.text)
                operations = {
                    (method, re.sub(r"\{\w+\}", "{}", path))
                    for path, methods in document["paths"].items()
                    for method in methods
                }
                assert asked == operations
                compared = "/?left=Atheism&right=Religion"
                for page in ("/", compared, "/explore", "/files", "/releases", "/docs"):
                    assert http.get(page).status_code == 200, page
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)
    assert not tried.exists(), tried.read_text()
