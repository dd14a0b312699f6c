"""``POST /v1/documents/relatedness``: two texts through the concepts that they mention."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.texts import DOCUMENTS_EXAMPLES
from app.scoring.annotating import TextAnnotator, passage_batches
from app.scoring.concepts import Scorer
from app.scoring.documents import HEAVIEST, ConceptBag, document_relatedness
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from snapshots.annotator import Annotation
from tests.support.served import serving
from training.benchmarks.declared import locate, shipped
from training.benchmarks.read import read_declared
from training.statistics.correlation import pearson, spearman

LEFT = "Atheism is the rejection of belief in God. Atheism is old."
RIGHT = "Buddhism and Christianity are religions."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None, strict=True)


@pytest.fixture(scope="module")
def annotator(scorer: Scorer) -> TextAnnotator:
    return TextAnnotator.open(scorer.snapshot)


@pytest.fixture(scope="module")
def http(scorer: Scorer) -> Iterator[httpx.Client]:
    with (
        serving(create_app(Settings(), scorer)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def asked(http: httpx.Client, left: str, right: str, **options: Any) -> dict[str, Any]:
    answer = http.post("/v1/documents/relatedness", json={"left": left, "right": right, **options})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("name", DOCUMENTS_EXAMPLES)
def test_the_examples_are_scored(http: httpx.Client, name: str) -> None:
    answer = asked(http, **DOCUMENTS_EXAMPLES[name]["value"])
    assert answer["status"] == "ok"
    assert 0 < answer["score"] < 1


def test_the_score_is_the_published_formula(http: httpx.Client, scorer: Scorer) -> None:
    answer = asked(http, LEFT, RIGHT, explain=True)
    sides = [answer["left"]["concepts"], answer["right"]["concepts"]]
    pairs = [(a["title"], b["title"]) for side in (sides, sides[::-1]) for a in side[0] for b in side[1]]
    scores = {pair: result.score or 0.0 for pair, result in zip(pairs, scorer.score(pairs), strict=True)}
    total = 0.0
    for own, others in (sides, sides[::-1]):
        for concept in own:
            matches = {other["title"]: scores[concept["title"], other["title"]] for other in others}
            best = max(matches.values())
            assert concept["match"]["score"] == best == matches[concept["match"]["title"]]
            assert concept["contribution"] == pytest.approx(0.5 * concept["weight"] * best)
            total += concept["contribution"]
        assert sum(concept["weight"] for concept in own) == pytest.approx(1)
    assert answer["score"] == pytest.approx(total)
    assert [(each["title"], each["mentions"]) for each in sides[0]] == [("Atheism", 2), ("God", 1)]


def test_a_request_names_the_model_of_its_concepts(http: httpx.Client, scorer: Scorer) -> None:
    own = asked(http, LEFT, RIGHT, explain=True)
    by_name = {name: asked(http, LEFT, RIGHT, explain=True, model=name) for name in ("wort", "regression")}
    pairs = [(one["title"], one["match"]["title"]) for one in by_name["wort"]["left"]["concepts"]]
    response = http.post(
        "/v1/relatedness",
        json={"pairs": [{"left": left, "right": right} for left, right in pairs], "model": "wort"},
    )
    scores = [one["score"] for one in response.json()["results"]]
    assert [one["match"]["score"] for one in by_name["wort"]["left"]["concepts"]] == scores
    assert len({answer["score"] for answer in (own, *by_name.values())}) == 3
    assert by_name["wort"]["model"] == response.json()["model"] != own["model"]
    assert asked(http, LEFT, RIGHT, explain=True, model=scorer.model_info.name) == own


def test_a_model_that_scores_no_concepts_is_a_problem(http: httpx.Client) -> None:
    texts = {"left": LEFT, "right": RIGHT}
    for name in ("none", "terms-plus-starter"):
        answer = http.post("/v1/documents/relatedness", json={**texts, "model": name})
        assert (answer.status_code, answer.json()["type"]) == (404, "urn:wort:problem:unknown-model")
        assert "wort-plus, wort, regression" in answer.json()["detail"]
    assert http.post("/v1/documents/relatedness", json={**texts, "model": 7}).status_code == 422


def test_weights_are_surety_times_rarity(scorer: Scorer, annotator: TextAnnotator) -> None:
    found = [each for batch in passage_batches(LEFT) for each in annotator.found(batch)]
    document = ConceptBag.of(scorer.snapshot, found)
    for concept, weight in zip(document.concepts.tolist(), document.weights.tolist(), strict=True):
        linked = len(scorer.snapshot.csr("in_links").row(concept))
        rho = sum(each.rho for each in found if each.concept == concept)
        assert weight == pytest.approx(rho * math.log(scorer.snapshot.universe / linked))
    assert sorted(document.weights, reverse=True) == document.weights.tolist()


def test_the_order_makes_no_difference(http: httpx.Client) -> None:
    there, back = asked(http, LEFT, RIGHT, explain=True), asked(http, RIGHT, LEFT, explain=True)
    assert there["score"] == back["score"]
    assert (there["left"], there["right"]) == (back["right"], back["left"])


def test_texts_of_the_same_concepts_are_identical(http: httpx.Client) -> None:
    """Whatever stands around the mentions, and however sure each of them is."""
    said = [asked(http, left, right) for left, right in (("God", "God."), ("God.", "The God"))]
    assert [(answer["score"], answer["status"]) for answer in said] == [(1.0, "identical")] * 2


def test_a_text_with_itself_is_1(http: httpx.Client) -> None:
    answer = asked(http, LEFT, LEFT, explain=True)
    assert (answer["score"], answer["status"]) == (1.0, "identical")
    assert {each["match"]["score"] for each in answer["left"]["concepts"]} == {1.0}
    # The same concepts as often, in other words.
    assert asked(http, "Atheism, religion", "religion and atheism")["score"] == 1.0


def test_a_note_says_where_a_score_rests_on_one_concept(http: httpx.Client) -> None:
    one, other = "Atheism is old.", "What is Buddhism?"
    found = "One concept was found in"
    assert asked(http, one, RIGHT)["note"] == f"{found} the first text: Atheism. The score rests on it alone."
    assert (
        asked(http, RIGHT, one)["note"] == f"{found} the second text: Atheism. The score rests on it alone."
    )
    both = asked(http, one, other)["note"]
    assert both == f"{found} each text: Atheism and Buddhism. The score rests on that alone."
    assert asked(http, one, one)["note"] == f"{found} each text: Atheism. The score rests on that alone."
    assert "note" not in asked(http, LEFT, RIGHT)
    assert "note" not in asked(http, one, "")
    page = http.get("/texts", params={"left": one, "right": RIGHT}).text
    assert f"{found} the first text: Atheism. The score rests on it alone." in page


def test_what_is_not_asked_for_is_not_explained(http: httpx.Client) -> None:
    for concept in asked(http, LEFT, RIGHT)["left"]["concepts"]:
        assert set(concept) == {"title", "page_id", "mentions", "weight"}


@pytest.mark.parametrize(("left", "right"), [("", RIGHT), (LEFT, "?"), ("", "")])
def test_a_text_without_concepts_has_no_score(http: httpx.Client, left: str, right: str) -> None:
    answer = asked(http, left, right, explain=True)
    assert (answer["score"], answer["status"]) == (None, "no-concepts")
    for side, text in ((answer["left"], left), (answer["right"], right)):
        assert side["status"] == ("ok" if len(text) > 1 else "no-concepts")
        assert bool(side["concepts"]) == (len(text) > 1)
        assert not any("match" in concept for concept in side["concepts"])


def test_each_text_has_a_limit(http: httpx.Client) -> None:
    for body in ({"left": "a" * 100_001, "right": "b"}, {"left": "a", "right": "b" * 100_001}):
        answer = http.post("/v1/documents/relatedness", json=body)
        assert (answer.status_code, answer.json()["type"]) == (413, "urn:wort:problem:text-too-long")
    assert http.post("/v1/documents/relatedness", json={"left": "a"}).status_code == 422


def mentioned(concept: int, rho: float) -> Annotation:
    return Annotation(0, 1, 0, concept, rho, 1.0, rho, rho)


MENTIONS = st.lists(st.tuples(st.integers(0, 4649), st.floats(0.001, 1)), max_size=80)


@given(MENTIONS, MENTIONS)
def test_any_two_documents(
    scorer: Scorer, left: list[tuple[int, float]], right: list[tuple[int, float]]
) -> None:
    first, second = (
        ConceptBag.of(scorer.snapshot, [mentioned(*each) for each in mentions]) for mentions in (left, right)
    )
    for document, mentions in ((first, left), (second, right)):
        assert len(document.concepts) == min(HEAVIEST, len({concept for concept, _ in mentions}))
        assert np.all(document.weights > 0)
    answer = document_relatedness(scorer, first, second, explain=True)
    turned = document_relatedness(scorer, second, first)
    assert answer.score == turned.score
    if not left or not right:
        assert answer.score is None
        return
    assert answer.score is not None
    assert 0 <= answer.score <= 1
    added = [each.contribution or 0.0 for side in (answer.left, answer.right) for each in side.concepts]
    assert sum(added) == pytest.approx(answer.score, abs=1e-12)
    assert document_relatedness(scorer, first, first).score == 1.0


@pytest.mark.slow
def test_lp50_is_judged_as_the_documents_say(
    scorer: Scorer, annotator: TextAnnotator, data_dir: Path
) -> None:
    declaration = shipped()["lp50"]
    judgements = read_declared(declaration, locate(declaration, data_dir)).judgements
    documents = {
        text: ConceptBag.of(
            scorer.snapshot, [each for batch in passage_batches(text) for each in annotator.found(batch)]
        )
        for pair in judgements
        for text in (pair.left, pair.right)
    }
    scores = [
        document_relatedness(scorer, documents[pair.left], documents[pair.right]).score for pair in judgements
    ]
    values, gold = np.array(scores, np.float64), np.array([pair.score for pair in judgements])
    assert len(documents) == 50
    assert pearson(values, gold) == pytest.approx(0.660, abs=0.002)
    assert spearman(values, gold) == pytest.approx(0.540, abs=0.002)
