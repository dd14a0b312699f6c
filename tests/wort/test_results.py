"""What answers print as: a line that says what was asked and what came of it."""

from __future__ import annotations

import pytest

from wort.schemas.relatedness import PairResult
from wort.schemas.sides import Matched, Resolved, Side


def result(matched: Matched | None, title: str | None) -> PairResult:
    """A pair of "deep learning", understood so, and Biology."""
    left = Side("deep learning", "ok", title, None, matched)
    return PairResult(score=0.5, status="ok", resolved=Resolved(left, Side(7, "ok", "Biology", 7, "page_id")))


@pytest.mark.parametrize(
    ("matched", "title", "shown"),
    [
        ("text", "Learning", "deep learning"),  # which the text contains, and is not all of it
        ("text", None, "deep learning"),
        ("redirect", "Deep neural network", "Deep neural network"),
        (None, None, "deep learning"),
    ],
)
def test_a_side_is_shown_by_its_article_and_a_text_as_it_is(
    matched: Matched | None, title: str | None, shown: str
) -> None:
    assert str(result(matched, title)) == f"{shown} | Biology: 0.50"
