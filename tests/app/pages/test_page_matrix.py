"""The page of the heat map: its scores, what it lacks, and how it looks in a browser."""

from __future__ import annotations

import csv
from functools import partial
from itertools import pairwise
from typing import Literal
from urllib.parse import unquote

import httpx
import pytest
from playwright.sync_api import Browser

from app.pages.lists import cells, parted, rejoined
from app.pages.matrix import LEVELS, LINES, are_titles, has_name, joined
from app.serving.starter import open_scorer
from tests.support.browser import faults, text_of, window
from tests.support.patience import until
from tests.wikis.sense_wiki import ARTICLES

CONCEPTS = "Forest\nEngine\nJaguar (animal)\nJaguar (car)\nNothing of this name"


@pytest.fixture(scope="module")
def address(jaguars: str) -> str:
    return jaguars


def test_the_heat_map_has_the_scores_of_the_interface(address: str) -> None:
    body = {"concepts": CONCEPTS.split("\n")}
    answered = httpx.post(f"{address}/v1/relatedness/matrix", json=body).json()
    scores = {
        (one, other): score
        for one, row in zip(body["concepts"], answered["scores"], strict=True)
        for other, score in zip(body["concepts"], row, strict=True)
        if score is not None
    }
    page = text_of(address, "/matrix", 200, concepts=CONCEPTS)
    assert "There is no concept called “ Nothing of this name ”" in page.text
    for one, other in (("Forest", "Engine"), ("Jaguar (animal)", "Jaguar (car)")):
        assert f"{scores[one, other]:.2f}" in page.text
    assert len([tag for tag, _ in page.tags if tag == "td"]) == 1 + 4 * 4


@pytest.mark.parametrize(
    ("concepts", "says"),
    [
        (
            "Forest, Engine\nForest",
            "Write one concept a line: a title may have commas in it, and so “ Forest, Engine ”",
        ),
        ("Forest, Qqqqq", "Only one of these 2 is known here"),
        ("Forest", "Name two concepts at least."),
        ("Forest\nQqqqq\nXxxxx", "Only one of these 3 is known here"),
        ("Qqqqq\nXxxxx", "None of these 2 is known here"),
        ("Forest\nforest", "All of these are names of one concept."),
        ("Forest\nForest", "All of these are names of one concept."),
        ("Qqqqq\nQqqqq", "Name two concepts at least."),
        ("Forest\nforest\nQqqqq", "Only one concept is known of these 3, and"),
    ],
)
def test_what_a_heat_map_lacks(address: str, concepts: str, says: str) -> None:
    shown = text_of(address, "/matrix", 200, concepts=concepts).text
    assert says in shown
    assert ("commas" in shown) == ("," in concepts)
    # A form leads to an address, which says the same.
    sent = httpx.post(f"{address}/matrix", data={"concepts": concepts})
    assert says in text_of(address, "/" + sent.headers["Location"], 200).text


def shown_rows(address: str, concepts: str) -> tuple[set[str], str]:
    """The heads of the rows of a heat map, and the words of the page."""
    page = text_of(address, "/matrix", 200, concepts=concepts)
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    return {
        unquote(link.partition("=")[2]) for link in links if link and link.startswith("explore?")
    }, page.text


@pytest.mark.parametrize(
    "concepts",
    [
        "- Forest\n- Engine",
        "* Forest\n• Engine",
        "1. Forest\n2) Engine",
        "(1) Forest\n(2) Engine",
        "[ ] Forest\n[x] Engine",
        "☐ Forest\n☑ Engine",
        "a) Forest\nb) Engine",
        "(A) Forest\n(B) Engine",
        "Forest / Engine",
        '["Forest", "Engine"]',
        '[\n  "Forest",\n  "Engine"\n]',
        "['Forest', 'Engine']",
        "[[Forest]]\n[[Engine]]",
        "* [[Forest|woods]]\n* [[Engine]]",
        "[[Forest]], [[Engine]]",
        "1.\tForest\n2.\tEngine",
        "1\tForest\n2\tEngine",
        "•\tForest\n\n•\tEngine",
        "Places:\n- Forest\nThings:\n- Engine",
        "Forest\n- Engine",
        "- [ ] Forest\n- [x] Engine",
        "| Forest |\n| Engine |",
        "| Forest | Engine |",
        "| One | Other |\n|:---|---:|\n| Forest | Engine |",
        "Forest\tEngine",
        "Forest\tEngine\t\n\tForest",
    ],
)
def test_a_pasted_list_loses_its_marks(address: str, concepts: str) -> None:
    heads, said = shown_rows(address, concepts)
    assert heads == {"Forest", "Engine"}
    assert "was read as" not in said
    assert "Forest\nEngine" in httpx.get(f"{address}/matrix", params={"concepts": concepts}).text


