"""Names with abbreviations in them, and what is rarely short for a concept."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import marisa_trie
import numpy as np
import pytest

from snapshots.annotator.doubting.rare_abbreviations import RareAbbreviations
from snapshots.annotator.names.abbreviated_names import AbbreviatedNames
from snapshots.csr import CSR
from snapshots.naming.aliases import Aliases, AliasSense
from snapshots.naming.names import ARTICLE, DISAMBIGUATION, RECORD, REDIRECT
from snapshots.strings import StringTable

STATES, SENATE, COURT, SECRETARY, CURRENT, OBSCURE, NAVY, OTHER, CHOICE = range(9)
TITLES = [
    *("United States", "United States Senate", "Supreme Court of the United States"),
    *("United States Secretary of State", "Direct current", "Obscure Group", "United States Navy"),
    *("Unknown Species", "United States House"),
]
NAMED = {
    "US": [AliasSense(STATES, 0.9, ("stated",)), AliasSense(OTHER, 0.1, ("stated",))],
    "DC": [AliasSense(CURRENT, 1.0, ("stated",))],
    "OG": [AliasSense(OBSCURE, 1.0, ("stated",))],
    "UX": [AliasSense(STATES, 0.4, ("stated",)), AliasSense(OTHER, 0.4, ("stated",))],
    "UB": [AliasSense(STATES, 1.0, ("bold",))],
}
LINKS = [5, 1, 1, 1, 5, 0, 1, 0, 1]


def aliases() -> Aliases:
    return cast(Aliases, SimpleNamespace(named=lambda name: NAMED.get(name, [])))


def in_links() -> CSR:
    return CSR(np.concatenate([[0], np.cumsum(LINKS)]), np.zeros(sum(LINKS), np.int32), None, 500)


def found(text: str, language: str = "en") -> list[tuple[str, int]]:
    kinds = {NAVY: REDIRECT, CHOICE: DISAMBIGUATION}
    records = [(title, (kinds.get(at, ARTICLE), at)) for at, title in enumerate(TITLES)]
    names = AbbreviatedNames(
        StringTable.of(TITLES), marisa_trie.RecordTrie(RECORD, records), aliases(), in_links(), language
    )
    return [(text[one.start : one.end], one.concept) for one in names.found(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The US Senate met the U.S. Navy.", [("US Senate", SENATE), ("U.S. Navy", NAVY)]),
        ("The US\u00a0Senate Hall", [("US\u00a0Senate", SENATE)]),
        ("The U.S. Supreme Court's rule", [("U.S. Supreme Court", COURT)]),
        ("US Secretary of State John Kerry", [("US Secretary of State", SECRETARY)]),
        ("The U.S. economy and the US economy", [("U.S.", STATES)]),
        ("The US senate", []),
        ("The US House", []),  # which may be several things
        ("In D.C. there is direct current.", []),  # no name
        ("The O.G. came.", []),  # few articles link to it
        ("The UX Senate", []),  # nobody's, for the most part
        ("The UB Senate", []),  # nobody states it
        ("The NOUS Senate and the US-Senate", []),
        ("They told us. Senate", []),
    ],
)
def test_names_with_abbreviations(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


def test_a_language_whose_titles_are_not_known() -> None:
    assert found("The US Senate and the US Supreme Court", "xx") == [("US Senate", SENATE)]


def test_what_is_rarely_short_for_a_concept() -> None:
    rare = RareAbbreviations(aliases(), in_links())
    assert rare.has("OG", OBSCURE)
    assert not rare.has("og", OBSCURE)
    assert not rare.has("O.G.", OBSCURE)
    assert not rare.has("US", STATES)  # which many articles link to
    assert not rare.has("OG", SENATE)
    assert rare.has("US", OTHER)
