"""The page at ``/``: what it says without a browser, and what a person does with it in one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from app.pages.compare import draw, wikipedia
from app.wire.described import SnapshotInfo
from features.catalogue import FEATURE_NAMES
from tests.served import serving, toy_app

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PAGES = (
    "/",
    "/?left=Cat&right=Dog",
    "/?left=Mus&right=dog",
    "/?left=Mouse&right=Catt",
    "/?left=Cat&right=Cat",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(toy_app(tmp_path_factory.mktemp("page"))) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def window(browser: Browser, address: str, path: str = "/", **options: Any) -> Iterator[Page]:
    """A page that may ask this server alone, and on which nothing goes wrong unseen."""
    context = browser.new_context(base_url=address, **options)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request", lambda asked: None if asked.url.startswith((address, "data:")) else wrong.append(asked.url)
    )
    page.goto(path)
    yield page
    context.close()
    assert not wrong


class Text(HTMLParser):
    """The text and the tags of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data.split()

    @property
    def text(self) -> str:
        return " ".join(self.words)


def page(address: str, **query: str) -> Text:
    response = httpx.get(f"{address}/", params=query)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in response.headers["content-security-policy"]
    return Text(response.text)


def test_it_shows_what_the_interface_answers(address: str) -> None:
    body = {"pairs": [{"left": "Cat", "right": "Piano"}], "explain": True}
    (result,) = httpx.post(f"{address}/relatedness", json=body).json()["results"]
    shown = page(address, left="Cat", right="Piano").text
    assert f"Cat and Piano {result['score']:.2f}" in shown
    assert f"About {result['score'] * 100:.0f} in 100 people" in shown
    for entry in result["explanation"]["contributions"]:
        value, contribution = f"{entry['value']:.3f}", f"{entry['contribution']:+.3f}"
        assert entry["feature"] in shown
        assert f"{value} {contribution}".replace("-0.000", "+0.000").replace("-", "−") in shown
    assert f"Sum {result['explanation']['raw']:+.3f}" in shown
    assert all(name in shown for name in FEATURE_NAMES)


def test_it_says_where_its_numbers_come_from(address: str) -> None:
    shown = page(address).text
    assert "12 concepts of smallwiki, dump of 2001-01-15. Model toy." in shown
    assert "made up Licence: CC0-1.0" in shown


def test_a_dump_may_have_no_date(tmp_path: Path) -> None:
    app = toy_app(tmp_path)
    scorer = app.state.source.current.scorer
    scorer.snapshot_info = msgspec.structs.replace(scorer.snapshot_info, dump_date="")
    with serving(app) as address:
        assert "12 concepts of smallwiki. Model toy." in page(address).text


@pytest.mark.parametrize(
    ("left", "right", "says"),
    [
        ("Mus", "Dog", "“ Mus ” redirects to House mouse"),
        ("DOG", "Cat", "“ DOG ” was read as Dog"),
        ("Cat", "Felis catus", "Both names lead to the same concept."),
        (
            "Catt",
            "Dog",
            "There is no concept called “ Catt ” in this snapshot. Did you mean one of these? Cat",
        ),
        ("Qqqqq", "Dog", "Check the spelling"),
        ("Dog", "Mouse", "“ Mouse ” may mean several things. Which one? House mouse Computer mouse"),
        ("[x]", "Dog", "“ [x] ” cannot be the title of an article."),
        ("Cat", "", "Name a second concept"),
        (" ", "Cat", "Name the first concept"),
    ],
)
def test_every_answer_has_its_words(address: str, left: str, right: str, says: str) -> None:
    assert says in page(address, left=left, right=right).text


def test_what_was_typed_is_never_markup(address: str) -> None:
    for typed in (
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' autofocus onfocus=alert(1) '",
    ):
        plain, shown = page(address, left="Qqqqq", right="Cat"), page(address, left=typed, right="Cat")
        assert [tag for tag, _ in shown.tags if tag in ("script", "img")] == ["script"]
        assert len(shown.tags) <= len(plain.tags)
        assert shown.tags[[tag for tag, _ in shown.tags].index("input")][1]["value"] == typed.strip()


def test_every_field_has_a_label_and_ids_are_unique(address: str) -> None:
    for path in PAGES:
        tags = Text(httpx.get(f"{address}{path}").text).tags
        ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
        assert len(ids) == len(set(ids))
        labelled = {attributes["for"] for tag, attributes in tags if tag == "label"}
        assert {attributes["id"] for tag, attributes in tags if tag == "input"} == labelled
        for _, attributes in tags:
            for name in ("aria-describedby", "aria-labelledby"):
                assert attributes.get(name, ids[0]) in ids


