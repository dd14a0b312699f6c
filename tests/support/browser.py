"""A real browser for the tests of pages: Debian's Chromium, headless, and axe, which judges accessibility."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.patience import PATIENCE

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""The rules of axe that a page keeps: WCAG 2.2 to level AA, and what is good besides."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; the test is skipped where there is none."""
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def window(
    browser: Browser, address: str, path: str = "/", failing: tuple[int | str, ...] = (), **options: Any
) -> Iterator[Page]:
    """A page that may ask this server alone, and on which nothing goes wrong unseen.

    ``failing``: the statuses of answers that the test provokes, or the names of network errors; the browser
    says on its console that it met them, and that is all that it may say.
    """
    expect.set_options(timeout=1000 * PATIENCE)
    context = browser.new_context(base_url=address, **options)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    wrong: list[str] = []
    expected = tuple(
        one if isinstance(one, str) else f"the server responded with a status of {one}" for one in failing
    )
    page.on(
        "console",
        lambda message: (
            None if expected and any(one in message.text for one in expected) else wrong.append(message.text)
        ),
    )
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request",
        lambda asked: (
            None if asked.url.startswith((address, "data:", f"blob:{address}")) else wrong.append(asked.url)
        ),
    )
    page.goto(path)
    yield page
    context.close()
    assert not wrong, wrong


def faults(page: Page, within: str = "html") -> list[str]:
    """What axe has against the page as it stands: the rule, and the elements that break it.

    ``within``: the selector of what is looked at.
    """
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    results = page.evaluate("([within, rules]) => axe.run(within, { runOnly: rules })", [within, RULES])
    return [
        f"{found['id']}: {node['html'][:200]} {node['failureSummary']}"
        for found in results["violations"]
        for node in found["nodes"]
    ]


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
        """The words, one space between each two."""
        return " ".join(self.words)


def loose_percentages(html: str) -> list[str]:
    """The percentages of a page whose sign may stand on another line than the number, or right at it.

    Escapes in an address, such as %20, are none.
    """
    text = unescape(re.sub(r"<[^>]+>", " ", html))
    return re.findall(r"\d+ ?%(?![0-9A-F]{2})", text)


def text_of(address: str, path: str = "/", status: int = 200, **query: str) -> Text:
    """The page at ``path`` as it is without a browser; every page keeps these headers."""
    response = httpx.get(f"{address}{path}", params=query or None)
    assert response.status_code == status
    assert response.headers["content-type"].startswith("text/html")
    policy = response.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    return Text(response.text)