def test_one_line_with_commas_is_a_list_where_no_title_is_so(address: str) -> None:
    heads, said = shown_rows(address, "Forest, Engine, Leopard")
    assert heads == {"Forest", "Engine", "Leopard"}
    assert (
        "No concept is called “ Forest, Engine, Leopard ”: its commas were read as standing between" in said
    )
    asked = {"concepts": "Forest, Engine", "as": "json"}
    told = httpx.get(f"{address}/matrix", params=asked).json()["concepts"]
    assert [one["title"] for one in told] == ["Forest", "Engine"]
    many = ", ".join(f"Name {number}" for number in range(41))
    assert "40 concepts at most" in text_of(address, "/matrix", 413, concepts=many).text
    # A line of a list may be longer than any title.
    long = ", ".join(["Forest", "Engine", *(f"Name {number} " + 50 * "x" for number in range(30))])
    assert shown_rows(address, long)[0] == {"Forest", "Engine"}
    assert "at most 1,000 characters" in text_of(address, "/matrix", 422, concepts=1001 * "x").text


def test_the_last_two_of_a_list_may_have_and_between_them(address: str) -> None:
    for concepts in ("Forest, Engine and Leopard", "Forest, Engine, or Leopard", "Forest; Engine & Leopard"):
        heads, _ = shown_rows(address, concepts)
        assert heads == {"Forest", "Engine", "Leopard"}
    assert "its slashes were read as" in shown_rows(address, "Forest / Engine / Leopard")[1]
    starter = open_scorer(None, None)
    assert joined(starter, ["Dog", "Crime and Punishment"]) == ["Dog", "Crime and Punishment"]
    assert joined(starter, ["Dog", "Cat and Horse"]) == ["Dog", "Cat", "Horse"]
    assert joined(starter, []) == []


def test_lines_with_commas_are_lists_where_each_has_some_and_none_is_a_title(address: str) -> None:
    heads, said = shown_rows(address, "Forest, Engine\nLeopard, Forest")
    assert heads == {"Forest", "Engine", "Leopard"}
    assert "No concept is called as one of these lines is: their commas were read as standing between" in said
    assert shown_rows(address, "Forest,Engine\nLeopard,Forest")[0] == heads
    assert shown_rows(address, "Forest;Engine;Leopard")[0] == heads
    heads, said = shown_rows(address, "Forest, Engine\nLeopard\nEngine")
    assert heads == {"Leopard", "Engine"}
    assert "were read as" not in said
    starter = open_scorer(None, None)
    assert has_name(starter, ["Cat, Dog", "Washington, D.C."])
    assert not has_name(starter, ["Cat, Dog", "Horse, Cow", "x" * 1001])


def test_a_title_with_a_comma_stays_whole_in_a_list_with_commas() -> None:
    scorer = open_scorer(None, None)
    assert are_titles(scorer, ["Washington, D.C.", "D.C., White House"]) == [True, False]
    titled = partial(are_titles, scorer)
    assert rejoined(parted("Cat, Washington, D.C., White House"), titled) == [
        "Cat",
        "Washington, D.C.",
        "White House",
    ]
    assert rejoined(["Cat"], titled) == ["Cat"]
    assert rejoined([], titled) == []


def test_a_quoted_row_that_is_none_is_a_line() -> None:
    for line in ('"Cat","Dog', '"Cat', 'Cat","Dog"'):
        assert cells(line) == [line]
    assert cells('"Washington, D.C.", "Cat", ""') == ["Washington, D.C.", "Cat"]
    before = csv.field_size_limit(100)
    try:
        long = f'"{"x" * 200}","Dog"'
        assert cells(long) == [long]
    finally:
        csv.field_size_limit(before)


