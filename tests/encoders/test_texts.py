"""What an encoder is told of a concept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from encoders.texts import LONGEST, described, opening

TEXT = st.text(alphabet="ab .", max_size=30)


@given(TEXT.filter(str.strip), st.lists(TEXT))
def test_a_description_has_the_title_and_is_bounded(title: str, paragraphs: list[str]) -> None:
    begins = opening(title, paragraphs)
    assert len(begins) <= LONGEST
    assert described(title, begins).casefold().startswith(title.casefold())
