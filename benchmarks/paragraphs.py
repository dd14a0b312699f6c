"""``python -m benchmarks.paragraphs``: does the annotator find what a careful reader would link?

The twenty paragraphs of ``paragraphs.txt`` were written for this. ``[[Title|words]]`` is to be found; that
was marked before anything was measured. ``[[?Title|words]]`` is right where it is found, and nothing is
missing without it: a second mention, or a thing that everybody knows. That was marked by hand as well, of
what the annotator had found. Only concepts of the starter snapshot are marked.

An annotation is right if its words and its concept are those of a mark. Precision is the share of annotations
that are right, recall the share of what is to be found that is. Intervals are of 2,000 draws of twenty
paragraphs with replacement, at 95 %.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import wort

TEXT = Path(__file__).parent / "paragraphs.txt"
MARK = re.compile(r"\[\[(\??)([^]|]+)(?:\|([^]]+))?\]\]")
LEAST = (0.0, 0.1, 0.2, 0.3, 0.4)
"""The values of ``min_rho`` that are compared."""

DRAWS = 2000
SEED = 1

Span = tuple[int, int]


class Paragraph(NamedTuple):
    """A text, and which concepts stand where in it: those to be found, and those that are right as well."""

    text: str
    wanted: dict[Span, str]
    right: dict[Span, str]


class Counted(NamedTuple):
    """Of one paragraph: the annotations, those that are right, what was to be found, what of it was found."""

    annotated: int
    right: int
    wanted: int
    found: int


def marked(source: str) -> Paragraph:
    """A paragraph, read off its marks.

    >>> marked("A [[cat]] and [[?Dog|dogs]].")
    Paragraph(text='A cat and dogs.', wanted={(2, 5): 'Cat'}, right={(2, 5): 'Cat', (10, 14): 'Dog'})
    """
    text, end = "", 0
    wanted: dict[Span, str] = {}
    right: dict[Span, str] = {}
    for mark in MARK.finditer(source):
        text += source[end : mark.start()]
        words, title = mark[3] or mark[2], mark[2][0].upper() + mark[2][1:]
        span = (len(text), len(text) + len(words))
        right[span] = title
        if not mark[1]:
            wanted[span] = title
        text, end = text + words, mark.end()
    return Paragraph(text + source[end:], wanted, right)


def paragraphs() -> list[Paragraph]:
    """The twenty."""
    return [marked(source.strip()) for source in TEXT.read_text().split("\n\n")]


def counted(answers: wort.in_process.Wort, paragraph: Paragraph, min_rho: float | None) -> Counted:
    """What the annotator makes of a paragraph; ``min_rho``: None for what the snapshot was built with."""
    annotations = answers.annotate(paragraph.text, min_rho=min_rho).annotations
    found = {(one.start, one.end): one.title for one in annotations}
    return Counted(
        len(found),
        sum(paragraph.right.get(span) == title for span, title in found.items()),
        len(paragraph.wanted),
        sum(found.get(span) == title for span, title in paragraph.wanted.items()),
    )


class Figures(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def figures(counts: Sequence[Counted]) -> Figures:
    """Those of some paragraphs together."""
    total = Counted(*np.sum(counts, axis=0).tolist())
    precision, recall = total.right / max(1, total.annotated), total.found / total.wanted
    return Figures(precision, recall, 2 * precision * recall / (precision + recall or 1))


def intervals(counts: Sequence[Counted]) -> list[tuple[float, float]]:
    """Within which each figure lies, at 95 %, the paragraphs drawn anew."""
    rng = np.random.default_rng(SEED)
    drawn = rng.integers(0, len(counts), (DRAWS, len(counts)))
    every = np.array([figures([counts[place] for place in row]) for row in drawn])
    low, high = np.quantile(every, (0.025, 0.975), axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def main() -> None:
    """Print the table of docs/annotator.md, and what is wrong where nothing else is asked for."""
    read = paragraphs()
    with wort.open() as answers:
        print("| least ρ | precision | recall | F1 |\n|---|---|---|---|")
        for least in LEAST:
            counts = [counted(answers, paragraph, least) for paragraph in read]
            of_each = zip(figures(counts), intervals(counts), strict=True)
            cells = [f"{of:.2f} ({low:.2f} to {high:.2f})" for of, (low, high) in of_each]
            print(f"| {least} | {' | '.join(cells)} |")
        for paragraph in read:
            for one in answers.annotate(paragraph.text).annotations:
                expected = paragraph.right.get((one.start, one.end))
                if expected != one.title:
                    print(f"wrong: {one.mention} → {one.title}, and not {expected}")


if __name__ == "__main__":
    main()
