"""The pages of texts, terms and heat maps: what they say without a browser, and what a person does in one."""

from __future__ import annotations

import shlex
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect

from app.errors import UnusableModel
from app.pages.forms import LONGEST_LINK, Form, link
from app.pages.matrix import MOST, around, entered_names
from app.pages.text import EXAMPLE, chosen_senses, least_rho
from app.scoring.concepts import Scorer
from app.scoring.terms import TermScorer
from app.service import create_app
from app.settings import Settings
from tests.app.pages.test_page_access import check
from tests.support.browser import Text, loose_percentages, text_of, window
from tests.support.served import serving, toy_app, toy_model
from tests.wikis.sense_wiki import build_senses

HOSTILE = "<script>alert(1)</script> \"'><img src=x onerror=alert(1)> {{ 1234*5678 }} Jaguar"
PAGES = {
    "/text": {"text": "The jaguar hunts in the Forest."},
    "/texts": {"left": "The jaguar hunts.", "right": "An engine and a jaguar"},
    "/terms": {"left": "jaguar", "right": "forest", "context": "animals"},
    "/matrix": {"concepts": "Forest\nEngine\nJaguar (animal)\nJaguar (car)\nNothing of this name"},
}
"""Each page, asked for something."""


@pytest.fixture(scope="module")
def address(jaguars: str) -> str:
    return jaguars


@pytest.mark.parametrize("path", PAGES)
def test_its_json_is_what_its_curl_is_answered(address: str, path: str) -> None:
    page = httpx.get(f"{address}{path}", params=PAGES[path])
    blocks = [shlex.split(each.replace("\\\n", " ")) for each in code_of(page.text) if "curl" in each]
    ((_, url, _, header, _, body),) = blocks
    name, _, value = header.partition(": ")
    answered = httpx.post(url, content=body.encode(), headers={name: value})
    shown = httpx.get(f"{address}{path}", params=PAGES[path] | {"as": "json"})
    assert answered.status_code == shown.status_code == 200
    assert shown.headers["content-type"] == "application/json"
    assert shown.json() == answered.json()
    (python,) = (each for each in code_of(page.text) if "import" in each)
    compile(python, "page", "exec")


def code_of(html: str) -> list[str]:
    """The blocks of code of a page."""
    parts = html.split('tabindex="0"><code>')[1:]
    return ["".join(Raw(part.split("</code>")[0]).data) for part in parts]


class Raw(Text):
    """The text of a page with its blanks."""

    def __init__(self, html: str) -> None:
        self.data: list[str] = []
        super().__init__(html)

    def handle_data(self, data: str) -> None:
        self.data.append(data)


@pytest.mark.parametrize("path", PAGES)
def test_what_is_pasted_is_never_markup(address: str, path: str) -> None:
    page = text_of(address, path, 200, **dict.fromkeys(PAGES[path], HOSTILE))
    assert "alert(1)" in page.text
    assert "7006652" not in page.text
    assert not [tags for tag, tags in page.tags if tag == "img" or "onerror" in tags]
    assert all(tags.get("src") for tag, tags in page.tags if tag == "script")


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_shown_as_it_is(address: str, text: str) -> None:
    answer = httpx.get(f"{address}/text", params={"text": text.encode(errors="replace").decode()})
    assert answer.status_code == 200


@given(st.lists(st.tuples(st.sampled_from(["text", "sense"]), st.text(min_size=1, max_size=20)), max_size=5))
def test_a_link_holds_its_form(fields: list[tuple[str, str]]) -> None:
    fields = [(name, value.encode(errors="replace").decode()) for name, value in fields]
    made = link("text", *fields)
    assert made is not None
    assert parse_qsl(urlsplit(made).query) == fields
    assert link("text", ("text", "x" * LONGEST_LINK)) is None


@given(st.lists(st.text("abc ,", max_size=6), max_size=8))
def test_each_name_of_a_heat_map_stands_once_and_can_be_replaced(lines: list[str]) -> None:
    names = list(dict.fromkeys(entered_names(Form((("concepts", "\n".join(lines)),)))))
    assert names == list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    for place, name in enumerate(names):
        before, after = around(names, place)
        assert (before + name + after).split("\n") == names


def test_choices_of_senses() -> None:
    form = Form((("sense", "Jaguar|Cat"), ("sense", "JAGUAR|Car"), ("sense", "x|"), ("sense", "|y")))
    assert chosen_senses(form) == {"jaguar": "Car"}
    assert chosen_senses(Form((("sense", "a|b|C"), ("sense", "a|b|")))) == {}


