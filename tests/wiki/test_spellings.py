"""Other spellings of a title are few, and none of them is the title."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wiki.spellings import otherwise_dotted, otherwise_spelt

WORDS = ["the", "The", "Jr.", "2", "WW2", "two", "colour", "'s", "\u2019s", "-", "a", "U.S.", "mcdonalds"]

typed = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join))


@given(title=typed, language=st.sampled_from(["en", "de", ""]))
def test_other_spellings_are_few_and_others(title: str, language: str) -> None:
    written = " ".join(title.split())
    spelt = [*otherwise_dotted(written), *otherwise_spelt(written, language)]
    assert written not in spelt
    assert all(other.strip() for other in spelt)
    assert len(spelt) <= 60
