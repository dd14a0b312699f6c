"""Titles of a numbered series, which texts have without the words that all of them end with."""

from __future__ import annotations

import marisa_trie
import pytest

from snapshots.annotator.names.numbered_titles import SERIES, NumberedTitles
from snapshots.naming.names import ARTICLE, DISAMBIGUATION, RECORD

ORDINALS = ["First", "Second", "Third", "Fourth", "Fifth", "Twenty-second"]
LAW, BOOK = "Amendment to the Law of the Land", "Book of Kings"
TITLES = [
    *(f"{ordinal} {LAW}" for ordinal in ORDINALS),
    *(f"{ordinal} {BOOK}" for ordinal in ORDINALS[: SERIES - 1]),
    *("Third Amendment of Tonga", "Fourth Person Singular", "Sixth Amendment to the Land"),
]


def found(text: str, language: str = "en") -> list[tuple[str, str]]:
    kinds = {4: DISAMBIGUATION}
    records = [(title, (kinds.get(at, ARTICLE), at)) for at, title in enumerate(TITLES)]
    numbered = NumberedTitles(marisa_trie.RecordTrie(RECORD, records), language)
    assert list(numbered.found(text)) == list(numbered.found(text))  # as it is remembered
    return [(text[one.start : one.end], TITLES[one.concept]) for one in numbered.found(text)]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("The First Amendment, and the Second Amendment", [f"First {LAW}", f"Second {LAW}"]),
        ("The Twenty-second Amendment", [f"Twenty-second {LAW}"]),
        ("The first amendment, and the First amendment", []),
        ("The Third Amendment", []),  # another is called so
        ("The Fifth Amendment", []),  # which may be several things
        ("The Sixth Amendment", []),  # it goes on otherwise
        ("The First Book", []),  # too few are in the series
        ("The Fourth Person", []),
        ("The Seventh Amendment", []),
        ("The Post-First Amendments", []),
    ],
)
def test_beginnings_of_titles(text: str, titles: list[str]) -> None:
    assert [title for _, title in found(text)] == titles


def test_a_language_whose_ordinals_are_not_known() -> None:
    assert found("The First Amendment", "xx") == []
