"""What each distribution says of itself, where nothing lies beside it that a link could lead to."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent.parent
PROJECTS = ("pyproject.toml", "wort/pyproject.toml", "deploy/starter/pyproject.toml")


def readme(project: str) -> Path:
    """The text that the distribution of ``project`` is described by."""
    path = ROOT / project
    named: str = tomllib.loads(path.read_text())["project"]["readme"]
    return path.parent / named


def targets(path: Path) -> list[str]:
    """Where the links and images of a page lead to."""
    inline = (token for block in MarkdownIt().parse(path.read_text()) for token in block.children or ())
    found = (token.attrs.get("href", token.attrs.get("src")) for token in inline)
    return [str(target) for target in found if target is not None]


@pytest.mark.parametrize("project", PROJECTS)
def test_a_readme_has_no_link_that_an_index_could_not_follow(project: str) -> None:
    page = readme(project)
    assert page.read_text().startswith("# wort")
    assert [target for target in targets(page) if not re.match(r"https?://", target)] == []


def test_links_are_found() -> None:
    assert "docs/images/page.png" in targets(ROOT / "README.md")


def test_the_server_tells_of_every_extra_that_people_install() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = set(re.findall(r"^\| `(\w+)`", readme("pyproject.toml").read_text(), re.MULTILINE))
    # Tuning and clusters are for who reads the documents.
    assert told == set(extras) - {"dev", "tune", "spark"}


def test_the_starter_says_whose_work_its_tables_rest_on() -> None:
    # A copy: links between folders do not outlive every way of handing files on.
    assert (ROOT / "deploy/starter/NOTICE").read_text() == (ROOT / "NOTICE").read_text()
