"""IBM's own client of its discontinued Term Relater, pointed at wort: it works as it was published."""

from __future__ import annotations

import importlib
import json
import math
import re
from collections.abc import Iterator
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.debater import PAIRS_EXAMPLES, WIKIFY_EXAMPLES
from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from models.registry.registry import Registry
from tests.conftest import ROOT
from tests.support.served import serving, toy_app

KEY = "x" * 35
"""What the client takes for a key: 35 letters or digits."""


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None, strict=True)


@pytest.fixture(scope="module")
def address(scorer: Scorer) -> Iterator[str]:
    with serving(create_app(Settings(), scorer)) as address:
        yield address


@pytest.fixture
def http(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The client's package, as it was published last."""
    # A person behind a proxy would set this too: the client asks the environment.
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert version("debater-python-api") == "5.1.4"
    return importlib.import_module("debater_python_api.api.debater_api")


def pointed(published: Any, address: str) -> Any:
    """The client of the Term Relater, pointed at ``address``."""
    relater = published.DebaterApi(KEY).get_term_relater_client()
    relater.set_host(address)
    relater.term_wikifier_client.set_host(address)
    return relater


@pytest.fixture
def client(published: Any, address: str) -> Any:
    return pointed(published, address)


def score(scorer: Scorer, left: str, right: str) -> float | None:
    (result,) = scorer.score([(left, right)])
    return result.score


def test_pairs_of_titles_have_the_scores_of_the_model(client: Any, scorer: Scorer) -> None:
    pairs = [["Soldier", "Army"], ["Atheism", "Religion"], ["Ball", "Cat"], ["Army", "Army"]]
    assert client.run(pairs) == [score(scorer, *pair) for pair in pairs]


def test_what_cannot_be_resolved_is_nan(client: Any, scorer: Scorer) -> None:
    related, unknown, empty = client.run([["Soldier", "Army"], ["Soldier", "No such concept"], ["", "Army"]])
    assert related == score(scorer, "Soldier", "Army")
    assert math.isnan(unknown)
    assert math.isnan(empty)


def test_the_page_of_migration_says_what_happens(client: Any) -> None:
    page = (ROOT / "docs" / "migrating-from-ibm.md").read_text()
    (shown,) = re.findall(r"term_relater\.run\((.*)\)", page)
    soldier, student, ball = client.run(json.loads(shown))
    assert 1 > soldier > student > ball > 0


def test_terms_are_wikified_on_the_way(client: Any, scorer: Scorer) -> None:
    client.set_auto_wikification(True)
    scores = client.run(
        [
            ["atheism", "religion"],
            ["web applications", "The Soldiers"],  # mentions, not titles
            ["atheism", "soldiers and Buddhism"],  # two concepts in one term
            ["xyzzy", "religion"],
            ["", "religion"],
        ]
    )
    assert scores[0] == score(scorer, "Atheism", "Religion")
    assert scores[1] == score(scorer, "Web application", "Soldier")
    assert [math.isnan(each) for each in scores[2:]] == [True, True, True]


def test_more_than_a_batch(client: Any, scorer: Scorer) -> None:
    titles = [scorer.snapshot.concept_titles[concept] for concept in range(1201)]
    pairs = [list(pair) for pair in pairwise(titles)]
    expected = [result.score for result in scorer.score([(left, right) for left, right in pairs])]
    assert client.run(pairs) == expected
    client.set_auto_wikification(True)
    assert client.run(pairs) == expected


def test_the_wikifier_by_itself(client: Any, scorer: Scorer) -> None:
    found = client.term_wikifier_client.run(["Soldiers fear the atheism of an army.", "no concept", ""])
    assert [[each["concept"]["title"] for each in mentions] for mentions in found] == [
        ["Soldier", "Atheism", "Army"],
        [],
        [],
    ]
    soldiers, atheism, _ = found[0]
    assert (soldiers["span"], soldiers["cleanText"]) == ((0, 8), "Soldiers")
    (concept,) = scorer.resolver.resolve_many(["Atheism"])
    assert atheism["concept"]["inlinks"] == len(scorer.snapshot.csr("in_links").row(concept.concept))


def test_the_client_says_what_the_server_refused(client: Any) -> None:
    client.term_wikifier_client.set_show_process(False)
    with pytest.raises(ConnectionError, match="413"):
        client.term_wikifier_client.run(["a" * 100_001])


def test_a_server_that_asks_for_keys(published: Any, scorer: Scorer, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'wort.sqlite'}"
    _, key = Registry.open(database).keys.create(name="relater", scopes=["score"], who="a test")
    with serving(create_app(Settings(database=database, require_key=True), scorer)) as address:
        client = pointed(published, address)
        with pytest.raises(ConnectionError, match="401"):
            client.run([["Soldier", "Army"]])
        # As the page of migration says: what the client takes for a key when it is made is of another form.
        client.apikey = client.term_wikifier_client.apikey = key
        client.set_auto_wikification(True)
        assert client.run([["soldiers", "army"]]) == [score(scorer, "Soldier", "Army")]


def test_the_examples_are_answered(http: httpx.Client) -> None:
    scores = [
        http.post("/api/scores/TermRelater/pairs", json=each["value"]) for each in PAIRS_EXAMPLES.values()
    ]
    assert scores[0].json() == [scores[1].json()[0]]
    assert scores[1].text.endswith(", NaN]")
    (example,) = WIKIFY_EXAMPLES.values()
    answer = http.post("/TermWikifier/v2/annotate/", json=example["value"]).json()
    assert [[each["title"] for each in mentions] for mentions in answer["annotations"]] == [
        ["Atheism"],
        ["Buddhism", "Religion"],
    ]


def test_long_texts_and_contexts(http: httpx.Client) -> None:
    text = "The army of God. " * 500
    body = {
        "textsToAnnotate": [{"text": "God"}, {"text": text, "contextTitles": ["Religion", "None such"]}],
        "contextTitles": ["Atheism"],
        "contextText": "Soldiers and religion.",
    }
    short, long = http.post("/TermWikifier/v2/annotate/", json=body).json()["annotations"]
    assert [each["title"] for each in short] == ["God"]
    assert len(long) >= 500
    assert all(text[each["spanStart"] : each["spanEnd"]] == each["cleanText"] for each in long)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/scores/TermRelater/pairs", {"first": "a", "second": "b"}, 422),
        ("/api/scores/TermRelater/pairs", [{"first": "a"}], 422),
        ("/api/scores/TermRelater/pairs", [["a", "b"]], 422),
        ("/api/scores/TermRelater/pairs", [{"first": "a", "second": "b"}] * 10_001, 413),
        ("/TermWikifier/v2/annotate/", {"textsToAnnotate": ["a"]}, 422),
        ("/TermWikifier/v2/annotate/", {"textsToAnnotate": [{"text": "a"}] * 10_001}, 413),
        ("/TermWikifier/v2/annotate/", {"textsToAnnotate": [], "contextText": "a" * 100_001}, 413),
    ],
)
def test_bad_requests_are_told_what_is_wrong(http: httpx.Client, path: str, body: Any, status: int) -> None:
    answer = http.post(path, json=body)
    assert (answer.status_code, answer.json()["status"]) == (status, status)


def test_nothing_asked_is_nothing_answered(http: httpx.Client) -> None:
    assert http.post("/api/scores/TermRelater/pairs", json=[]).json() == []
    answer = http.post("/TermWikifier/v2/annotate/", json={"textsToAnnotate": []})
    assert answer.json() == {"annotations": []}


def test_titles_are_related_where_texts_cannot_be_annotated(tmp_path_factory: pytest.TempPathFactory) -> None:
    app = toy_app(tmp_path_factory.mktemp("toy"))
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as http:
        (score,) = http.post("/api/scores/TermRelater/pairs", json=[{"first": "Cat", "second": "Dog"}]).json()
        assert 0 < score <= 1
        answer = http.post("/TermWikifier/v2/annotate/", json={"textsToAnnotate": [{"text": "cat"}]})
        assert answer.json()["type"] == "urn:wort:problem:no-mention-dictionary"
