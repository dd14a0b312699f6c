"""The page ``/explore``: what it lists and draws, and how a person walks through it."""

from __future__ import annotations

import html
import io
import re
import shlex
from contextlib import redirect_stdout

import httpx
import pytest
from playwright.sync_api import Browser, expect

from app.pages.examples import OFFERED, example_concepts, example_pairs, most_linked
from app.pages.explore import DRAWN
from app.scoring.concepts import Scorer
from tests.support.browser import text_of, window
from tests.support.served import page_id, toy_scorer
from tests.wikis.toy import TITLES


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("scorer"))


def test_it_lists_what_the_interface_answers(address: str) -> None:
    found = httpx.get(f"{address}/v1/concepts/{page_id('Cat')}/related", params={"k": 20}).json()["related"]
    about = httpx.get(f"{address}/v1/concepts/{page_id('Cat')}").json()
    page = text_of(address, "/explore", concept="Cat")
    links = [
        (attributes["href"], attributes.get("aria-label")) for tag, attributes in page.tags if tag == "a"
    ]
    ranked = re.search(r"Most related (.*) Show 10 20 50", page.text)
    assert ranked
    assert ranked[1] == " ".join(f"{one['title']} {one['score']:.2f}" for one in found)
    for one in found:
        title, score = one["title"], f"{one['score']:.2f}"
        there = title.replace(" ", "%20")
        assert (f"./?left=Cat&right={there}", f"Compare Cat and {title}: {score}") in links
        assert (f"explore?concept={there}", f"{title}, {score}") in links
    degrees = about["degrees"]
    assert f"{degrees['in_links']} articles link to it, and it links to {degrees['out_links']}." in page.text
    assert "Also called Felis catus ." in page.text


def test_the_map_says_how_many_of_the_list_it_shows(address: str) -> None:
    # That for wide screens has room for all of them.
    told = re.findall(r"It shows the .*?\.", text_of(address, "/explore", concept="Cat").text)
    assert told == [f"It shows the {DRAWN[1][2]} most related of these {len(TITLES) - 1}."]
    assert "The nearer to the middle, the more related." in text_of(address, "/explore", concept="Cat").text
    assert "It shows" not in text_of(address, "/explore", concept="Cat", k="10").text


@pytest.mark.parametrize("within", [False, True])
def test_programs_are_told_how_to_ask_for_it(address: str, within: bool) -> None:
    asked = {"concept": "cat", "k": "3"}
    if within:
        about = httpx.get(f"{address}/v1/concepts/{page_id('Cat')}").json()
        asked["category"] = about["categories"][0]
    page = httpx.get(f"{address}/explore", params=asked).text
    told = [html.unescape(code) for code in re.findall(r"<code>(.*?)</code>", page, re.DOTALL)]
    (curl,) = (shlex.split(code) for code in told if code.startswith("curl"))
    answer = httpx.get(curl[1]).json()
    shown = re.findall(r'aria-label="Compare Cat and ([^:]+): ', page)
    assert [one["title"] for one in answer["related"]] == shown != []
    (json_link,) = re.findall(r'<a [^>]*href="([^"]*)">As JSON</a>', page)
    assert httpx.get(f"{address}/{html.unescape(json_link)}").json() == answer
    (python,) = (code for code in told if "import" in code)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(python, {})
    assert printed.getvalue().splitlines() == [f"{one['title']} {one['score']}" for one in answer["related"]]


def test_it_shows_as_many_as_are_asked_for(address: str) -> None:
    for k in (1, 3):
        items = [
            attributes
            for tag, attributes in text_of(address, "/explore", concept="Cat", k=str(k)).tags
            if tag == "a" and (attributes.get("aria-label") or "").startswith("Compare")
        ]
        assert len(items) == k
    assert (
        "In the address, “k”: 51 is too large; 50 is the most."
        in text_of(address, "/explore", 422, concept="Cat", k="51").text
    )


def test_categories_are_offered_however_few_concepts_are_shown(address: str) -> None:
    offered = [
        re.findall(
            r'explore\?concept=Cat&amp;category=([^&"]+)',
            httpx.get(f"{address}/explore", params={"concept": "Cat", "k": k}).text,
        )
        for k in (1, 2, 10)
    ]
    assert len(offered[-1]) > 2
    assert offered[0] == offered[1] == offered[2]


def test_a_category_filters_and_one_that_is_none_is_named(address: str) -> None:
    (category, *_) = httpx.get(f"{address}/v1/concepts/{page_id('Cat')}").json()["categories"]
    query = {"k": 20, "category": category}
    found = httpx.get(f"{address}/v1/concepts/{page_id('Cat')}/related", params=query).json()["related"]
    shown = text_of(address, "/explore", concept="Cat", category=category).text
    assert found
    listed = " ".join(one["title"] + " " + format(one["score"], ".2f") for one in found)
    assert f"Most related in {category} {listed}" in shown
    assert "In a category of it or of its neighbours" in shown
    assert shown == text_of(address, "/explore", concept="Cat", category=f"Category:{category}").text
    every = text_of(address, "/explore", concept="Cat").text
    without = text_of(address, "/explore", concept="Cat", category="Nothing at all").text
    said = "No category here has the title “ Nothing at all ”. This is what is related in any. "
    assert said in without
    assert without.replace(said, "") == every


