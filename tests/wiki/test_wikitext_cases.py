"""Golden cases: wikitext in, what a reader of the page would write down out.

A file of cases is plain text: "=== name" starts a case, "--- name" a block of it. The block "input" is
wikitext for the English Wikipedia unless a block "wiki" names another language. A block that is left out is
expected to be empty, so a case says everything that the parser finds.
"""

import re
from pathlib import Path

import pytest

from wiki.page import ParsedPage
from wiki.siteinfo import FIRST_LETTER, Namespace, Siteinfo
from wiki.titles import TitleRules
from wiki.wikitext import parse

CASES = Path(__file__).parent / "cases"
BLOCKS = {"input", "wiki", "paragraphs", "hidden links", "categories", "templates", "page"}
LOCAL_NAMES = {
    "en": {2: "User", 4: "Wikipedia", 6: "File", 10: "Template", 14: "Category", 100: "Portal"},
    "ltg": {2: "Lītuotuojs", 4: "Vikipedeja", 6: "Fails", 10: "Taiss", 14: "Kategoreja"},
    "de": {2: "Benutzer", 4: "Wikipedia", 6: "Datei", 10: "Vorlage", 14: "Kategorie"},
    "zh": {2: "User", 4: "Wikipedia", 6: "File", 10: "Template", 14: "Category"},
}


def rules_of(language: str) -> TitleRules:
    names = {0: "", **LOCAL_NAMES[language]}
    namespaces = tuple(Namespace(key, name, FIRST_LETTER) for key, name in names.items())
    return TitleRules(Siteinfo("Wikipedia", f"{language}wiki", language, FIRST_LETTER, namespaces))


def read_cases(text: str) -> list[tuple[str, dict[str, str]]]:
    """The cases of a file: name and blocks of each; a block ends where its last line with words does."""
    cases = []
    for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        blocks = {}
        for block in re.split(r"^--- ", rest, flags=re.MULTILINE)[1:]:
            heading, _, content = block.partition("\n")
            assert heading in BLOCKS, f"{name}: no block is called {heading!r}"
            assert heading not in blocks, f"{name}: two blocks {heading!r}"
            blocks[heading] = content.rstrip("\n")
        cases.append((name, blocks))
    return cases


def described(page: ParsedPage) -> dict[str, str]:
    """What was found, in the blocks of a case, those without content left out."""
    paragraphs = list(page.paragraphs)
    for link in sorted(page.links, key=lambda link: link.start, reverse=True):
        if link.paragraph >= 0:
            text, end = paragraphs[link.paragraph], link.start + len(link.anchor)
            marked = f"{{{text[link.start : end]} → {link.target}}}"
            paragraphs[link.paragraph] = text[: link.start] + marked + text[end:]
    hidden = [f"{link.target} → {link.anchor}" for link in page.links if link.paragraph < 0]
    kinds = {"disambiguation": page.disambiguation, "hidden category": page.hidden_category}
    blocks = {
        "paragraphs": paragraphs,
        "hidden links": hidden,
        "categories": page.categories,
        "templates": page.templates,
        "page": [kind for kind, holds in kinds.items() if holds],
    }
    return {name: "\n".join(lines) for name, lines in blocks.items() if lines}


ALL_CASES = [
    pytest.param(blocks, id=f"{path.stem}: {name}")
    for path in sorted(CASES.glob("*.txt"))
    for name, blocks in read_cases(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", ALL_CASES)
def test_case(case: dict[str, str]) -> None:
    expected = dict(case)
    rules = rules_of(expected.pop("wiki", "en"))
    assert described(parse(expected.pop("input"), rules)) == expected


def test_cases_have_names_of_their_own() -> None:
    names = [case.id for case in ALL_CASES]
    assert len(names) == len(set(names))
