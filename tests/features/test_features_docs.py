"""The page on the features is what the catalogue says."""

from __future__ import annotations

import pytest

from features.catalogue import FEATURE_NAMES
from features.reference import END, START, reference, written_into
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "features.md"


def test_the_page_has_the_reference() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written_into(page, reference()) == page, "run: python -m features.reference docs/features.md"


def test_the_reference_has_a_section_for_each_feature_in_order() -> None:
    headings = [line.removeprefix("### ") for line in reference().splitlines() if line.startswith("### ")]
    assert tuple(headings) == FEATURE_NAMES


def test_what_stands_around_the_reference_is_kept() -> None:
    page = written_into(f"before\n{START} old {END}\nafter\n", reference())
    assert page.startswith(f"before\n{START}\n")
    assert page.endswith(f"{END}\nafter\n")
    assert " old " not in page


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="has no <!-- reference: start"):
        written_into("no marks", reference())
