"""Where the parts of pages stand: what belongs side by side does, and nothing hangs out of a telephone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.app.pages.test_page_files import choose
from tests.support.browser import window

LONG = "x" * 1001


@pytest.mark.parametrize(
    "path",
    [
        f"/?left={LONG}&right=Cat",
        f"/?left=Cat&right={LONG}",
        f"/?left={LONG}&right={LONG}",
        "/",
        f"/explore?concept={LONG}",
    ],
)
def test_fields_stand_in_a_line_whatever_is_wrong_with_one(browser: Browser, address: str, path: str) -> None:
    with window(browser, address, path, (422,), viewport={"width": 1280, "height": 800}) as page:
        parts = page.locator("form.ask :is(input, button, .swap)")
        boxes = [box for box in (part.bounding_box() for part in parts.all()) if box]
        middles = [box["y"] + box["height"] / 2 for box in boxes]
        assert len(boxes) == (2 if "explore" in path else 4)
        assert max(middles) - min(middles) < 1, middles


@pytest.mark.parametrize("width", [390, 320])
def test_the_interface_fits_into_a_telephone(browser: Browser, address: str, width: int) -> None:
    view = {"width": width, "height": 800}
    with window(browser, address, "/docs", viewport=view) as page:
        page.get_by_text("Score pairs of concepts").first.click()
        answers = page.locator(".responses-table").first
        answers.get_by_text("Example Value").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        panel = page.locator(".opblock.is-open").bounding_box()
        table = answers.bounding_box()
        assert panel
        assert table
        assert table["x"] + table["width"] <= panel["x"] + panel["width"]


@pytest.mark.parametrize("width", [375, 320])
def test_a_wide_table_scrolls_within_its_page(browser: Browser, address: str, width: int) -> None:
    columns = ["left", "right", *(f"a column with a long name {place}" for place in range(6))]
    rows = [columns, ["Cat", "Dog", *"1" * 6], ["Cat", "Nobody", *"1" * 6]]
    content = "".join(",".join(row) + "\n" for row in rows)
    with window(browser, address, "/files", viewport={"width": width, "height": 800}) as page:
        choose(page, "pairs.csv", content.encode())
        table = page.locator("#begins")
        expect(table.locator("thead th")).to_have_count(len(columns))
        assert table.evaluate("one => one.scrollWidth > one.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_role("button", name="Score the pairs").click()
        expect(page.locator("#preview")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_a_model_is_makes_no_row_high_on_a_telephone(browser: Browser, address: str) -> None:
    with window(browser, address, "/models", viewport={"width": 375, "height": 800}) as page:
        told = page.locator("td.reason").first
        row = told.locator("xpath=..").bounding_box()
        name = told.locator("xpath=../th/a").bounding_box()
        assert row
        assert name
        assert row["height"] < 90
        assert name["y"] - row["y"] < 20, "the name stands at the top of its row"
