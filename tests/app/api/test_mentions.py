"""Mentions and ambiguous titles, asked of a real server over a wiki in which a jaguar is a cat or a car."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.batches import BatchSizes
from app.scoring.concepts import HELPED, Scorer
from app.scoring.naming.references import MentionReference
from app.service import create_app
from app.settings import Settings
from features.senses.candidates import LONGEST_CONTEXT
from features.senses.dictionary import MentionDictionary
from snapshots.naming.resolution import Status
from tests.support.patience import PATIENCE
from tests.support.served import serving, toy_model, toy_scorer
from tests.wikis.sense_wiki import build_senses
from wort.schemas.relatedness import PairStatus, RelatednessResponse
from wort.schemas.sides import Side

CAT, CAR = "Jaguar (animal)", "Jaguar (car)"
SNAKE, LANGUAGE = "Python (snake)", "Python (language)"


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    folder = tmp_path_factory.mktemp("mentions")
    snapshot = build_senses(folder)
    return Scorer.open(snapshot.folder, toy_model(folder / "model.json", snapshot.id))


@pytest.fixture(scope="module")
def service(scorer: Scorer) -> FastAPI:
    return create_app(Settings(), scorer)


@pytest.fixture(scope="module")
def http(service: FastAPI) -> Iterator[httpx.Client]:
    with (
        serving(service) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def ask(http: httpx.Client, *pairs: tuple[Any, Any], **options: Any) -> list[dict[str, Any]]:
    body = {"pairs": [{"left": left, "right": right} for left, right in pairs], **options}
    response = http.post("/v1/relatedness", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(answer, RelatednessResponse))) == answer
    results: list[dict[str, Any]] = answer["results"]
    return results


def test_a_mention_with_one_sense_is_that_concept(http: httpx.Client) -> None:
    inflected, phrase = ask(http, ({"mention": "leopards"}, "Cat"), ({"mention": "leopards of it"}, "Cat"))
    assert (inflected["resolved"]["left"]["title"], phrase["status"]) == ("Leopard", "unknown")
    mentioned, titled = ask(http, ({"mention": "LEOPARD"}, "Cat"), ("Leopard", "Cat"))
    assert mentioned["score"] == titled["score"]
    assert mentioned["resolved"]["left"] == {
        **titled["resolved"]["left"],
        "asked": "LEOPARD",
        "matched": "mention",
        "prior": 1.0,
    }


def test_several_senses_are_reported_unless_asked_otherwise(http: httpx.Client) -> None:
    for options in ({}, {"ambiguous": "report"}):
        for ambiguous, meant in (({"mention": "jaguar"}, {CAT, CAR}), ("Python", {SNAKE, LANGUAGE})):
            (result,) = ask(http, (ambiguous, "Leopard"), **options)
            assert (result["score"], result["status"]) == (None, "ambiguous")
            assert "percentiles" not in result
            side = result["resolved"]["left"]
            assert (side["status"], side["matched"]) == ("ambiguous", None)
            assert set(side["candidates"]) == meant
            assert not side.keys() & {"prior", "alternatives"}


def test_the_other_side_chooses_and_the_choice_is_told(http: httpx.Client) -> None:
    leopard, engine = ask(
        http,
        ({"mention": "jaguar"}, "Leopard"),
        ("Engine", {"mention": "jaguar"}),
        ambiguous="resolve",
        explain=True,
    )
    cat, car = leopard["resolved"]["left"], engine["resolved"]["right"]
    assert (cat["title"], cat["matched"], car["title"]) == (CAT, "sense", CAR)
    # Four articles use the word for the cat, and four for the car, which has three mutual links; the cat two.
    assert (cat["prior"], car["prior"]) == (pytest.approx(3 / 7), pytest.approx(4 / 7))
    assert cat["alternatives"] == [{"title": CAR, "page_id": car["page_id"], "prior": car["prior"]}]
    (plain,) = ask(http, (CAT, "Leopard"), explain=True)
    for name in ("score", "percentiles", "explanation", "evidence"):
        assert leopard[name] == plain[name]


def test_both_sides_choose_together(http: httpx.Client) -> None:
    (result,) = ask(http, ({"mention": "jaguar"}, "Python"), ambiguous="resolve")
    titles = [result["resolved"][side]["title"] for side in ("left", "right")]
    assert titles == [CAT, SNAKE], "a cat and a snake share a forest"
    assert [len(result["resolved"][side]["alternatives"]) for side in ("left", "right")] == [1, 1]
    (same,) = ask(http, ("Python", LANGUAGE), ambiguous="resolve")
    assert (same["status"], same["score"]) == ("identical", 1.0)
    assert same["resolved"]["left"]["title"] == LANGUAGE


def test_a_context_makes_a_sense_likelier(http: httpx.Client) -> None:
    def prior(context: str | None) -> float:
        mention = {"mention": "jaguar", "context": context}
        (result,) = ask(http, (mention, "Leopard"), ambiguous="resolve")
        side = result["resolved"]["left"]
        priors: dict[str, float] = {one["title"]: one["prior"] for one in (side, *side["alternatives"])}
        assert sum(priors.values()) == pytest.approx(1.0)
        return priors[CAT]

    near, far = "a forest with deer and leopards", "the engine of a car on the road"
    assert prior(near) > prior(None) == prior("  ") > prior(far)
    assert prior(None) == pytest.approx(3 / 7)
    assert prior(f"{near:<{LONGEST_CONTEXT}}") == prior(near)
    assert prior(f"{near:<{LONGEST_CONTEXT}} {far}") == prior(near), "what follows is not read"
    (ambiguous,) = ask(http, ({"mention": "jaguar", "context": far}, "Leopard"))
    assert ambiguous["resolved"]["left"]["candidates"] == [CAR, CAT], "the likeliest first"


def test_ways_to_name_a_concept_mix(http: httpx.Client) -> None:
    (page_id,) = {result["resolved"]["left"]["page_id"] for result in ask(http, ("Leopard", "Cat"))}
    ways: list[Any] = [
        "Leopard",
        {"title": "leopard"},
        page_id,
        {"id": page_id},
        "https://en.wikipedia.org/wiki/Leopard",
        {"mention": "leopard"},
        {"mention": "leopard", "context": "spots"},
        {"mention": "leopard", "context": None},
    ]
    results = ask(http, *[(left, right) for left in ways for right in [*ways, "Cat", {"mention": "jaguar"}]])
    for result in results:
        assert result["resolved"]["left"]["title"] == "Leopard"
        right = result["resolved"]["right"]["title"]
        assert result["status"] == {"Leopard": "identical", "Cat": "ok", "Jaguar": "ambiguous"}[right]


@pytest.mark.parametrize(
    ("side", "says"),
    [
        ({"mention": "jaguar", "title": "Cat"}, "one of the four"),
        ({"mention": "jaguar", "id": 3}, "one of the four"),
        ({"context": "forest"}, "one of the four"),
        ({"title": "Cat", "context": "forest"}, "is for a `mention`"),
        ({"mention": 3}, "$.pairs[0].left.mention"),
        ({"mention": None}, "$.pairs[0].left.mention"),
        ({"mention": "jaguar", "context": 3}, "$.pairs[0].left.context"),
        ({"mention": "jaguar", "language": "en"}, "language"),
    ],
)
def test_what_is_no_mention_is_refused(http: httpx.Client, side: Any, says: str) -> None:
    response = http.post("/v1/relatedness", json={"pairs": [{"left": side, "right": "Cat"}]})
    assert response.status_code == 422
    assert says in response.json()["detail"]


def test_how_the_ambiguous_are_treated_is_one_of_two(http: httpx.Client) -> None:
    for wrong in ("guess", "", None, True):
        body = {"pairs": [{"left": "Cat", "right": "Deer"}], "ambiguous": wrong}
        response = http.post("/v1/relatedness", json=body)
        assert response.status_code == 422
        assert "$.ambiguous" in response.json()["detail"]


def test_few_are_helped_however_many_are_ambiguous(http: httpx.Client) -> None:
    mentions = [{"mention": f"jaguar{' ' * number}"} for number in range(HELPED)]
    results = ask(http, ("Python", "Cat"), *((mention, "Cat") for mention in mentions))
    helped = ["candidates" in result["resolved"]["left"] for result in results]
    assert helped == [True] * HELPED + [False]


def test_batches_are_answered_as_the_whole(http: httpx.Client, service: FastAPI) -> None:
    """The same text as a title and as mentions in contexts, each with the help that is its own."""
    near, far = "a forest with deer and leopards", "the engine of a car on the road"
    names: list[Any] = ["Python", *({"mention": name} for name in ("python", "jaguar", "Python", "leopart"))]
    names += [{"mention": "jaguar", "context": context} for context in (near, far)]
    names += ["Leopart", *(f"Leopart{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    pairs = [(name, other) for other in ("Cat", "Python") for name in names]
    for options in ({"ambiguous": "report"}, {"ambiguous": "resolve"}):
        service.state.batch_sizes = BatchSizes(pairs=10**6)
        whole = ask(http, *pairs, **options)
        for size in (1, 9, 60):
            service.state.batch_sizes = BatchSizes(pairs=size)
            assert ask(http, *pairs, **options) == whole
    helped = {
        side["asked"] for result in whole for side in result["resolved"].values() if "suggestions" in side
    }
    assert 0 < len(helped) <= HELPED


def test_few_pairs_may_have_contexts(scorer: Scorer) -> None:
    app = create_app(Settings(max_term_pairs=2), scorer)
    mention = {"mention": "jaguar", "context": "forest"}
    bodies = [{"pairs": [{"left": mention, "right": mention}] * count} for count in (2, 3)]
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert client.post("/v1/relatedness", json=bodies[0]).status_code == 200
        refused = client.post("/v1/relatedness", json=bodies[1])
        assert (refused.status_code, refused.json()["limit"]) == (413, 2)
        assert "3 pairs with a context or a text and may have 2" in refused.json()["detail"]
        lines = {"Accept": "application/x-ndjson"}
        streamed = client.post("/v1/relatedness", json=bodies[1], headers=lines)
        assert streamed.status_code == 200
        assert len(streamed.text.splitlines()) == 1 + 3 + 1


def test_few_pairs_are_explained_at_once(scorer: Scorer) -> None:
    app = create_app(Settings(max_explained_pairs=2), scorer)
    bodies = [{"pairs": [{"left": "Cat", "right": "Dog"}] * count, "explain": True} for count in (2, 3)]
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert client.post("/v1/relatedness", json=bodies[0]).status_code == 200
        refused = client.post("/v1/relatedness", json=bodies[1])
        assert (refused.status_code, refused.json()["limit"]) == (413, 2)
        assert client.post("/v1/relatedness", json=bodies[1] | {"explain": False}).status_code == 200
        lines = {"Accept": "application/x-ndjson"}
        streamed = client.post("/v1/relatedness", json=bodies[1], headers=lines)
        assert len(streamed.text.splitlines()) == 1 + 3 + 1


# Whatever characters there are: of an answer that goes over the wire, those that UTF-8 has.
any_text = st.text(st.characters(exclude_categories=()), max_size=30)
near_text = st.sampled_from(
    ["jaguar", "Python", "python (disambiguation)", "a  jaguar", "https://x/wiki/Python"]
)
texts = any_text | near_text | st.builds(str.__add__, near_text, any_text)
sides = texts | st.integers() | st.builds(MentionReference, texts, st.none() | texts)


@settings(deadline=None)
@given(sides, sides, st.sampled_from(["report", "resolve"]))
def test_nothing_that_is_asked_raises(scorer: Scorer, left: Any, right: Any, ambiguous: Any) -> None:
    (result,) = scorer.score([(left, right)], explain=True, ambiguous=ambiguous)
    assert result.status in get_args(PairStatus)
    assert (
        (result.score is None) == (result.status not in ("ok", "identical")) == (result.percentiles is None)
    )
    assert (result.evidence is None) == (result.explanation is None) == (result.status != "ok")
    for side, asked in ((result.resolved.left, left), (result.resolved.right, right)):
        check(side, asked, ambiguous)


def check(side: Side, asked: Any, ambiguous: str) -> None:
    """A side has a status, and where a sense was chosen it says so and what it was chosen from."""
    assert side.status in get_args(Status)
    assert (side.status == "ok") == (side.matched is not None) == (side.page_id is not None)
    if isinstance(asked, MentionReference):
        assert side.matched in (None, "mention", "sense")
        assert (side.prior is not None) == (side.status == "ok")
    if side.matched == "sense":
        assert ambiguous == "resolve"
        assert side.prior is not None
        assert 0 < side.prior <= 1
        assert all(0 < other.prior <= 1 and other.title != side.title for other in side.alternatives)
    else:
        assert side.alternatives == ()


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.sampled_from(["Cat", "Leopard", "Python", "zzz", 3, 10**20]), texts), max_size=4)
)
def test_titles_are_answered_as_without_mentions(scorer: Scorer, pairs: Any) -> None:
    """Beside mentions and other pairs, and where nothing is ambiguous, a title's answer is the same."""
    alone = scorer.score(pairs)
    beside = scorer.score([*pairs, (MentionReference("jaguar"), "Cat")])[:-1]
    assert beside == alone
    for plain, chosen in zip(alone, scorer.score(pairs, ambiguous="resolve"), strict=True):
        assert plain == chosen or plain.status == "ambiguous"


