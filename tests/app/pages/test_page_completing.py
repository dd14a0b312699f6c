"""The list of titles below a field, with a mouse and with a finger: only a click chooses."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.support.browser import window
from tests.support.patience import until


def test_a_right_click_chooses_nothing_and_a_click_chooses(browser: Browser, address: str) -> None:
    with window(browser, address) as page:
        field = page.get_by_label("One concept")
        field.fill("mu")
        option = page.get_by_role("option", name="Music", exact=True)
        option.click(button="right")
        expect(field).to_have_value("mu")
        expect(option).to_be_visible()
        # Whoever presses a button, and lets it go elsewhere, has not chosen either.
        option.hover()
        page.mouse.down()
        expect(field).to_be_focused()
        expect(option).to_be_visible()
        page.mouse.move(0, 0)
        page.mouse.up()
        expect(field).to_have_value("mu")
        option.click()
        expect(field).to_have_value("Music")
        expect(field).to_be_focused()
        expect(page.get_by_role("listbox")).to_have_count(0)


def test_a_finger_that_begins_to_scroll_chooses_nothing_and_a_tap_chooses(
    browser: Browser, address: str
) -> None:
    with window(browser, address, has_touch=True) as page:
        field = page.get_by_label("One concept")
        field.fill("mu")
        option = page.get_by_role("option", name="Music", exact=True)
        touch = {"pointerType": "touch", "isPrimary": True, "button": 0, "bubbles": True, "cancelable": True}
        for kind in ("pointerdown", "pointermove", "pointercancel"):
            option.dispatch_event(kind, touch)
        expect(field).to_have_value("mu")
        expect(option).to_be_visible()
        option.tap()
        until(lambda: field.input_value() == "Music")
        expect(page.get_by_role("listbox")).to_have_count(0)
