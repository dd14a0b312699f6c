"""The annotator on twenty paragraphs that were marked by hand."""

from __future__ import annotations

import pytest

import wort
from benchmarks.paragraphs import Paragraph, counted, figures, intervals, paragraphs


@pytest.fixture(scope="module")
def read() -> list[Paragraph]:
    return paragraphs()


def test_what_is_marked_is_there(read: list[Paragraph]) -> None:
    assert len(read) == 20
    with wort.open() as answers:
        for paragraph in read:
            for title in paragraph.right.values():
                (side,) = answers.resolve([title])
                assert side.title == title
            assert "[[" not in paragraph.text


def test_it_finds_most_and_is_right_most_of_the_time(read: list[Paragraph]) -> None:
    with wort.open() as answers:
        counts = [counted(answers, paragraph, None) for paragraph in read]
    said = figures(counts)
    # Two or three annotations below what docs/annotator.md has.
    assert said.precision > 0.91
    assert said.recall > 0.91
    for of, (low, high) in zip(said, intervals(counts), strict=True):
        assert low < of < high


def test_what_is_missing_or_wrong_costs() -> None:
    paragraph = Paragraph("Charles Darwin.", {(0, 14): "Charles Darwin"}, {(0, 14): "Charles Darwin"})
    other = Paragraph("Charles Darwin.", {(0, 7): "Prince Charles"}, {(0, 7): "Prince Charles"})
    with wort.open() as answers:
        assert figures([counted(answers, paragraph, None)]) == (1, 1, 1)
        assert figures([counted(answers, other, None)]) == (0, 0, 0)
