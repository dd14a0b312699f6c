"""The annotator on headlines and queries that were marked by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest

import wort
from benchmarks.paragraphs import counted, figures
from benchmarks.short_texts import LEAST, WRITINGS, short_texts, written


@pytest.fixture(scope="module")
def answers() -> Iterator[wort.in_process.Wort]:
    with wort.open() as opened:
        yield opened


def test_what_is_marked_is_there(answers: wort.in_process.Wort) -> None:
    for text in chain.from_iterable(short_texts()):
        assert "[[" not in text.text
        titles = list(text.right.values())
        assert [side.title for side in answers.resolve(titles)] == titles


@pytest.mark.parametrize("how", WRITINGS)
def test_most_is_found_and_right(answers: wort.in_process.Wort, how: str) -> None:
    texts = chain.from_iterable(short_texts())
    asked = [text._replace(text=written(text.text, how)) for text in texts]
    said = figures([counted(answers, text, LEAST) for text in asked])
    # Two or three annotations below what docs/annotator.md has; 0.7 were found without surnames.
    assert said.precision > 0.84
    assert said.recall > 0.82
