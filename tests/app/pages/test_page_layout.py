"""Where the parts of pages stand: what belongs side by side does, and nothing hangs out of a telephone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

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
