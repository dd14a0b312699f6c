"""Other spellings of a title are few, and none of them is the title."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki.punctuation import otherwise_signed, plainly_signed
from wiki.spellings import otherwise_written, shortened

WORDS = [
    *("the", "The", "Jr.", "2", "WW2", "two", "colour", "'s", "\u2019s", "-", "a", "U.S.", "mcdonalds"),
    *("St", "a-b", "\u2013"),
]

typed = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join))


@given(title=typed, language=st.sampled_from(["en", "de", ""]))
def test_other_spellings_are_few_and_others(title: str, language: str) -> None:
    written = " ".join(title.split())
    spelt = [*otherwise_signed(written), *otherwise_written(written, language)]
    assert written not in spelt
    assert all(other.strip() for other in spelt)
    assert len(spelt) <= 90


@given(title=typed)
def test_other_signs_leave_the_letters(title: str) -> None:
    letters = "".join(filter(str.isalnum, title))
    for other in otherwise_signed(title):
        assert "".join(filter(str.isalnum, other)) == letters
    assert plainly_signed(plainly_signed(title)) == plainly_signed(title)


@given(title=typed)
def test_without_a_language_letters_are_left_too(title: str) -> None:
    letters = "".join(filter(str.isalnum, title.upper()))
    others = otherwise_written(title, None)
    assert {"".join(filter(str.isalnum, other.upper())) for other in others} <= {letters}


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("a\u2010b", "a-b"),
        ("a\u2011b", "a\u2013b"),
        ("a\u2014b", "a-b"),
        ("a\u2212b", "a\u2014b"),
        ("a-b-c", "a-b\u2013c"),
        ("a-b-c", "a\u2013b-c"),
        ("a-b-c", "a\u2013b\u2013c"),
        ("Wall's", "Wall\u2019s"),
        ("Wall\u02bcs", "Wall's"),
        ("\u2026 one", "... one"),
        ("Dr No", "Dr. No"),
        ("Dr. No", "Dr No"),
        ("John F Kennedy", "John F. Kennedy"),
    ],
)
def test_other_signs(typed: str, title: str) -> None:
    assert title in otherwise_signed(typed)


def test_no_dot_is_set_behind_a_word_alone_or_a_long_one() -> None:
    assert otherwise_signed("Dog") == otherwise_signed("Great Danes") == []
    assert otherwise_signed("Mr Danes") == ["Mr. Danes"]


def test_names_in_short() -> None:
    assert shortened("saint-Louis", "en") == shortened("Saint", "en") == shortened("Saint Louis", "de") == []
    assert shortened("Fort Worth", "en") == ["Ft. Worth"]
