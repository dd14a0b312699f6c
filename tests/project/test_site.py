"""The documentation's site: whole, without a dead link, and readable and searchable without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT
from tests.support.browser import Text, chromium, window

pytestmark = pytest.mark.slow

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""The elements whose addresses a browser fetches by itself."""


def build(sources: Path, to: Path) -> subprocess.CompletedProcess[str]:
    """What ``make docs`` runs."""
    (recipe,) = re.findall(r"^\t\$\(BIN\)/python (-m sphinx .*)$", (ROOT / "Makefile").read_text(), re.M)
    options = recipe.replace("docs/site", f"{ROOT}/docs/site").removesuffix(" . docs/_build").split()
    command = [sys.executable, *options, str(sources), str(to)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stderr
    return folder


@cache
def page(path: Path) -> Text:
    return Text(path.read_text())


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_document_is_in_it(site: Path) -> None:
    documents = [*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")]
    assert len(documents) > 40
    for document in documents:
        assert (site / document.relative_to(ROOT)).with_suffix(".html").is_file(), document


def test_every_document_is_in_the_index_once() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    listed = re.findall(r"^- \[[^]]*\]\(([^)]+)\)", index, re.MULTILINE)
    documents = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert sorted(listed) == sorted({*documents, *(f"../{path.name}" for path in ROOT.glob("*.md"))})


def test_every_link_leads_somewhere(site: Path) -> None:
    followed = 0
    for path in pages(site):
        for tag, attributes in page(path).tags:
            target = attributes.get("href" if tag == "a" else "src")
            if target is None or urlsplit(target).scheme:
                continue
            parts = urlsplit(target)
            led = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert led.is_file(), f"{path.name} leads to {target}"
            if parts.fragment and led.suffix == ".html":
                named = {of.get("id") for _, of in page(led).tags}
                assert unquote(parts.fragment) in named, f"{path.name} leads to {target}"
                followed += 1
    assert followed > 300


@pytest.mark.parametrize("target", ["absent.md", "index.md#absent", "../README.md#absent"])
def test_a_dead_link_is_refused(target: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# Overview\n\n## Two commands\n")
    index = "# All\n\n## Start\n\n- [Overview](../README.md): whole.\n\n[there]({})\n"
    (tmp_path / "docs" / "index.md").write_text(index.format("../README.md#two-commands"))
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    (tmp_path / "docs" / "index.md").write_text(index.format(target))
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "absent" in done.stderr


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = [
        address
        for path in pages(site)
        for tag, attributes in page(path).tags
        if (address := attributes.get(LOADED.get(tag, "")))
    ]
    assert len(loaded) > 100
    loaded += [
        address
        for path in site.rglob("*.css")
        for address in re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')]*)", path.read_text())
    ]
    assert [address for address in loaded if urlsplit(address).scheme not in {"", "data"}] == []
    assert [address for address in loaded if address.startswith("//")] == []


def test_it_is_searched_without_a_server(site: Path) -> None:
    address = f"file://{site}/"
    with chromium() as browser, window(browser, address, f"{address}index.html") as shown:
        shown.wait_for_url(f"{address}docs/index.html")
        shown.get_by_role("searchbox").or_(shown.get_by_label("Search")).first.fill("percentiles")
        shown.keyboard.press("Enter")
        found = shown.locator("ul.search a")
        expect(found.filter(has_text="Percentiles").first).to_be_visible()