def test_a_posted_text_is_shown_by_its_address_unless_it_is_long(address: str) -> None:
    answer = httpx.post(f"{address}/text", data={"text": "A jaguar\r\nhunts."})
    assert (answer.status_code, answer.headers["location"]) == (303, "text?text=A%20jaguar%0Ahunts.")
    assert httpx.post(f"{address}/text", data={"text": "A jaguar", "as": "json"}).json()["annotations"]
    assert httpx.post(f"{address}/text", json={"text": "A jaguar"}).status_code == 415


def test_what_is_too_long_is_said_beside_the_field(address: str) -> None:
    for path, name in (("/text", "text"), ("/texts", "left"), ("/texts", "right")):
        page = text_of(address, path, 413, **{name: "x" * 501})
        assert "A text has 501 characters and may have 500." in page.text
        (field,) = (tags for tag, tags in page.tags if tag == "textarea" and tags["name"] == name)
        assert (field["aria-invalid"], field["aria-describedby"]) == ("true", f"{name}-trouble")
    many = "\n".join(map(str, range(MOST + 1)))
    assert f"these are {MOST + 1}. Leave some out" in text_of(address, "/matrix", 413, concepts=many).text
    posted = httpx.post(f"{address}/text", data={"text": "x " * 2500})
    assert posted.status_code == 413
    assert httpx.get(f"{address}/text", params=[("a", "b")] * 101).status_code == 422


def test_long_texts_have_no_link(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("long")
    snapshot = build_senses(folder)
    scorer = Scorer.open(snapshot.folder, toy_model(folder / "model.json", snapshot.id))
    with serving(create_app(Settings(), scorer)) as address:
        page = httpx.post(f"{address}/text", data={"text": "A jaguar hunts. " * 400})
        assert page.status_code == 200
        assert "too long for an address" in page.text
        assert "Link to this answer" not in page.text


def test_without_a_dictionary_it_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(toy_app(tmp_path_factory.mktemp("bare"))) as address:
        assert "Texts cannot be annotated here" in text_of(address, "/text", 503, text="A cat").text
        assert "Texts cannot be annotated here" in text_of(address, "/texts", 503, left="A", right="B").text


@pytest.mark.parametrize("query", [{}, PAGES["/terms"]])
def test_the_foot_names_the_model_that_scores_terms(address: str, query: dict[str, str]) -> None:
    answered = httpx.get(f"{address}/v1/models").json()["served"]
    foot = httpx.get(f"{address}/terms", params=query).text.partition('class="frame-foot"')[2]
    assert f"Model of terms {answered['terms']['name']}" in foot
    assert f'of concepts <a href="releases">{answered["model"]["name"]}</a>.' in foot
    for path in ("/text", "/matrix", "/"):
        foot = httpx.get(f"{address}{path}").text.partition('class="frame-foot"')[2]
        assert f'Model <a href="releases">{answered["model"]["name"]}</a>.' in foot


def test_terms_are_not_said_to_be_any_words(address: str) -> None:
    """Of words that stand in no text nothing may be known, and then they have no score."""
    shown = text_of(address, "/terms").text
    assert "Any words" not in shown
    assert "above all those that stand in the snapshot’s texts" in shown


def test_what_is_no_concept_may_be_compared_as_terms(address: str) -> None:
    page = text_of(address, "/", 200, left="jaguar hunting", right="car & forest")
    links = [tags["href"] for tag, tags in page.tags if tag == "a"]
    assert "terms?left=jaguar%20hunting&right=car%20%26%20forest" in links
    assert "Compare them as terms : by their words, whether or not a concept is called so." in page.text


@pytest.mark.parametrize("left", ["Qqqq", "x" * 256, "https://en.wikipedia.org/wiki/Xx", "!!!"])
def test_what_nothing_is_known_of_is_not_offered_as_terms(address: str, left: str) -> None:
    """A word that stands in no text has no evidence as a term, either."""
    for query in ({"left": left, "right": "jaguar hunting"}, {"left": "Forest", "right": left}):
        assert "as terms" not in text_of(address, "/", 200, **query).text


def test_without_what_scores_terms_they_are_not_offered(tmp_path: Path) -> None:
    app = toy_app(tmp_path)
    with serving(app) as bare:
        assert "Compare them as terms" in text_of(bare, "/", 200, left="cat dog", right="Dog").text

        def broken(name: str | None = None) -> TermScorer:
            raise UnusableModel("it is broken")

        app.state.source.current.terms = broken
        assert "as terms" not in text_of(bare, "/", 200, left="cat dog", right="Dog").text


def test_long_words_stay_within_the_page(browser: Browser, address: str) -> None:
    long = "x" * 240
    for path in (
        f"/?left={long}&right=Dog",
        f"/explore?concept={long}",
        f"/terms?left=jaguar%20{long}&right=forest",
    ):
        with window(browser, address, path, viewport={"width": 390, "height": 800}) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
            said = page.locator(".sheet").first.inner_text()
            assert "x" * 79 + "…" in said
            assert "x" * 80 not in said


def test_terms_are_swapped_and_keep_their_context(address: str) -> None:
    page = text_of(address, "/terms", left="jaguar", right="forest", context="a river")
    (to,) = (link["href"] for tag, link in page.tags if tag == "a" and link.get("class") == "swap")
    assert to == "terms?left=forest&right=jaguar&context=a%20river"
    empty = text_of(address, "/terms")
    assert not any(tag == "a" and link.get("class") == "swap" for tag, link in empty.tags)


def test_a_term_may_name_a_concept_or_contain_one(address: str) -> None:
    page = text_of(address, "/terms", 200, left="jaguar hunting", right="forest")
    assert "“ jaguar hunting ” as a whole names no concept here, but contains Jaguar" in page.text
    assert "its words may also mean Jaguar" in page.text
    assert "“ forest ” is taken for Forest" in page.text
    for known in ("jaguar", "Jaguar (animal)"):
        page = text_of(address, "/terms", 200, left=known, right="forest")
        assert f"“ {known} ” is taken for Jaguar" in page.text


@pytest.mark.parametrize(
    ("left", "context", "idle"),
    [
        ("river", "a forest", True),
        ("river", "", False),
        ("jaguar", "a forest", False),
        ("qqq wheel", "a", True),
    ],
)
def test_a_context_that_changes_nothing_is_told_of(address: str, left: str, context: str, idle: bool) -> None:
    page = text_of(address, "/terms", left=left, right="engine", context=context)
    assert ("The context changed nothing" in page.text) == idle


def test_what_terms_rest_on_has_headings_and_all_of_the_width(browser: Browser, address: str) -> None:
    with window(browser, address, "/terms?left=jaguar&right=motor%20engine%20oil") as page:
        assert "TR9856" not in page.locator("main").inner_text()
        expect(page.get_by_role("rowheader", name="more about their words")).to_be_visible()
        if not page.locator(".evidence").count():
            widths = [page.locator(of).evaluate("one => one.clientWidth") for of in (".adds", "#ask")]
            assert widths[0] == widths[1]


def test_what_the_words_of_a_term_may_also_mean_can_be_explored(address: str) -> None:
    page = text_of(address, "/terms", left="python machine", right="forest")
    assert "contains Python (snake) ; its words may also mean Python (language) ." in page.text
    links = [tags.get("href") for tag, tags in page.tags if tag == "a"]
    assert "explore?concept=Python%20%28language%29" in links


def test_terms_of_which_nothing_is_known(address: str) -> None:
    page = text_of(address, "/terms", left="qqqqq", right="x" * 900)
    assert "Nothing is known here of “ qqqqq ”" in page.text
    assert "and this one has 900" in page.text
    assert "none of its words stands in this snapshot" in page.text
    joining = text_of(address, "/terms", left="whereas", right="qqqqq").text
    assert "Nothing is known here of “ whereas ” alone: words like this join others" in joining
    assert joining.count("none of its words stands in this snapshot") == 1


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PAGES, "/text?", "/texts?", "/terms?", "/matrix?"])
def test_a_page_is_for_everybody(browser: Browser, address: str, path: str) -> None:
    asked = httpx.QueryParams(PAGES.get(path, {}))
    with window(browser, address, f"{path}?{asked}") as page:
        for closed in page.locator("details").all():
            closed.evaluate("one => one.open = true")
        check(page)