def test_a_title_beyond_measure(address: str) -> None:
    assert httpx.get(f"{address}/", params={"left": "x" * 1001, "right": "Cat"}).status_code == 422


def test_bars_share_one_scale() -> None:
    zero, positive, negative, none = draw([0.0, 0.3, -0.1, 0.0])
    assert (positive.start, positive.length, positive.negative) == pytest.approx((25, 75, False))
    assert (negative.start, negative.length, negative.negative) == pytest.approx((0, 25, True))
    assert zero == none
    assert [bar.length for bar in draw([0.0, 0.0])] == [0, 0]


@pytest.mark.parametrize(
    ("wiki", "site"),
    [
        ("enwiki", "https://en.wikipedia.org/wiki/"),
        ("simplewiki", "https://simple.wikipedia.org/wiki/"),
        ("zh_min_nanwiki", "https://zh-min-nan.wikipedia.org/wiki/"),
        ("enwiktionary", None),
        ("wiki", None),
        ("example.org/wiki", None),
    ],
)
def test_where_articles_stand(wiki: str, site: str | None) -> None:
    assert wikipedia(SnapshotInfo("", wiki, "en", "", 0, "", "")) == site


def test_a_person_compares_two_concepts_by_keyboard(browser: Browser, address: str) -> None:
    with window(browser, address) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.type("comp")
        field = page.get_by_label("One concept")
        expect(field).to_be_focused()
        expect(page.get_by_role("option")).to_have_text(["Computer", "Computer mouse", "Computer keyboard"])
        expect(field).to_have_attribute("aria-expanded", "true")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("option", selected=True)).to_have_text("Computer mouse")
        page.keyboard.press("Enter")
        expect(field).to_have_value("Computer mouse")
        expect(page.get_by_role("listbox")).to_have_count(0)
        page.keyboard.press("Tab")
        page.keyboard.type("pia")
        expect(page.get_by_role("option")).to_have_text(["Piano"])
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page).to_have_title(re.compile(r"^Computer mouse and Piano: 0\.\d\d · wort$"))
        assert page.url == f"{address}/?left=Computer+mouse&right=Piano"
        expect(page.get_by_role("rowheader", name="ESA")).to_be_visible()


def test_a_list_closes_without_choosing(browser: Browser, address: str) -> None:
    with window(browser, address) as page:
        field = page.get_by_label("Another concept")
        field.fill("m")
        expect(page.get_by_role("option").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("listbox")).to_have_count(0)
        expect(field).to_have_value("m")
        field.fill("mu")
        page.get_by_role("option", name="Music", exact=True).click()
        expect(field).to_have_value("Music")
        field.fill("")
        expect(page.get_by_role("listbox")).to_have_count(0)


def test_trouble_leads_on(browser: Browser, address: str) -> None:
    with window(browser, address, "/?left=Mouse&right=Catt") as page:
        expect(page.get_by_label("One concept")).to_have_attribute("aria-invalid", "true")
        page.get_by_role("link", name="Computer mouse").click()
        expect(page.get_by_label("One concept")).to_have_value("Computer mouse")
        page.get_by_role("link", name="Cat", exact=True).click()
        expect(page.get_by_role("img", name="on a scale from 0, unrelated, to 1, related")).to_be_visible()


def test_it_works_without_scripts(browser: Browser, address: str) -> None:
    with window(browser, address, java_script_enabled=False) as page:
        page.get_by_label("One concept").fill("Cat")
        page.get_by_label("Another concept").fill("Dog")
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("rowheader", name="ESA")).to_be_visible()


CONTRAST = """() => {
  const channels = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const light = (colour) => channels(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.body.querySelectorAll("*")]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((element) => {
      const [a, b] = [getComputedStyle(element).color, behind(element)].map(light).sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), element.textContent.trim()];
    });
}"""


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1100])
def test_it_can_be_read_on_any_screen(browser: Browser, address: str, width: int, colours: str) -> None:
    for path in PAGES:
        viewport = {"width": width, "height": 700}
        with window(browser, address, path, viewport=viewport, color_scheme=colours) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            faint = [found for found in page.evaluate(CONTRAST) if found[0] < 4.5]
            assert not faint
            lightness = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]")
            assert (int(lightness) < 128) == (colours == "dark")


def test_the_interface_can_be_read_and_tried(browser: Browser, address: str) -> None:
    with window(browser, address, "/docs") as page:
        page.get_by_text("Score pairs of concepts").click()
        page.get_by_role("button", name="Try it out").click()
        page.locator("textarea").fill('{"pairs": [{"left": "Cat", "right": "Dog"}]}')
        page.get_by_role("button", name="Execute").click()
        expect(page.locator(".live-responses-table")).to_contain_text('"status": "ok"')
