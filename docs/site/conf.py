"""How the documents become one site, with nothing loaded from elsewhere: ``make docs``."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent.parent

project = "wort"
author = "the contributors of wort"
release = re.findall(r'^__version__ = "(.*)"', (ROOT / "wort/__init__.py").read_text(), re.MULTILINE)[0]
html_title = f"wort {release}"

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["docs/*.md", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
exclude_patterns = [".*", "docs/_build"]
myst_heading_anchors = 4

html_theme = "furo"
html_extra_path = ["index.html"]
html_show_search_summary = False  # a page read from a file may not fetch others
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


def add_contents(_app: Sphinx, name: str, source: list[str]) -> None:
    """Make the lists of links in the index, which read well by themselves, the contents of the site too."""
    if name != root_doc:
        return
    before, *sections = source[0].split("\n## ")
    for section in sections:
        title = section.partition("\n")[0]
        links = re.findall(r"^- \[([^]]*)\]\(([^)#]+)\.md\)", section, re.MULTILINE)
        entries = [f"{called} <{page}>" for called, page in links]
        contents = "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *entries, "```"])
        before += f"\n## {section.rstrip()}\n\n{contents}\n"
    source[0] = before


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", add_contents)
