"""``POST /v1/annotate``: any text in, its concepts out, each at its place."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.texts import ANNOTATE_EXAMPLES
from app.scoring.annotating import BATCH_CHARACTERS, TextAnnotator, passage_batches
from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import model_path, open_scorer
from app.settings import Settings
from snapshots.annotator import Annotator
from tests.conftest import ROOT
from tests.support.excerpts import starter_excerpt
from tests.support.patience import least
from tests.support.served import serving, toy_app, toy_model
from tests.wikis.sense_wiki import build_senses

TEXT = "Atheism is the rejection of belief in God; Buddhism is a religion without one."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None, strict=True)


@pytest.fixture(scope="module")
def http(scorer: Scorer) -> Iterator[httpx.Client]:
    app = create_app(Settings(), scorer)
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def annotator(scorer: Scorer) -> TextAnnotator:
    return TextAnnotator.open(scorer.snapshot)


@pytest.fixture(scope="module")
def jaguars(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    """A scorer over the wiki in which a jaguar is a cat or a car."""
    folder = tmp_path_factory.mktemp("jaguars")
    snapshot = build_senses(folder)
    return Scorer.open(snapshot.folder, toy_model(folder / "model.json", snapshot.id))


def annotate(http: httpx.Client, text: str, **options: Any) -> dict[str, Any]:
    answer = http.post("/v1/annotate", json={"text": text, **options})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("name", ANNOTATE_EXAMPLES)
def test_the_examples_find_concepts(http: httpx.Client, name: str) -> None:
    assert annotate(http, **ANNOTATE_EXAMPLES[name]["value"])["annotations"]


def test_the_answer_is_the_annotators(http: httpx.Client, scorer: Scorer) -> None:
    answer = annotate(http, TEXT)
    titles, page_ids = scorer.snapshot.concept_titles, scorer.snapshot.page_ids
    expected = [
        {
            "start": each.start,
            "end": each.end,
            "mention": TEXT[each.start : each.end],
            "title": titles[each.concept],
            "page_id": page_ids[each.concept],
            "link_probability": each.link_probability,
            "commonness": each.commonness,
            "coherence": each.coherence,
            "rho": each.rho,
        }
        for each in Annotator.of_snapshot(scorer.snapshot).annotate(TEXT)
    ]
    assert answer["annotations"] == expected
    assert [each["title"] for each in expected] == ["Atheism", "God", "Buddhism", "Religion"]
    assert answer["snapshot"]["id"] == scorer.snapshot.id
    assert "context" not in answer


def test_the_answer_in_the_documents_is_the_answer(http: httpx.Client) -> None:
    section = (ROOT / "docs" / "api.md").read_text().split("## Annotating texts")[1]
    shown = json.loads(section.split("```json")[1].split("```")[0])
    body = section.split("-d '")[1].split("'")[0]
    answer = http.post("/v1/annotate", content=body, headers={"Content-Type": "application/json"}).json()
    for found, expected in zip(answer["annotations"], shown["annotations"], strict=True):
        assert found == pytest.approx(expected, abs=0.0005)
    assert answer["snapshot"] == shown["snapshot"]


def test_places_count_code_points(http: httpx.Client) -> None:
    text = "🐘\u0000e\u0301𝔊 — atheism\t\t 🐘 and  \r\n the  Solar\u00a0 System"
    found = annotate(http, text)["annotations"]
    assert [each["title"] for each in found] == ["Atheism", "Solar System"]
    for each in found:
        assert text[each["start"] : each["end"]] == each["mention"]


def test_surrogates_are_a_pair_or_no_text(http: httpx.Client) -> None:
    def post(escaped: str, more: str = " atheism") -> httpx.Response:
        body = f'{{"text": "{escaped}{more}"}}'
        return http.post("/v1/annotate", content=body, headers={"Content-Type": "application/json"})

    (found,) = post(r"\ud83d\udc18\u0000").json()["annotations"]
    assert (found["start"], found["mention"]) == (3, "atheism")
    for half in (r"\ud83d", r"\udc18", r"\udc18\ud83d"):
        answer = post(half)
        assert (answer.status_code, answer.json()["type"]) == (400, "urn:wort:problem:malformed-json")
        # A body that ends there is whole all the same.
        assert "surrogate pair" in post(half, "").json()["detail"]


PIECES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["atheism", "Solar System", "RELIGION", "new york city", " ", "\n\n", ". ", "\x00", "İ", "🐘"]
    ),
)


@given(st.lists(PIECES, max_size=40))
def test_annotations_stand_where_they_say(annotator: TextAnnotator, pieces: list[str]) -> None:
    text = "".join(pieces)
    found = [each for batch in passage_batches(text) for each in annotator.found(batch, minimum_rho=0.0)]
    end = 0
    for each in annotator.described(text, found):
        assert end <= each.start < each.end <= len(text)
        assert each.mention == text[each.start : each.end]
        assert not each.mention[0].isspace()
        assert not each.mention[-1].isspace()
        numbers = (each.link_probability, each.commonness, each.coherence, each.rho)
        assert all(0 <= number <= 1 for number in numbers)
        end = each.end


@given(st.lists(PIECES, max_size=40), st.integers(1, 400))
def test_batches_hold_all_of_a_text_but_blanks(pieces: list[str], times: int) -> None:
    text = "".join(pieces) * times
    end = 0
    for batch in passage_batches(text):
        assert sum(len(passage) for _, passage in batch) <= BATCH_CHARACTERS
        for start, passage in batch:
            assert start >= end
            assert not text[end:start].strip()
            assert text[start : start + len(passage)] == passage
            end = start + len(passage)
    assert not text[end:].strip()


def test_long_paragraphs_are_cut_between_sentences() -> None:
    sentence = "The religion of the people was old. "
    (first,), (second,) = list(passage_batches(sentence * 100))[:2]
    assert first == (0, sentence * (BATCH_CHARACTERS // len(sentence)))
    assert second[0] == len(first[1])
    words = list(passage_batches("religion " * 1000))
    assert all(passage.endswith("religion ") for batch in words for _, passage in batch)
    unbroken = passage_batches("x" * (2 * BATCH_CHARACTERS + 1))
    assert [len(passage) for batch in unbroken for _, passage in batch] == [
        BATCH_CHARACTERS,
        BATCH_CHARACTERS,
        1,
    ]


def test_the_longest_text_is_annotated_in_short_turns(
    http: httpx.Client, scorer: Scorer, annotator: TextAnnotator
) -> None:
    # The names of the most linked concepts: those whose in-links take longest to compare.
    in_links = scorer.snapshot.csr("in_links")
    hubs = sorted(range(scorer.snapshot.concepts), key=lambda concept: -in_links.sizes([concept])[0])[:300]
    names = ", ".join(scorer.snapshot.concept_titles[concept] for concept in hubs) + ". "
    text = (names * 100)[:100_000]
    found = annotate(http, text)["annotations"]
    assert len(found) > 1_000
    assert all(text[each["start"] : each["end"]] == each["mention"] for each in found)

    def longest() -> float:
        """The share of the longest turn in all, of processor time."""
        turns = []
        for batch in passage_batches(text):
            begun = time.thread_time()
            annotator.found(batch)
            turns.append(time.thread_time() - begun)
        return max(turns) / sum(turns)

    assert least(longest, 0.1) < 0.1  # measured 0.02


def test_a_text_may_be_empty(http: httpx.Client) -> None:
    assert annotate(http, "")["annotations"] == annotate(http, " \n\n\n ")["annotations"] == []


def test_less_sure_annotations_may_be_asked_for(http: httpx.Client) -> None:
    sure, usual, all_there_are = (
        annotate(http, TEXT, **options)["annotations"] for options in ({"min_rho": 0.7}, {}, {"min_rho": 0.0})
    )
    assert [each["title"] for each in sure] == ["Atheism", "Buddhism"]
    assert len(sure) < len(usual) <= len(all_there_are)
    assert sure == [each for each in usual if each["rho"] >= 0.7]


def test_a_sense_beyond_an_excerpt_is_not_replaced_by_a_rarer_one(tmp_path: Path) -> None:
    # Of the links with this text 98 % lead to the snake, which is left out.
    snapshot = starter_excerpt(tmp_path / "less", 28_250, without=["Python"])
    scorer = Scorer.open(snapshot.folder, model_path())
    assert scorer.resolver.resolve("Python (programming language)", suggest=False).status == "ok"
    text = "The python and the programming language Python."
    with (
        serving(create_app(Settings(), scorer)) as address,
        httpx.Client(base_url=address, timeout=60) as http,
    ):
        found = annotate(http, text, min_rho=0.0)["annotations"]
    assert found
    assert not [each for each in found if each["mention"].lower() == "python"]


def test_context_helps_to_choose(jaguars: Scorer) -> None:
    app = create_app(Settings(), jaguars)
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as http:
        for context, sense in (("Forest", "Jaguar (animal)"), ("Engine", "Jaguar (car)")):
            answer = annotate(http, "A jaguar.", context=[context, {"title": "No such title"}], min_rho=0.0)
            (found,) = answer["annotations"]
            assert (found["title"], found["mention"]) == (sense, "jaguar")
            assert 0 < found["commonness"] < 1
            assert [side["status"] for side in answer["context"]] == ["ok", "unknown"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"text": 7}, 422),
        ({"text": "a", "more": 1}, 422),
        ({"text": "a", "min_rho": 1.5}, 422),
        ({"text": "a", "min_rho": -0.1}, 422),
        ({"text": "a", "context": ["Atheism"] * 21}, 422),
        ({"text": "a", "context": "Atheism"}, 422),
        ({"text": "a" * 100_001}, 413),
    ],
)
def test_bad_requests_are_told_what_is_wrong(http: httpx.Client, body: Any, status: int) -> None:
    answer = http.post("/v1/annotate", json=body)
    assert (answer.status_code, answer.json()["status"]) == (status, status)
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_limit_counts_characters_not_bytes(http: httpx.Client) -> None:
    text = "🐘" * 100_000
    assert annotate(http, text)["annotations"] == []
    answer = http.post("/v1/annotate", json={"text": text + "a"})
    assert (answer.status_code, answer.json()["limit"]) == (413, 100_000)


def test_a_snapshot_without_mentions_says_so(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address, httpx.Client(base_url=address, timeout=60) as http:
        for path, body in (
            ("/v1/annotate", {"text": "cat"}),
            ("/v1/documents/relatedness", {"left": "cat", "right": "dog"}),
        ):
            problem = http.post(path, json=body)
            assert problem.status_code == 503
            assert problem.json()["type"] == "urn:wort:problem:no-mention-dictionary"
            assert "wort build" in problem.json()["detail"]
        pairs = json.dumps({"pairs": [{"left": "Cat", "right": "Dog"}]})
        answer = http.post("/relatedness", content=pairs, headers={"Content-Type": "application/json"})
        assert answer.status_code == 200


def test_a_release_of_the_same_snapshot_shares_the_annotator(scorer: Scorer, jaguars: Scorer) -> None:
    first = Serving(scorer, TermSettings())
    opened = first.annotator()
    assert first.annotator() is opened
    again = Serving(Scorer(scorer.snapshot, scorer.resolver, scorer.model), TermSettings())
    again.take_over(first)
    assert again.annotator() is opened
    other = Serving(jaguars, TermSettings())
    other.take_over(first)
    assert other._annotator not in (None, opened)
