"""Names with accents that their titles lack, with the starter."""

from __future__ import annotations

import pytest

from snapshots.annotator import Annotator
from tests.support.annotated import starter_annotator, titles_in


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


def test_a_title_may_have_accents_in_a_text(starter: Annotator) -> None:
    found = titles_in(starter, "He moved from Perú to Canadá and México.")
    assert found == {"Perú": "Peru", "Canadá": "Canada", "México": "Mexico"}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Pelé played football in Brazil.", "Pelé"),
        ("He worked in Nuevo México, a state.", "México"),
        ("She met Inés Canadá there.", "Canadá"),
        ("A perú is eaten there.", "perú"),
        ("Later Ángel came home.", "Ángel"),
    ],
)
def test_other_words_with_accents_mean_no_other_title(starter: Annotator, text: str, word: str) -> None:
    """What has a title of its own, is a word of a name, has no capital, or is a noun."""
    assert titles_in(starter, text).get(word) not in ("Pele", "Mexico", "Canada", "Peru", "Angel")
