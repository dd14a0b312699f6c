"""The page ``/files``: what it makes of a first row, and of names that no concept has."""

from __future__ import annotations

import csv
import io

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.app.pages.test_page_files import choose, downloaded
from tests.support.browser import faults, window


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("told", [True, False])
def test_a_first_row_that_is_a_pair_is_kept(
    browser: Browser, address: str, delimiter: str, told: bool
) -> None:
    content = f"Cat{delimiter}Dog{delimiter}x\nMouse{delimiter}Piano{delimiter}y\n"
    before = f"sep={delimiter}\n" * told
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", (before + content).encode())
        expect(page.locator("#noticed")).to_have_text(
            "The first row is kept as a pair: “Cat” and “Dog” are concepts. "
            "If it names the columns, say so above."
        )
        expect(page.get_by_label("The first row names the columns")).not_to_be_checked()
        begins = page.locator("#begins")
        expect(begins.locator("thead th")).to_have_text(["left", "right", "column 3"])
        expect(begins.locator("tbody tr")).to_have_count(2)
        assert not faults(page)
        page.get_by_role("button", name="Score the pairs").click()
        scored = downloaded(page)[1].decode()
        assert scored.startswith(before)
        rows = list(csv.DictReader(io.StringIO(scored.removeprefix(before)), delimiter=delimiter))
        assert [(row["left"], row["right"]) for row in rows] == [("Cat", "Dog"), ("Mouse", "Piano")]
        expect(page.locator("#rows")).to_have_text("2 rows")
        expect(page.locator("#preview tbody tr")).to_have_count(2)
        # Whoever knows better says so.
        page.get_by_label("The first row names the columns").check()
        expect(page.locator("#noticed")).to_be_hidden()
        expect(page.locator("#unnamed")).to_be_visible()
        expect(begins.locator("thead th")).to_have_text(["Cat", "Dog", "x"])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("Cat,Dog\nCat,Piano\n", "“Cat” stands in a row below, too"),
        ("Nobody,Nothing\nNobody,Dog\n", "“Nobody” stands in a row below, too"),
        ("Cat,Dog,0.5\nCat,Piano,0.1\n", "it has a number where a column would have a name"),
        ("Cat,Dog\n", "“Cat” and “Dog” are concepts"),
        # What columns are usually called, though concepts are called so too; and what stands over numbers.
        ("Word 1,Word 2\nCat,Dog\n", None),
        ("source,target,weight\nCat,Dog,0.5\n", None),
        ("Cat,Dog,share\nMouse,Piano,0.5\n", None),
        # What stands in lower case over nothing but capitals.
        ("mouse,piano\nCat,Dog\nDog,Music\n", None),
        # Titles over titles, one of them known; what is written otherwise names columns.
        ("Cat,Nothing of that name\nMusic,Dog\nDog,Piano\n", "“Cat” is a concept, written as those below"),
        ("Cat,nothing of that name\nMusic,Dog\nDog,Piano\n", None),
        # No concepts, as far as anybody knows.
        ("Nobody,Nothing\nCat,Dog\n", None),
        ("note,left,right\nCat,Cat,Dog\n", None),
    ],
)
def test_how_a_first_row_is_told_from_names(
    browser: Browser, address: str, content: str, why: str | None
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", content.encode())
        expect(page.locator("#options")).to_be_visible()
        assert page.get_by_label("The first row names the columns").is_checked() is (why is None)
        if why is None:
            expect(page.locator("#noticed")).to_be_hidden()
        else:
            expect(page.locator("#noticed")).to_contain_text(f"The first row is kept as a pair: {why}.")


def test_whoever_knows_that_a_row_is_a_pair_keeps_it(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", b"nobody,nothing\ncat,dog\n")
        keep = page.get_by_role("button", name="Keep it as a pair")
        keep.press("Enter")
        expect(page.get_by_label("The first row names the columns")).to_be_focused()
        expect(keep).to_be_hidden()
        expect(page.locator("#command")).to_contain_text("header=false")
        page.get_by_role("button", name="Score the pairs").click()
        assert downloaded(page)[1].startswith(b"left,right,")
        expect(page.locator("#rows")).to_have_text("2 rows")


def test_unknown_names_are_told_with_what_may_be_meant(browser: Browser, address: str) -> None:
    content = "left,right\nCatt,Dog\nMouse,Dog\nPiano,Catt\nQxzzyw,Dog\n"
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", content.encode())
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        told = page.locator("#nearly li")
        expect(told.first).to_have_text("“Catt”, 2 times: perhaps Cat")
        expect(told.first.get_by_role("link", name="Cat", exact=True)).to_have_attribute(
            "href", "explore?concept=Cat"
        )
        # An ambiguous name is none of them, though its row has no score either.
        expect(told).to_have_text(
            ["“Catt”, 2 times: perhaps Cat", "“Qxzzyw”, once: nothing is called nearly so"]
        )
        assert not faults(page)
        choose(page, "pairs.csv", b"left,right\nCat,Dog\n")
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(page.locator("#suggested")).to_be_hidden()
        rows = "".join(f"Catt,Qxz{place}\n" for place in range(12))
        choose(page, "pairs.csv", f"left,right\n{rows}Mouse,Catt\n".encode())
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(told).to_have_count(6)
        expect(told.last).to_have_text("and up to 9 others, in the rows below")


def test_the_model_that_the_address_names_scores(browser: Browser, address: str) -> None:
    with window(browser, address, "/files?model=wort") as page:
        expect(page.get_by_text("Answered by the model wort, which the address names.")).to_be_visible()
        expect(page.locator("#command")).to_contain_text("v1/relatedness/files?model=wort")
        content = b"left,right\nCat,Dog\n"
        choose(page, "pairs.csv", content)
        expect(page.locator("#command")).to_contain_text("?model=wort")
        page.get_by_role("button", name="Score the pairs").click()
        answer = httpx.post(
            f"{address}/v1/relatedness/files?model=wort",
            content=content,
            headers={"Content-Type": "text/csv"},
        )
        assert downloaded(page)[1] == answer.content
    assert httpx.get(f"{address}/files", params={"model": "nothing"}).status_code == 404


def test_pairs_are_compared_as_terms(browser: Browser, jaguars: str) -> None:
    content = b"left,right,context\njaguar,forest hunting,animals\nengine,forest,\n"
    with window(browser, jaguars, "/files") as page:
        choose(page, "pairs.csv", content)
        page.get_by_label("Compare them as terms").check()
        expect(page.get_by_label("Choose the likeliest sense")).to_be_disabled()
        expect(page.locator("#command")).to_contain_text("v1/relatedness/files?terms=true")
        page.get_by_role("button", name="Score the pairs").click()
        _, scored = downloaded(page)
        answer = httpx.post(
            f"{jaguars}/v1/relatedness/files",
            params={"terms": True},
            content=content,
            headers={"Content-Type": "text/csv"},
        )
        assert scored == answer.content
        assert b",left_sense," in scored
        # Of terms, other columns are added.
        choose(page, "pairs.csv", b"left,right,left_sense\njaguar,forest,1\n")
        expect(page.locator("#prefix")).to_have_value("wort_")
        assert not faults(page)
