"""Every page, for whoever reads it: light and dark, on a desk and on a telephone, judged by axe."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.app.pages.test_page_models import following, with_report
from tests.support.browser import faults, window
from tests.support.promoted import Candidate, ToyRegistry
from tests.wikis.toy import TITLES

pytestmark = pytest.mark.slow

PAGES = (
    "/",
    "/?left=Cat&right=Dog",
    "/?left=Mouse&right=Catt",
    "/explore?concept=Cat",
    "/files",
    "/releases",
    # Wider than a telephone: it scrolls in its own box.
    f"/matrix?concepts={'%0A'.join(TITLES)}",
    "/?left=Mus&right=dog",
    "/?left=Mouse&right=Piano",
    "/?left=Cat&right=Cat",
    "/?left=Cat",
    "/explore",
    "/explore?concept=Mouse",
    "/explore?concept=Cat&category=Nothing",
    "/releases?model=nobody",
    "/?left=" + "x" * 1001,
)
WIDTHS = (1280, 360, 320)
"""A desk, a telephone, and a page that is enlarged four times (WCAG 1.4.10)."""


def check(page: Page) -> None:
    """The page keeps the rules of axe, light on a desk and dark when narrow, and fits into every window."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    page.emulate_media(color_scheme="dark")
    assert lightness(page) < 128
    assert not faults(page)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDTHS[0], "height": 800})
    assert lightness(page) > 128
    assert not faults(page)


def lightness(page: Page) -> int:
    """The red of the background, from 0 to 255."""
    return int(page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]"))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_for_everybody(browser: Browser, address: str, path: str) -> None:
    with window(browser, address, path, (404, 422)) as page:
        check(page)


def test_the_list_of_titles_is_for_everybody(browser: Browser, address: str) -> None:
    with window(browser, address) as page:
        page.get_by_label("One concept").fill("m")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("ArrowDown")
        check(page)


def test_a_scored_file_is_for_everybody(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        page.get_by_role("button", name="Try a sample").click()
        page.get_by_role("button", name="Score the pairs").click()
        page.get_by_role("link", name="Download").wait_for()
        check(page)


def test_models_of_a_registry_are_for_everybody(
    browser: Browser, toy_registry: ToyRegistry, first: Candidate
) -> None:
    ref = with_report(toy_registry, first)
    with following(toy_registry) as address, window(browser, address, f"/releases?model={ref}") as page:
        page.get_by_text("topics as a table").click()
        check(page)


def test_the_frame_of_the_interface_is_for_everybody(browser: Browser, address: str) -> None:
    """What Swagger UI draws is not ours; what frames it is."""
    with window(browser, address, "/docs") as page:
        page.get_by_text("Score pairs of concepts").first.wait_for()
        for colours in (re.compile("^$"), "dark-mode"):
            page.emulate_media(color_scheme="dark" if colours == "dark-mode" else "light")
            expect(page.locator("html")).to_have_class(colours)
            for part in (".frame-head", ".frame-foot"):
                assert not faults(page, part)
