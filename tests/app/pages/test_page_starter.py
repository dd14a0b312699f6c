"""Pages over what comes with wort, whose models read texts by an encoder and give intervals."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from urllib.parse import quote

import httpx
import pytest

from app.pages.text import EXAMPLE
from app.scoring.concepts import Scorer
from app.scoring.mixed_links import Mixed, mixed_links
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.app.pages.test_page_texts import code_of
from tests.support.browser import chromium, faults, text_of, window
from tests.support.served import serving
from wort.schemas.relatedness import PairResult

CONCEPTS = "What the articles of the two concepts share."
"""What stands above the evidence of two concepts that terms were taken for."""


@pytest.fixture(scope="module")
def starter() -> Iterator[str]:
    """The address of a server as it is started without any settings."""
    with serving(create_app(Settings(), open_scorer(None, None))) as address:
        yield address


@pytest.mark.parametrize(
    ("left", "right", "answered"),
    [
        ("blockchain", "Beer", True),
        ("Beer", "blockchain", True),
        ("blockchain", "beer brewing", True),
        # Letters beside letters have no answer, nor has what has no word.
        ("blockchain", "qqqq", False),
        ("!!!", "Beer", False),
        ("x" * 256, "Beer", False),
    ],
)
def test_comparing_as_terms_is_offered_where_that_answers(
    starter: str, left: str, right: str, answered: bool
) -> None:
    body = {"pairs": [{"left": left, "right": right}]}
    (result,) = httpx.post(f"{starter}/v1/terms/relatedness", json=body).json()["results"]
    assert (result["score"] is not None) == answered
    assert ("Compare them as terms" in text_of(starter, left=left, right=right).text) == answered


@pytest.mark.parametrize("of", ["concepts", "terms"])
def test_every_model_that_is_offered_is_told_of(starter: str, of: str) -> None:
    for offered in httpx.get(f"{starter}/v1/models").json()["served"]["models"]:
        if offered["of"] != of:
            continue
        named = {"model": offered["name"], "of": of}
        page, name = text_of(starter, "/releases", **named), offered["model"]["name"]
        others = "comes with wort, and the server answers by another where none is named"
        assert (others in page.text) == (not offered.get("default"))
        assert f"{offered['metrics']['pearson']:.3f}" in page.text
        links = [tags["href"] for tag, tags in page.tags if tag == "a"]
        kept = "" if of == "concepts" else "&of=terms"
        assert f"threshold?model={offered['name']}{kept}" in links
        assert f"releases?model={offered['name']}{kept}" in links
        thresholds = text_of(starter, "/threshold", **named)
        assert f"Model {name} " in thresholds.text
        assert "The fewest errors" in thresholds.text
        sent = [tags for tag, tags in thresholds.tags if tag == "input" and tags.get("type") == "hidden"]
        assert {(one["name"], one["value"]) for one in sent} == {
            ("model", offered["name"]),
            *([("of", "terms")] if of == "terms" else []),
        }
    assert (
        "There are wort-plus, wort, regression" in text_of(starter, "/threshold", 404, model="x", of=of).text
    )
    assert "terms-plus-starter" in text_of(starter, "/threshold", of="terms").text
    assert httpx.get(f"{starter}/threshold", params={"of": "words"}).status_code == 422


def test_a_score_of_texts_is_called_what_it_is(starter: str) -> None:
    texts = {"left": "Leopards are cats.", "right": "The engine of a car is hot."}
    shown = text_of(starter, "/texts", 200, **texts).text
    assert " On average, their concepts are unrelated " in shown
    assert "no share of people who would call the texts related" in shown
    assert "Concepts are scored by the model in force, wort-" in shown
    same = text_of(starter, "/texts", left=texts["left"], right=texts["left"]).text
    assert "On average" not in same
    assert "Both texts speak of the same concepts" in same
    refused = httpx.get(f"{starter}/text", params={"text": "Leopards", "model": "wort", "as": "json"})
    assert "/v1/documents/relatedness take it." in refused.json()["detail"]


def test_texts_are_compared_by_the_model_that_the_address_names(starter: str) -> None:
    texts = {"left": "Leopards are cats.", "right": "The engine of a car is hot."}
    page = text_of(starter, "/texts", 200, **texts, model="wort")
    assert "Answered by the model wort , which the address names." in page.text
    assert "Concepts are scored by the model wort-starter. " in page.text
    assert "model=&#39;wort&#39;)" in httpx.get(f"{starter}/texts", params=texts | {"model": "wort"}).text
    links = [tags["href"] or "" for tag, tags in page.tags if tag == "a"]
    assert any(each.startswith("./?left=Leopard&") and each.endswith("&model=wort") for each in links)
    assert {"name": "model", "value": "wort", "type": "hidden"} in [dict(tags) for _, tags in page.tags]
    own, other = (
        httpx.get(f"{starter}/texts", params=texts | named | {"as": "json"}).json()["score"]
        for named in ({}, {"model": "wort"})
    )
    assert own != other
    assert "none" in text_of(starter, "/texts", 404, **texts, model="none").text


def test_a_pair_leads_to_the_thresholds_of_the_model_that_scored_it(starter: str) -> None:
    page = text_of(starter, left="Atheism", right="Religion", model="wort")
    assert "threshold?model=wort" in [tags["href"] for tag, tags in page.tags if tag == "a"]


def test_of_terms_the_evidence_is_shown_that_the_score_rests_on(starter: str) -> None:
    page = text_of(starter, "/terms", left="laptop", right="screen time")
    assert (
        "The score rests on words and the encoder. What Laptop and Time share adds nothing to it."
        in page.text
    )
    assert CONCEPTS not in page.text
    assert "./?left=Laptop&right=Time" in [tags["href"] for tag, tags in page.tags if tag == "a"]
    named = text_of(starter, "/terms", left="school uniforms", right="education").text
    assert "The score rests on concepts." in named
    assert CONCEPTS in named
    alone = text_of(starter, "/terms", left="blockchain", right="beer").text
    assert "The score rests on the encoder." in alone
    assert "adds nothing to it" not in alone
    nothing = text_of(starter, "/terms", left="remote work", right="loneliness").text
    assert "Nothing that is known of them here adds to the score: it is where every pair begins." in nothing


ASKED = {
    "/": {"left": "Dog", "right": "Cat"},
    "/explore": {"concept": "Dog"},
    "/terms": {"left": "violent video games", "right": "aggression"},
    "/matrix": {"concepts": "Dog\nCat"},
}
"""Pages that take a model, each asked for something."""


@pytest.mark.parametrize("path", ASKED)
def test_a_model_in_the_address_answers_and_is_named(starter: str, path: str) -> None:
    query = ASKED[path] | {"model": "wort"}
    page = text_of(starter, path, 200, **query)
    assert "Answered by the model wort , which the address names." in page.text
    assert "wort-starter" in page.text
    assert "wort-plus-starter" not in page.text
    # It is kept by the form, and by what the page leads to.
    assert ("input", {"type": "hidden", "name": "model", "value": "wort"}) in page.tags
    assert any("&model=wort" in str(tags.get("href")) for tag, tags in page.tags if tag == "a")
    assert ("model='wort'" in page.text) and ('"model": "wort"' in page.text or "&model=wort" in page.text)
    plain = text_of(starter, path, 200, **ASKED[path]).text
    assert "Answered by the model" not in plain
    by_wort, by_plus = (
        httpx.get(f"{starter}{path}", params=asked | {"as": "json"}).text for asked in (query, ASKED[path])
    )
    assert by_wort != by_plus


def test_python_prints_every_concept_of_a_text(starter: str) -> None:
    page = httpx.get(f"{starter}/text", params={"text": EXAMPLE}).text
    (python,) = (code for code in code_of(page) if "import" in code)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(python, {})
    found = httpx.post(f"{starter}/v1/annotate", json={"text": EXAMPLE}).json()["annotations"]
    assert len(found) > 3
    assert printed.getvalue().splitlines() == [
        f"{one['mention']} {one['title']} {one['rho']}" for one in found
    ]


@pytest.mark.parametrize("path", ASKED)
def test_an_unknown_model_is_told_as_the_interface_tells_it(starter: str, path: str) -> None:
    body = {"pairs": [{"left": "Dog", "right": "Cat"}], "model": "nosuch"}
    of_terms = "terms/" if path == "/terms" else ""
    told = httpx.post(f"{starter}/v1/{of_terms}relatedness", json=body).json()
    for asked in (ASKED[path], {}):
        page = text_of(starter, path, 404, **asked, model="nosuch")
        assert " ".join(told["detail"].replace("`", " ").split()) in page.text
        assert told["title"] in page.text
    answered = httpx.get(f"{starter}{path}", params=ASKED[path] | {"model": "nosuch", "as": "json"})
    assert answered.status_code == 404
    assert answered.json()["type"] == told["type"]


def test_a_heat_map_says_of_which_name_there_is_another_concept(starter: str) -> None:
    asked = "wine\nBeer\nAtheism"
    page = text_of(starter, "/matrix", concepts=asked)
    assert "“ wine ” is taken for Wine ; there is Wine (bishop) , too." in page.text
    assert "of the names were understood" not in page.text
    many = text_of(starter, "/matrix", concepts=f"{asked}\nUSA\nUK\nWW2")
    assert "How 4 of the names were understood “ USA ”" in many.text
    assert "there is Wine (bishop) , too." in many.text
    assert [tag for tag, _ in many.tags].count("details") == 3, "curl, Python, and what is folded"


def test_a_score_of_namesakes_is_doubted(starter: str) -> None:
    doubt = "Both titles have the word “moon”, and hardly any other telling word is in both articles."
    assert doubt in text_of(starter, left="Moon", right="Keith Moon").text
    assert "hardly any other" not in text_of(starter, left="Lung cancer", right="Cancer").text


def test_a_score_by_links_of_a_namesake_is_doubted(starter: str) -> None:
    doubt = "Articles that mention Apple beside Microsoft may mean Apple Inc., whose own article begins much"
    assert doubt in text_of(starter, left="Apple", right="Microsoft").text
    assert doubt in text_of(starter, "/terms", left="apple", right="microsoft").text
    assert "may mean" not in text_of(starter, "/terms", left="apple", right="fruit").text
    near = text_of(starter, "/explore", concept="Apple", k="50").text
    assert "† Articles that mention Apple beside it may mean Apple Inc. instead." in near
    assert "0.77 †" in near


def test_what_links_may_mean_is_looked_for_once(starter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[PairResult] = []

    def counting(scorer: Scorer, result: PairResult) -> list[Mixed]:
        asked.append(result)
        return mixed_links(scorer, result)

    for module in ("app.pages.compare", "app.scoring.doubts"):
        monkeypatch.setattr(f"{module}.mixed_links", counting)
    page = text_of(starter, left="Apple", right="Microsoft").text
    assert "There is Apple Inc. , too." in page
    assert "may mean Apple Inc., whose own" in page
    assert len(asked) == 1


def test_what_links_may_mean_can_be_compared_instead(starter: str) -> None:
    for left, right in (("Window", "Operating system"), ("Operating system", "Window")):
        page = text_of(starter, left=left, right=right)
        assert "There is Microsoft Windows , too." in page.text
        asked = [tags["href"] or "" for tag, tags in page.tags if tag == "a"]
        other = [each for each in asked if "Microsoft" in each and "left=" in each and "explore" not in each]
        assert other and all(("left=Operating" in each) == (left != "Window") for each in other), other
    assert "There is Microsoft Windows , too." in text_of(starter, "/explore", concept="Window").text
    assert text_of(starter, left="Apple", right="Microsoft").text.count("There is Apple Inc.") == 1


def test_short_texts_without_concepts_lead_to_terms(starter: str) -> None:
    left, right = "The dog chased the cat.", "A puppy ran after a kitten."
    page = text_of(starter, "/texts", left=left, right=right)
    (there,) = (
        tags["href"] for tag, tags in page.tags if tag == "a" and "terms?left" in (tags["href"] or "")
    )
    assert text_of(starter, f"/{there}").text.count("0.85")
    said = httpx.get(f"{starter}/texts", params={"left": left, "right": right, "as": "json"}).json()
    assert said["note"].endswith("can be compared as terms: `POST /v1/terms/relatedness` does.")
    long = text_of(starter, "/texts", left=left, right="A puppy ran after a kitten. " * 10)
    assert "Compare them as terms" not in long.text


def test_neighbours_that_may_be_mere_namesakes_have_a_star(starter: str) -> None:
    page = httpx.get(f"{starter}/explore", params={"concept": "Horse", "k": "50"}).text
    assert page.count('class="doubted"') == page.count(", which may be too high") > 1
    said = text_of(starter, "/explore", concept="Horse", k="50").text
    assert "* Its title has a word of Horse, and hardly any other telling word is in both articles." in said
    assert "telling word" not in text_of(starter, "/explore", concept="Physics").text


TITLES = """
Cat Dog Piano Violin Physics Chemistry Biology Evolution Atheism Religion Christianity Islam Buddhism
Tennis Chess Poker Bread Cheese Wine Beer London Paris Berlin Jazz Opera
""".strip().replace(" ", "\n")


def test_a_map_of_25_concepts_fits_a_window_of_1280_pixels(starter: str) -> None:
    asked = f"/matrix?concepts={quote(TITLES)}"
    with (
        chromium() as browser,
        window(browser, starter, asked, viewport={"width": 1280, "height": 900}) as page,
    ):
        region = page.get_by_role("region", name="Heat map", exact=True)
        assert region.locator("tbody tr").count() == 25
        assert region.evaluate("one => one.scrollWidth <= one.clientWidth")
        assert not faults(page)
        # Where it does not, it scrolls in its frame, and the names stay beside the scores.
        page.set_viewport_size({"width": 390, "height": 500})
        assert region.evaluate(
            "one => one.scrollWidth > one.clientWidth && one.scrollHeight > one.clientHeight"
        )
        region.evaluate("one => one.scrollTo(300, 200)")
        frame, row, column = (
            one.bounding_box()
            for one in (
                region,
                region.get_by_role("rowheader").nth(20),
                region.get_by_role("columnheader").nth(20),
            )
        )
        assert frame is not None
        assert row is not None
        assert column is not None
        assert (row["x"], column["y"]) == pytest.approx((frame["x"], frame["y"]), abs=3)


def test_what_the_snapshot_lacks_is_said_in_a_line(starter: str) -> None:
    pages = (
        text_of(starter),
        text_of(starter, left="Qxzq", right="Dog"),
        text_of(starter, "/text", text="Qxzq."),
    )
    for page in pages:
        size, rest = page.text.split("28,250 concepts and no others. ")[:2]
        assert size.endswith("This snapshot is a starter: it has ")
        assert rest.startswith("It was made from English Wikipedia (May 2015)")
        assert "wort build" in rest
        (fold,) = [tags for tag, tags in page.tags if tag == "details" and tags.get("class") == "besides"]
        assert "open" not in fold


def test_a_term_in_capitals_may_abbreviate_something_else(starter: str) -> None:
    page = text_of(starter, "/terms", left="ISIS", right="Syria")
    assert "“ ISIS ” is taken for Isis ; it may also mean Islamic State of Iraq and the Levant" in page.text


def test_what_an_excerpt_does_not_keep_is_no_none_of_the_articles(starter: str) -> None:
    said = text_of(starter, left="Jazz", right="Volcano").text
    assert "None of the 150 heaviest concepts that this excerpt keeps of each article." in said
    assert "None of the 30 heaviest words that this excerpt keeps of each article." in said
    assert "PMI not kept, of fewer than 15 sentences, cosine" in said
    assert "PMI 0.00" not in said