class Counting:
    """Stands in for what opens the mention dictionary, and counts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened = 0
        monkeypatch.setattr("features.senses.candidates.MentionDictionary", self)

    def __call__(self, *arguments: Any) -> Any:
        self.opened += 1
        return MentionDictionary(*arguments)


def test_the_dictionary_is_opened_for_the_first_name_alone(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = Counting(monkeypatch)
    fresh = Scorer(scorer.snapshot, scorer.resolver, scorer.model)
    fresh.warm()
    fresh.score([(SNAKE, "Leopard"), ("zzz", 3)], explain=True)
    fresh.score([("Leopard", "Cat"), ("zzz", 3)], ambiguous="resolve")
    assert counting.opened == 0
    together = threading.Barrier(8)

    def first(_: int) -> Any:
        together.wait(PATIENCE)
        return fresh.score([(MentionReference("jaguar"), "Leopard")], ambiguous="resolve")

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(first, range(8)))
    assert counting.opened == 1
    assert all(result == results[0] for result in results)


def test_without_a_dictionary_a_mention_is_a_title(tmp_path: Path) -> None:
    scorer = toy_scorer(tmp_path)
    for mention, title in (("cat", "Cat"), ("Felis catus", "Cat"), ("musical KEYBOARD", "Musical keyboard")):
        (result,) = scorer.score([(MentionReference(mention, "a pet"), "Dog")])
        left = result.resolved.left
        assert (left.title, left.matched, left.prior) == (title, "mention", 1.0)
    for name in ("Mouse", MentionReference("mouse"), MentionReference("mouse", "now and then")):
        (reported,) = scorer.score([(name, "Computer")])
        assert reported.status == "ambiguous"
        assert set(reported.resolved.left.candidates) == {"House mouse", "Computer mouse"}
        (resolved,) = scorer.score([(name, "Computer")], ambiguous="resolve")
        assert resolved.resolved.left.title == "Computer mouse"
    # A context that names a concept speaks for the sense that is near it.
    (in_context,) = scorer.score([(MentionReference("mouse", "a pet"), "Computer")], ambiguous="resolve")
    assert in_context.resolved.left.title == "House mouse"
    for name in ("Mouse", MentionReference("mouse")):
        (resolved,) = scorer.score([(name, "Computer")], ambiguous="resolve")
        (other,) = resolved.resolved.left.alternatives
        # Two articles link to each.
        assert (resolved.resolved.left.prior, other.prior) == (0.5, 0.5)