def test_semicolons_are_told_of_as_semicolons(address: str) -> None:
    heads, said = shown_rows(address, "Forest; Engine; Leopard")
    assert heads == {"Forest", "Engine", "Leopard"}
    assert "its semicolons were read as" in said
    assert "its semicolons were" in shown_rows(address, "Forest; Engine, Leopard; Leopard")[1]
    assert "a title may have semicolons in it" in shown_rows(address, "Forest; Engine\nForest")[1]
    assert "commas or semicolons" in shown_rows(address, "")[1]


LINES_SEEN = """(field) => {
  const style = getComputedStyle(field);
  return (field.clientHeight - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight);
}"""


def test_the_field_cuts_no_line_in_half(browser: Browser, address: str) -> None:
    for names in (5, 30):
        typed = "%0A".join(f"Name {number}" for number in range(names))
        with window(browser, address, f"/matrix?concepts={typed}") as page:
            field = page.locator("textarea")
            seen = field.evaluate(LINES_SEEN)
            assert 0 <= seen - min(names, LINES[1]) < 0.25


def test_no_word_at_the_head_of_a_row_is_broken_that_fits(browser: Browser, address: str) -> None:
    # A head of one word a line has as many lines as words, and more where a word is broken.
    lines = "(head) => head.getClientRects().length"
    # So many columns that there is no room to spare for the heads.
    names = "%0A".join(title for title in ARTICLES if title != "Python")
    with window(
        browser, address, f"/matrix?concepts={names}", viewport={"width": 390, "height": 900}
    ) as page:
        heads = page.locator(".heat tbody th a")
        assert heads.count() == len(ARTICLES) - 1
        for head in heads.all():
            assert head.evaluate(lines) <= len(head.inner_text().split())
        # These words are wider than a head has to be at the least.
        head = heads.first
        head.evaluate("(one) => one.textContent = 'accusations against organizations'")
        assert head.evaluate(lines) == 3


def test_a_telephone_shows_that_a_heat_map_goes_on_at_the_side(browser: Browser, address: str) -> None:
    names = "%0A".join(title for title in ARTICLES if title != "Python")
    viewport = {"width": 390, "height": 900}
    with window(browser, address, f"/matrix?concepts={names}", viewport=viewport) as page:
        scroll = page.locator(".scroll")
        assert scroll.evaluate("one => one.scrollWidth > one.clientWidth")
        height = "one => getComputedStyle(one, '::-webkit-scrollbar').height"
        assert scroll.evaluate(height) not in ("auto", "")
        fade = "one => getComputedStyle(one).getPropertyValue('--fade')"
        assert scroll.evaluate(fade) == "40px"
        scroll.evaluate("one => one.scrollLeft = one.scrollWidth")
        until(lambda: bool(scroll.evaluate(fade) == "0px"))
        head = page.locator(".heat tbody th a").first
        head.evaluate("one => one.textContent = 'Photosynthesis'")
        assert head.evaluate("one => one.getClientRects().length") == 1


SHADES = """() => {
  const cells = [...document.querySelectorAll("td[class^=heat]")].slice(0, 11);
  cells.forEach((cell, level) => cell.className = `heat-${level}`);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  return cells.map((cell) => {
    canvas.fillStyle = getComputedStyle(cell).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_shade_of_a_heat_map_can_be_told_and_read(
    browser: Browser, address: str, scheme: Literal["light", "dark"]
) -> None:
    names = "%0A".join(("Forest", "Engine", "Jaguar (animal)", "Jaguar (car)"))
    with window(browser, address, f"/matrix?concepts={names}", color_scheme=scheme) as page:
        shades = page.evaluate(SHADES)
        assert len(shades) == LEVELS + 1
        # Further and further from the card: darker on a light page, lighter on a dark one.
        sums = [sum(shade) if scheme == "dark" else -sum(shade) for shade in shades]
        assert sums == sorted(sums)
        assert min(after - before for before, after in pairwise(sums)) > 15
        assert sums[9] - sums[6] > 150
        assert not faults(page, "table")
