"""Titles that are a name and a legal form, as senses of the name."""

from __future__ import annotations

import marisa_trie
import numpy as np
import pytest

from snapshots.annotator.names.companies import Companies
from snapshots.csr import CSR
from snapshots.naming.names import ARTICLE, RECORD, REDIRECT


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
    leading = marisa_trie.RecordTrie(
        RECORD,
        [(title, (kind, row)) for row, (title, kind) in enumerate(zip(titles, kinds, strict=True))],
    )
    links = [49, 9, 0, 20, 20, 20]
    indptr = np.cumsum([0, *links])
    companies = Companies(leading, CSR(indptr, np.zeros(indptr[-1], np.int32), None, 100))
    (of_shops,) = companies.senses("target", [0])  # Target, Inc. has less than a share of 0.05
    assert of_shops.concept == 1
    assert of_shops.share == pytest.approx(10 / 61)
    assert companies.senses("target", [0, 1]) == []
    assert companies.senses("target", []) == []
    assert companies.senses("target", [200]) == []
    assert companies.senses("new target", [0]) == []
