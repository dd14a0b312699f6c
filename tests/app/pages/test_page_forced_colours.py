"""Pages where the system forces its own few colours, as high contrast does on Windows."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator

from tests.support.browser import faults, window


def style(of: Locator, name: str) -> str:
    return str(of.evaluate("(one, name) => getComputedStyle(one)[name]", name))


def test_buttons_have_borders_and_what_is_chosen_is_marked(browser: Browser, address: str) -> None:
    with window(browser, address, "/explore?concept=Cat", forced_colors="active") as page:
        buttons = page.locator("button:visible, .button:visible")
        assert buttons.count() > 2
        assert {style(each, "borderTopWidth") for each in buttons.all()} == {"1px"}
        current, other = page.locator("nav [aria-current=page]"), page.locator("nav a[href=terms]")
        assert (style(current, "borderBottomWidth"), style(other, "borderBottomWidth")) == ("2px", "0px")
        for chosen, rest in (
            (".filter [aria-current]", ".filter a:not([aria-current])"),
            (".counts [aria-current]", ".counts a:not([aria-current])"),
        ):
            marked, plain = (style(page.locator(each).first, "backgroundColor") for each in (chosen, rest))
            assert marked != plain
        page.locator("#concept").fill("m")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("ArrowDown")
        assert style(page.get_by_role("option", selected=True), "outlineStyle") == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_heat_map_keeps_its_shades(
    browser: Browser, address: str, scheme: Literal["light", "dark"]
) -> None:
    path = "/matrix?concepts=Cat%0ADog%0APiano%0AMusic"
    shades: list[list[str]] = []
    for forced in ("none", "active"):
        with window(browser, address, path, color_scheme=scheme, forced_colors=forced) as page:
            cells = page.locator("td[class^=heat] a")
            each = "all => all.map((one) => getComputedStyle(one.parentNode).backgroundColor)"
            text = "all => all.map((one) => getComputedStyle(one).color)"
            shades.append([*cells.evaluate_all(each), *cells.evaluate_all(text)])
            assert not faults(page, "table")
    usual, kept = shades
    assert len(set(usual)) > 3
    assert kept == usual
