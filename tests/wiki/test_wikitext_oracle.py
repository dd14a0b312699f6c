"""mwparserfromhell judges the links and templates that are found in real pages.

It keeps the text of a gallery as it stands, so what it finds there by a second look is added. Nothing that it
finds may be missed; the few pages where more is found are listed with what the oracle gives up at.
"""

from pathlib import Path

import mwparserfromhell
import pytest

from wiki.dump import Dump, read_pages
from wiki.errors import TruncatedDump
from wiki.page import RawPage
from wiki.titles import TitleRules
from wiki.wikitext import parse
from wiki.wikitext.targets import template

NOT_COMPARED = (8, 10, 828)  # messages, templates (what they include is no link of theirs), Lua modules
BROKEN = {
    "enwiki-2021-27-pages.xml.bz2": {"N.EX.T"},  # a comment in a template's name
    "ltgwiki-20170901-pages-articles.xml.bz2": {
        "Dzeļžaceļš Reiga — Daugpiļs",  # cells in HTML within a table
        "Livonejis ordyna magistris",  # a table in HTML that is never closed
    },
    "enwiki-2016-first-206-pages.xml.bz2": {
        "America the Beautiful",  # a comment in a template's name
        "Andre Agassi",  # bold that ends outside of the link it starts in
    },
    "enwik8-first-4MB-cut-mid-page.xml.bz2": {"Abraham Lincoln"},  # the same
}
SLOW = [name for name in BROKEN if "2021" not in name]


def pages(path: Path) -> tuple[list[RawPage], TitleRules]:
    dump = Dump.open(path)
    found: list[RawPage] = []
    try:
        for chunk in dump.chunks():
            found += read_pages(chunk, dump.siteinfo)
    except TruncatedDump:
        assert "cut" in path.name
    return [page for page in found if page.redirect is None], TitleRules(dump.siteinfo)


def oracle(text: str, rules: TitleRules) -> set[tuple[str, str]]:
    """The links to articles and the templates that mwparserfromhell finds."""
    code = mwparserfromhell.parse(text)
    links = [*code.filter_wikilinks()]
    for gallery in code.filter_tags(matches=lambda tag: tag.tag == "gallery"):
        lines = [line for line in str(gallery.contents).split("\n") if "|" in line]  # others have no caption
        links += mwparserfromhell.parse("\n".join(lines)).filter_wikilinks()
    titles = [rules.parse(str(link.title)) for link in links]
    names = [template(rules, str(used.name)) for used in code.filter_templates()]
    return {("template", name) for name in names if name} | {
        ("link", title.text) for title in titles if title is not None and title.namespace == 0
    }


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in BROKEN]
)
def test_targets_and_templates_are_those_of_the_oracle(name: str, data_dir: Path) -> None:
    wikitext, rules = pages(data_dir / "wiki" / name)
    compared = 0
    missed = {}
    beyond = set()
    for page in wikitext:
        if page.namespace in NOT_COMPARED:
            continue
        expected = oracle(page.text, rules)
        parsed = parse(page.text, rules)
        found = {("link", link.target) for link in parsed.links}
        found |= {("template", title) for title in parsed.templates}
        compared += len(expected)
        if expected - found:
            missed[page.title] = expected - found
        if found - expected:
            beyond.add(page.title)
    assert compared > 5_000
    assert missed == {}
    assert beyond == BROKEN[name]