@pytest.mark.parametrize(
    ("concept", "says"),
    [
        ("Mus", "“ Mus ” redirects to House mouse"),
        ("Catt", "There is no concept called “ Catt ” in this snapshot. Did you mean this? Cat"),
        ("Mouse", "“ Mouse ” may mean several things. Which one? House mouse Computer mouse"),
        ("[x]", "“[x]” cannot be the title of an article."),
        ("", "Or begin with one of these"),
        ("  ", "Name a concept to explore."),
        (str(page_id("Cat")), "There is no concept called"),
        (
            "https://fr.wikipedia.org/wiki/Cat",
            "is no address of an article of this snapshot. Ask with a title.",
        ),
    ],
)
def test_every_answer_has_its_words(address: str, concept: str, says: str) -> None:
    assert says in text_of(address, "/explore", concept=concept).text


def test_an_empty_page_offers_concepts_that_there_are(address: str, scorer: Scorer) -> None:
    offered = example_concepts(scorer)
    assert 2 <= len(offered) <= OFFERED
    assert set(offered) <= set(TITLES)
    sizes = {title: len(scorer.snapshot.csr("in_links").row(row)) for row, title in enumerate(TITLES)}
    assert [sizes[title] for title in most_linked(scorer.snapshot)] == sorted(sizes.values(), reverse=True)
    for left, right in example_pairs(scorer):
        assert scorer.score([(left, right)])[0].status == "ok"
    page = text_of(address, "/explore")
    for title in offered:
        assert ("a", f"explore?concept={title.replace(' ', '%20')}") in [
            (tag, attributes.get("href")) for tag, attributes in page.tags
        ]


def test_a_person_walks_by_keyboard(browser: Browser, address: str) -> None:
    with window(browser, address, "/explore?concept=Cat") as page:
        first = page.locator("svg.wide a.node").first
        name = str(first.get_attribute("aria-label")).rsplit(",", 1)[0]
        first.focus()
        expect(page.locator("svg.wide")).to_have_class(re.compile("asked"))
        lit = page.locator("svg.wide path.lit")
        assert lit.count() > 0
        for line in lit.all():
            assert "1" in str(line.get_attribute("data-ends")).split()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text(name)
        expect(page.get_by_label("A concept", exact=True)).to_have_value(name)
        page.get_by_label("A concept", exact=True).fill("pia")
        page.get_by_role("option", name="Piano").click()
        page.get_by_role("button", name="Explore").click()
        expect(page).to_have_title("Piano and what is related · wort")
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_a_person_filters_and_goes_on_to_compare(browser: Browser, address: str) -> None:
    with window(browser, address, "/explore?concept=Cat") as page:
        chips = page.get_by_role("navigation", name="Categories").get_by_role("link")
        expect(chips.first).to_have_attribute("aria-current", "true")
        before = page.locator(".ranked li").count()
        chips.nth(1).click()
        expect(chips.nth(1)).to_have_attribute("aria-current", "true")
        assert 0 < page.locator(".ranked li").count() < before
        page.get_by_role("link", name=re.compile("^Compare Cat and")).first.click()
        expect(page.get_by_role("heading", name=re.compile("^Cat and"))).to_be_visible()


def test_a_telephone_has_a_drawing_of_its_own(browser: Browser, address: str) -> None:
    viewport = {"width": 360, "height": 700}
    with window(browser, address, "/explore?concept=Cat", viewport=viewport) as page:
        expect(page.locator("svg.tall")).to_be_visible()
        expect(page.locator("svg.wide")).to_be_hidden()
        for node in page.locator("svg.tall .node").all():
            box = node.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360
            assert box["height"] >= 24


def test_it_works_without_scripts(browser: Browser, address: str) -> None:
    with window(browser, address, "/explore", java_script_enabled=False) as page:
        page.get_by_label("A concept", exact=True).fill("Dog")
        page.get_by_role("button", name="Explore").click()
        page.locator("svg.wide a.node").first.click()
        expect(page.get_by_role("heading", level=1)).not_to_contain_text("Dog")


def test_a_category_that_holds_nothing_else_leads_back_to_all(address: str) -> None:
    page = text_of(address, "/explore", concept="House mouse", category="Rodents", k="10")
    assert "There is nothing else in a category Rodents ." in page.text
    assert "see what is related to it in any ." in page.text.replace("See", "see")
    links = [tags["href"] for tag, tags in page.tags if tag == "a"]
    assert links.count("explore?concept=House%20mouse&k=10") == 2, "above, and where it is said"