def test_a_sense_is_chosen_and_taken_back_without_scripts(browser: Browser, address: str) -> None:
    with window(browser, address, "/text", java_script_enabled=False) as page:
        page.get_by_role("textbox", name="A text").fill("The jaguar hunts in the forest.")
        page.get_by_role("button", name="Find its concepts").click()
        linked = page.locator(".read").get_by_role("link", name="jaguar")
        first = str(linked.get_attribute("title"))
        page.locator("summary", has_text="may mean something else").first.click()
        other = page.get_by_role("button", name="Jaguar").first
        other.click()
        second = str(linked.get_attribute("title"))
        assert {first, second} == {"Jaguar (animal)", "Jaguar (car)"}
        assert "sense=" in page.url
        page.get_by_role("button", name="Take back").click()
        expect(linked).to_have_attribute("title", first)


def test_the_concepts_of_a_long_text_are_one_click_away(browser: Browser, address: str) -> None:
    text = "The jaguar hunts in the forest. " + "And then it rests. " * 20
    with window(browser, address, f"/text?text={text}", viewport={"width": 390, "height": 400}) as page:
        expect(page.get_by_role("heading", name="Its concepts")).not_to_be_in_viewport()
        page.get_by_role("link", name="as a list").click()
        expect(page.get_by_role("heading", name="Its concepts")).to_be_in_viewport()


