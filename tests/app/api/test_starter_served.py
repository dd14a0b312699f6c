"""What the package carries answers what its own pages and documents ask of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import wort
from app.api import concepts, examples, terms
from app.pages.examples import PAIRS, example_pairs
from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.starter import open_scorer, snapshot_path
from app.settings import Settings
from tests.conftest import ROOT
from tests.support.served import serving


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    return open_scorer(None, None, strict=True)


@pytest.fixture(scope="module")
def http(scorer: Scorer) -> Iterator[httpx.Client]:
    with (
        serving(create_app(Settings(), scorer)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def test_the_pairs_that_the_page_offers_can_be_scored(scorer: Scorer) -> None:
    assert example_pairs(scorer) == list(PAIRS)


def test_the_examples_of_the_interface_are_answered(http: httpx.Client) -> None:
    for example in terms.EXAMPLES.values():
        answer = http.post("/terms/relatedness", json=example["value"]).json()
        assert [result["status"] for result in answer["results"]] == ["ok"] * len(example["value"]["pairs"])
    for example in examples.EXAMPLES.values():
        for pair, result in zip(
            example["value"]["pairs"],
            http.post("/relatedness", json=example["value"]).json()["results"],
            strict=True,
        ):
            assert result["status"] == ("unknown" if pair["right"] == "No such concept" else "ok")


def test_who_asks_for_what_a_starter_lacks_is_told_that_it_is_one(http: httpx.Client) -> None:
    def note(left: str) -> str | None:
        asked = {"pairs": [{"left": left, "right": "Religion"}]}
        said: str | None = http.post("/relatedness", json=asked).json().get("note")
        return said

    assert note("Atheism") is None
    assert "This snapshot is a starter: it has 28,250 concepts" in (note("No such concept") or "")


def test_what_is_said_of_a_text_counts_also_where_a_concept_is_called_so(http: httpx.Client) -> None:
    said = ("belief in God without proof", "an American singer and actress, born in Mississippi")
    texts = [{"text": "faith"}, *({"text": "faith", "description": each} for each in said)]
    asked = {"pairs": [{"left": "Atheism", "right": text} for text in texts]}
    named, believed, sung = http.post("/relatedness", json=asked).json()["results"]
    assert named["used"] == ["concepts"]
    assert "encoder" in believed["used"]
    assert sung["score"] < believed["score"] - 0.1


def test_what_is_related_is_there_as_json(http: httpx.Client) -> None:
    asked: dict[str, str | int] = {"concept": "Jazz", "k": 10, "as": "json"}
    answer = http.get("/explore", params=asked)
    by_api = http.get("/concepts/related", params={"title": "Jazz", "k": 10}).json()
    assert answer.json()["related"] == by_api["related"]


def test_a_name_of_which_one_sense_alone_is_known_is_not_resolved(http: httpx.Client) -> None:
    asked = {"pairs": [{"left": "Doctor", "right": "Nurse"}], "ambiguous": "resolve"}
    (result,) = http.post("/relatedness", json=asked).json()["results"]
    assert (result["status"], result["score"]) == ("ambiguous", None)
    assert result["resolved"]["left"]["candidates"] == ["Doctor (Doctor Who)"]
    # More links with the name lead to the programming language, and more articles know the planet.
    asked = {"pairs": [{"left": "Mercury", "right": "Planet"}]}
    (reported,) = http.post("/v1/relatedness", json=asked).json()["results"]
    (chosen,) = http.post("/v1/relatedness", json={**asked, "ambiguous": "resolve"}).json()["results"]
    side = chosen["resolved"]["left"]
    priors = {one["title"]: one["prior"] for one in (side, *side["alternatives"])}
    titles = reported["resolved"]["left"]["candidates"]
    assert sorted(titles) == sorted(priors)
    assert titles[0] == "Mercury (planet)"
    assert max(priors, key=lambda title: priors[title]) == "Mercury (planet)"
    assert priors["Mercury (programming language)"] < 0.1
    assert result["resolved"]["left"]["suggestions"][0] == "Physician"
    page = http.get("/", params={"left": "Titanic", "right": "Ship"}).text
    assert "Or did you mean this?" in page
    assert re.search(r"left=RMS(\+|%20| )Titanic", page)


def test_the_papers_regression_can_be_asked_for(http: httpx.Client) -> None:
    asked = {"pairs": [{"left": "Atheism", "right": "Religion"}], "model": "regression"}
    answer = http.post("/relatedness", json=asked | {"explain": True}).json()
    assert answer["model"]["name"] == "wort-regression-starter"
    assert len(answer["results"][0]["explanation"]["contributions"]) == 16
    of_terms = http.post("/terms/relatedness", json=asked).json()
    assert (
        of_terms["terms_model" if "terms_model" in of_terms else "model"]["name"]
        == "terms-regression-starter"
    )


def test_an_explained_pair_says_what_is_doubtful(http: httpx.Client) -> None:
    pairs = {"pairs": [{"left": "Steve Jobs", "right": "Apple"}, {"left": "Cat", "right": "Dog"}]}
    doubtful, other = http.post("/relatedness", json=pairs | {"explain": True}).json()["results"]
    assert doubtful["notes"][0] == "There is Apple Inc., too."
    assert doubtful["notes"][1].endswith("Then this score is too high.")
    assert "notes" not in other
    assert "notes" not in http.post("/relatedness", json=pairs).json()["results"][0]
    shown = str(wort.open().explain("Steve Jobs", "Apple"))
    assert shown.splitlines()[1:3] == doubtful["notes"]


def test_the_page_of_a_name_that_several_have_says_whose_it_is_and_leads_to_the_others(
    http: httpx.Client,
) -> None:
    page = http.get("/explore", params={"concept": "football"}, headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "A guess:" in page.text
    assert 'href="explore?concept=Australian%20rules%20football"' in page.text


@pytest.mark.parametrize(
    ("name", "status", "title"),
    [
        ("horses", "ok", "Horse"),
        ("film", "ok", "Movie"),
        ("Mozart", "ok", "Wolfgang Amadeus Mozart"),
        ("noses", "unknown", "Noses"),  # not the plural of "NOS", nitrous oxide
        ("throats", "unknown", "Throats"),  # nor of "throat", as sweetbread is called
        ("tops", "ambiguous", "Tops"),  # not Top (BDSM)
        ("bath", "ambiguous", "Bath"),  # not Bath, Somerset
        ("class", "ambiguous", "Class"),  # not Class (set theory)
    ],
)
def test_words_are_not_taken_for_what_hardly_anybody_means(
    scorer: Scorer, name: str, status: str, title: str
) -> None:
    resolution = scorer.resolver.resolve(name)
    assert (resolution.status, resolution.title) == (status, title)


def test_pages_of_meanings_are_not_offered(scorer: Scorer) -> None:
    for name in ("Manhattan", "Bin Laden", "Perth", "Freud", "Cleopatra"):
        resolution = scorer.resolver.resolve(name)
        others = [scorer.snapshot.concept_titles[concept] for concept, _ in resolution.others or ()]
        offered = [*resolution.suggestions, *resolution.candidates, *others]
        assert offered or resolution.status == "ok"
        assert not any("(disambiguation)" in title for title in offered)


@pytest.mark.parametrize(
    ("typed", "title"),
    [("WHO", "World Health Organization"), ("US", "United States"), ("WW2", "World War II")],
)
def test_a_search_finds_what_a_comparison_takes_the_name_for(
    http: httpx.Client, typed: str, title: str
) -> None:
    pair = {"pairs": [{"left": typed, "right": "Science"}]}
    (result,) = http.post("/relatedness", json=pair).json()["results"]
    found = http.get("/concepts/search", params={"q": typed, "limit": 3}).json()["concepts"]
    assert result["resolved"]["left"]["title"] == found[0]["title"] == title
    assert len(found) <= 3


@pytest.mark.parametrize(
    ("asked", "other"),
    [("Cricket", "Cricket%20%28insect%29"), ("Apple", "Apple%20Inc."), ("New York", "New%20York%20City")],
)
def test_other_concepts_of_the_same_name_are_shown_beside_a_score(
    http: httpx.Client, asked: str, other: str
) -> None:
    page = http.get("/", params={"left": "Insect", "right": asked}, headers={"Accept": "text/html"}).text
    assert f'There is <a href="./?left=Insect&amp;right={other}"' in page
    explored = http.get("/explore", params={"concept": asked}, headers={"Accept": "text/html"}).text
    assert f'There is <a href="explore?concept={other}"' in explored


def test_a_heat_map_offers_one_namesake_of_each_that_it_does_not_show(http: httpx.Client) -> None:
    def told(names: str) -> list[str]:
        page = http.get("/matrix", params={"concepts": names}, headers={"Accept": "text/html"}).text
        return re.findall(r'[Tt]here is <a href="matrix\?concepts=([^"]*)"', page)

    assert told("Apple\nLiverpool\nMusic") == [
        "Apple%20Inc.%0ALiverpool%0AMusic",
        "Apple%0ALiverpool%20F.C.%0AMusic",
    ]
    assert told("Apple\nApple Inc.\nMusic") == []


def test_most_concepts_have_no_namesake(http: httpx.Client) -> None:
    page = http.get(
        "/", params={"left": "Atheism", "right": "Religion"}, headers={"Accept": "text/html"}
    ).text
    assert "</a>, too." not in page


def test_a_name_that_is_nearly_always_one_concept_is_no_guess(http: httpx.Client) -> None:
    page = http.get("/explore", params={"concept": "Lincoln"}, headers={"Accept": "text/html"}).text
    assert "is taken for another name of" in page
    assert 'href="explore?concept=Lincoln%2C%20Nebraska"' in page
    assert "A guess:" not in page


def test_a_name_of_several_is_not_said_to_mean_one_of_them_in_all_cases(http: httpx.Client) -> None:
    page = http.get("/explore", params={"concept": "Hitler"}, headers={"Accept": "text/html"}).text
    assert ", which it is in nearly all cases; others have it too:" in page
    page = http.get("/explore", params={"concept": "Lincoln"}, headers={"Accept": "text/html"}).text
    assert re.search(r", which it is in about \d\d\u00a0% of cases; others", page)


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("/", {"left": "Darwin", "right": "Evolution"}),
        ("/matrix", {"concepts": "Darwin\nEvolution"}),
        ("/explore", {"concept": "Darwin"}),
    ],
)
def test_what_is_guessed_is_said_once_and_leaves_no_empty_list(
    http: httpx.Client, page: str, asked: dict[str, str]
) -> None:
    answer = http.get(page, params=asked, headers={"Accept": "text/html"}).text
    assert answer.count("A guess:") == 1
    assert not re.search(r'<ul class="found">\s*</ul>', answer)


def test_a_heat_map_says_for_what_names_were_taken(http: httpx.Client) -> None:
    names = "football\nAtheism"
    page = http.get("/matrix", params={"concepts": names}, headers={"Accept": "text/html"}).text
    assert "A guess:" in page
    assert "concepts=Australian%20rules%20football%0AAtheism" in page


def test_the_answers_in_the_interface_are_the_answers(http: httpx.Client) -> None:
    for name, shown in examples.ANSWERS.items():
        answer = http.post("/relatedness", json=examples.EXAMPLES[name]["value"]).json()
        assert answer == about(shown["value"])
    (shown,) = concepts.RELATED.values()
    answer = http.get("/concepts/25414/related", params={"k": 2}).json()
    assert answer == about(shown["value"])


def about(value: Any) -> Any:
    """``value``, but for the last digits of its scores and percentiles."""
    if isinstance(value, dict):
        return {key: about(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [about(inner) for inner in value]
    return pytest.approx(value, rel=1e-3, abs=0.005) if isinstance(value, float) else value


def test_the_first_answer_in_the_readme_is_the_answer(http: httpx.Client) -> None:
    shown = (
        (ROOT / "README.md").read_text().partition("The second command answers:")[2].partition("\n\nNine")[0]
    )
    answer = http.post("/relatedness", json=examples.EXAMPLES["one"]["value"]).json()
    (result,) = answer["results"]
    told = {name: float(number) for name, number in re.findall(r'"(\w+)": ([\d.]+)', shown)}
    figures = {"score": result["score"], **result["interval"], **result["percentiles"]}
    assert told == about({"page_id": 25414.0, **figures})
    assert all(f'"{value}"' in shown for value in (*answer["model"].values(), answer["snapshot"]["id"]))


def test_the_answers_in_the_documents_are_the_answers(http: httpx.Client) -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    commands = re.findall(
        r"^curl http://127\.0\.0\.1:8000/v1(\S+) \\\n  -H .*\n  -d '(.*)'$", page, re.MULTILINE
    )
    # The first command of each address is the one whose whole answer is shown.
    first = dict(reversed(commands))
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    shown = [block for block in blocks if "results" in block]
    headers = {"Content-Type": "application/json"}
    for path, of_page in zip(("/relatedness", "/terms/relatedness"), shown[:2], strict=True):
        answer = http.post(path, content=first[path], headers=headers).json()
        (result,), (expected,) = answer["results"], of_page["results"]
        assert result.pop("score") == pytest.approx(expected.pop("score"), abs=0.005)
        # Those of concepts alone; a score that differs in its last digits may have another one.
        assert result.pop("percentiles", {}) == pytest.approx(expected.pop("percentiles", {}), abs=0.1)
        assert result == about(expected)
        assert answer["model"] == of_page["model"]
        assert answer["snapshot"] == of_page["snapshot"]
