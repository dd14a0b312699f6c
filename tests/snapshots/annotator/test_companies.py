"""Titles that are a name and a legal form, as senses of the name."""

from __future__ import annotations

import pytest

from snapshots.annotator.names.companies import Companies
from snapshots.naming.names import ARTICLE, REDIRECT
from tests.support.leading import leading_and_links


def test_a_company_has_its_share_of_the_links() -> None:
    titles = [
        "Target",
        "Target Corporation",
        "Target, Inc.",
        "Target AG",
        "Target practice",
        "New Target Inc.",
    ]
    kinds = [ARTICLE, ARTICLE, ARTICLE, REDIRECT, ARTICLE, ARTICLE]
    companies = Companies(*leading_and_links(titles, kinds, [49, 9, 0, 20, 20, 20]))
    (of_shops,) = companies.senses("target", [0])  # Target, Inc. has less than a share of 0.05
    assert of_shops.concept == 1
    assert of_shops.share == pytest.approx(10 / 61)
    assert companies.senses("target", [0, 1]) == []
    assert companies.senses("target", []) == []
    assert companies.senses("target", [200]) == []
    assert companies.senses("new target", [0]) == []
