"""The pages of annotation for whoever reads them, and what becomes of their links' secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from datasets.annotation.records import Answer, ItemSide, Kind, NewItem, Stimulus
from tests.app.annotation.projects import annotation_served, begun, fields, gold, make, pairs, tuples
from tests.app.pages.test_page_access import check
from tests.support.browser import chromium, window
from tests.support.databases import sqlite_fixture
from tests.support.processes import wort_serve

pytestmark = pytest.mark.slow

__all__ = ["sqlite_fixture"]

HEBREW = [
    NewItem(
        name=f"זוג {place}",
        asked=(Stimulus(f"זוג {place}", (ItemSide("אתאיזם", "העדר אמונה באלים."), ItemSide("דת", ""))),),
        topic="אתאיזם",
    )
    for place in range(3)
]
LONG = [
    NewItem(
        name=f"long {place}",
        asked=(
            Stimulus(
                f"long {place}",
                (ItemSide("Donaudampfschifffahrtsgesellschaftskapitän" * 3), ItemSide("x" * 300)),
            ),
        ),
        topic="y" * 200,
    )
    for place in range(3)
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('projects') / 'projects.sqlite'}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[str]:
    with annotation_served(tmp_path_factory.mktemp("wiki"), url) as address:
        yield address


@pytest.mark.parametrize(
    ("kind", "items", "language"),
    [
        ("binary", pairs(3), "en"),
        ("graded", pairs(3), "de"),
        ("best-worst", tuples(3), "en"),
        ("binary", HEBREW, "he"),
        ("binary", LONG, "de"),
    ],
    ids=["binary", "graded", "best-worst", "right-to-left", "long"],
)
def test_an_item_is_for_everybody(
    browser: Browser, address: str, url: str, kind: Kind, items: list[NewItem], language: str
) -> None:
    made = make(url, kind, items, language=language)
    with httpx.Client(base_url=address) as http:
        path = begun(http, made)
    with window(browser, address, path) as page:
        expect(page.get_by_label("Answer by keys")).to_be_visible()
        for details in page.locator("#place summary").all():
            details.click()
        check(page)


def test_what_stands_around_items_is_for_everybody(browser: Browser, address: str, url: str) -> None:
    known = [gold(f"known {place}", Answer(value=1)) for place in range(2)]
    made = make(
        url, "binary", [*pairs(1), *known], gold_share=1.0, gold_minimum=2, details=("Age",), session=1
    )
    with window(browser, address, f"/annotation/invitation/{made.invitation}", (404,)) as page:
        check(page)
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_label("Answer by keys")).to_be_visible()
        page.keyboard.press("n")
        expect(page.get_by_role("heading", name="Time for a break")).to_be_visible()
        check(page)
        page.get_by_role("button", name="Go on").click()
        page.keyboard.press("n")
        expect(page.get_by_role("heading", name="No further answers are taken")).to_be_visible()
        check(page)
        page.goto("/annotation/annotate/nobody")
        check(page)


def test_a_language_from_right_to_left_is_laid_out_so(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", HEBREW, language="he")
    with httpx.Client(base_url=address) as http:
        path = begun(http, made)
    with window(browser, address, path) as page:
        left, right = (page.locator(".side").nth(place).bounding_box() for place in range(2))
        assert left is not None
        assert right is not None
        assert left["x"] > right["x"]  # the first side is where reading begins
        expect(page.locator(".named span").first).to_have_attribute("lang", "he")


def test_no_secret_and_no_answer_is_logged(tmp_path: Path, sqlite: str) -> None:
    made = make(sqlite, "binary", pairs(3))
    with (
        wort_serve(tmp_path, annotation=sqlite, log_level="debug") as served,
        httpx.Client(base_url=served.address) as http,
    ):
        path = begun(http, made)
        form = fields(http.get(path).text)
        http.post(path, data={**form, "judgement": "1"})
        http.get(f"{path}/items")
        http.get(f"/annotation/project/{made.owner}")
        link = http.post(f"/annotation/project/{made.owner}/links", data={"note": "sekret note"}).text
        http.get("/annotation/annotate/sekret")
    log = served.log.read_text()
    for secret in (made.owner, made.invitation, path.rpartition("/")[2], form["key"], "sekret"):
        assert secret not in log
    assert 'class="address"' in link
    routes = {json.loads(line).get("route") for line in log.splitlines() if line.startswith("{")}
    assert "/annotation/annotate/{token}" in routes
