"""The links at the foot of every page to what is outside the server."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import httpx
import pytest

from app.pages import project_links
from app.settings import Settings
from tests.conftest import ROOT
from tests.support.browser import text_of
from tests.support.served import serving, toy_app

PAGES = ("/", "/explore", "/terms", "/text", "/texts", "/matrix", "/files", "/releases", "/docs", "/none")


def test_the_menu_marks_the_page_that_is_shown(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address:
        for path in (*PAGES[:-1], "/threshold", "/explore?concept=Cat"):
            tags = text_of(address, path).tags
            marked = [
                each.get("href") for tag, each in tags if tag == "a" and each.get("aria-current") == "page"
            ]
            assert marked == [path.partition("?")[0].removeprefix("/") or "./"], path


def foot(address: str, path: str) -> str:
    headers = {"Accept": "text/html"}
    return httpx.get(f"{address}{path}", headers=headers).text.partition('class="frame-foot"')[2]


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the metadata of the distribution name, in this test."""
    entries: list[str] = []

    def metadata(name: str) -> Message:
        assert name == project_links.DISTRIBUTION
        found = Message()
        for entry in entries:
            found["Project-URL"] = entry
        return found

    monkeypatch.setattr(project_links, "metadata", metadata)
    project_links._of_distribution.cache_clear()
    yield entries
    project_links._of_distribution.cache_clear()


def test_the_source_that_a_setting_names(tmp_path: Path, named: list[str]) -> None:
    named.append("Source, https://example.org/other")
    with serving(toy_app(tmp_path, source_url="https://example.org/wort?a=1&b=<2>")) as address:
        for path in PAGES:
            expected = '<a href="https://example.org/wort?a=1&amp;b=&lt;2&gt;" rel="noreferrer">Source</a>'
            assert expected in foot(address, path), path
            assert "other" not in foot(address, path)


def test_what_the_distribution_names(tmp_path: Path, named: list[str]) -> None:
    named += [
        "Source, https://example.org/a",
        "Documentation, https://example.org/b",
        "Bad, javascript:alert(1)",
    ]
    with serving(toy_app(tmp_path)) as address:
        links = foot(address, "/")
        assert links.index(">Source</a>") < links.index(">Documentation</a>")
        assert "javascript" not in links


def test_where_nobody_says_there_is_no_link(tmp_path: Path, named: list[str]) -> None:
    assert named == []
    with serving(toy_app(tmp_path)) as address:
        assert "noreferrer" not in foot(address, "/")


def test_answers_lead_to_the_guides_where_they_can_be_read(tmp_path: Path) -> None:
    source = "https://github.com/somebody/wort"
    with serving(toy_app(tmp_path, source_url=source)) as address:
        page = httpx.get(f"{address}/", params={"left": "Cat", "right": "Dog"}).text
        for name, says in (
            ("concepts", "What a score means"),
            ("features", "What the features are"),
            ("index", "Guides"),
        ):
            assert f'<a href="{source}/blob/HEAD/docs/{name}.md" rel="noreferrer">{says}</a>' in page
            assert (ROOT / "docs" / f"{name}.md").exists()


@pytest.mark.parametrize(
    ("links", "found"),
    [
        (
            [("Source", "https://gitlab.com/a/wort.git")],
            "https://gitlab.com/a/wort/-/blob/HEAD/docs/terms.md",
        ),
        (
            [("Docs", "https://github.com/a/b"), ("Repository", "https://github.com/c/d/")],
            "https://github.com/c/d/blob/HEAD/docs/terms.md",
        ),
        ([("Source", "https://notgithub.com/a/b")], None),
        ([], None),
    ],
)
def test_where_a_guide_is(links: list[tuple[str, str]], found: str | None) -> None:
    assert project_links.guide(links, "terms") == found


@pytest.mark.parametrize("url", ["javascript:alert(1)", "example.org", "https://", "https://a b", "ftp://a"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="no address of the web"):
        Settings(source_url=url)