def test_the_scale_of_texts_is_not_one_of_people(address: str) -> None:
    shown = text_of(address, "/texts", 200, **PAGES["/texts"])
    assert "unrelated 0 barely ¼ somewhat ½ related ¾ closely 1" in shown.text
    assert "nobody" not in shown.text
    (scale,) = [tags["aria-label"] for _, tags in shown.tags if tags.get("class") == "scale"]
    assert scale is not None
    assert "people" not in scale
    assert "nobody" not in scale
    assert (
        "nobody 0 few ¼ half ½ most ¾ everybody 1" in text_of(address, "/terms", 200, **PAGES["/terms"]).text
    )


@pytest.mark.parametrize("path", PAGES)
def test_no_percentage_is_parted_from_its_sign(address: str, path: str) -> None:
    shown = httpx.get(f"{address}{path}", params=PAGES[path]).text
    assert loose_percentages(shown) == []


def test_texts_without_concepts_are_not_said_to_have_heavy_ones(address: str) -> None:
    assert "See one or the other" in text_of(address, "/texts", 200, **PAGES["/texts"]).text
    neither = text_of(address, "/texts", 200, left="qqqqq", right="xxxxx")
    assert "No concept of this snapshot was found in it." in neither.text
    assert "heaviest" not in neither.text
    for known, unknown in (("left", "right"), ("right", "left")):
        one = text_of(address, "/texts", 200, **{known: "The jaguar hunts.", unknown: "qqqqq"})
        assert "heaviest concepts of a text count. See the text with its concepts linked ." in one.text
        links = [tags["href"] for tag, tags in one.tags if tag == "a"]
        assert [link for link in links if link and link.startswith("text?")] == [
            "text?text=The%20jaguar%20hunts."
        ]


def test_the_least_rho_is_read_from_the_address(address: str) -> None:
    assert [least_rho(written) for written in ("0", "0.5", "1", "2", "-1", "nan", "x", "")] == (
        [0, 0.5, 1, *[None] * 5]
    )
    text = "The jaguar hunts in the Forest."
    sure = text_of(address, "/text", 200, text=text, min_rho="1").text
    assert "Concepts were found, but none surely enough (ρ): " in sure
    assert "No concept of this snapshot" not in sure
    every = text_of(address, "/text", 200, text=text, min_rho="0").text
    assert "Its concepts" in every


def test_texts_are_compared_in_a_browser(browser: Browser, address: str) -> None:
    with window(browser, address, "/texts", java_script_enabled=False) as page:
        page.get_by_role("textbox", name="One text").fill("The jaguar hunts in the forest.")
        page.get_by_role("textbox", name="Another text").fill("A forest.")
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", name="Concepts of one text")).to_be_visible()
        page.get_by_role("link", name="Link to this answer").click()
        expect(page.locator(".score")).to_be_visible()


def test_an_example_of_each_page_is_one_click_away(browser: Browser, address: str) -> None:
    for path in ("/terms", "/matrix"):
        with window(browser, address, path) as page:
            page.locator(".begin a").first.click()
            expect(page.get_by_role("heading", name="Take it with you")).to_be_visible()
    assert len(EXAMPLE) < LONGEST_LINK


def test_right_to_left_text_keeps_its_direction(browser: Browser, address: str) -> None:
    with window(browser, address, "/text?text=القط%20Jaguar") as page:
        assert page.locator("textarea").evaluate("one => getComputedStyle(one).direction") == "rtl"


def test_tabs_of_the_browser_tell_answers_apart(address: str) -> None:
    for path, asked, title in (
        ("/text", {"text": "A jaguar\n hunts."}, "A jaguar hunts. · The concepts of a text · wort"),
        ("/text", {"text": "a b c d e f g h i j"}, "a b c d e f g h… · The concepts of a text · wort"),
        ("/text", {}, "The concepts of a text · wort"),
        ("/matrix", {"concepts": "Forest\nEngine"}, "Forest, Engine · A heat map · wort"),
        ("/matrix", {}, "A heat map · wort"),
    ):
        html = httpx.get(f"{address}{path}", params=asked).text
        assert html.partition("<title>")[2].partition("</title>")[0] == title
    page = httpx.get(f"{address}/matrix", params=PAGES["/matrix"]).text
    assert ", … · A heat map · wort</title>" in page


def test_a_model_that_texts_do_not_ask_is_said_not_to_be_asked(address: str) -> None:
    said, asked = "A text has the same concepts whatever the model. The model", PAGES["/text"]
    for fields, told in ((asked, False), (asked | {"model": "wort"}, True), ({"model": "wort"}, True)):
        assert (said in httpx.get(f"{address}/text", params=fields).text) is told
