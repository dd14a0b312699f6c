"""``python -m benchmarks.short_texts``: does the annotator find what headlines and queries are about?

The lines of ``short_texts.txt`` were written for this and marked by hand, as those of ``paragraphs.txt`` are:
before anything was measured, but for what is right as well. The first half was looked at while surnames were
worked on; the second was written together with it, and nothing was chosen by it. A mention may have nothing
to be found: Cook and Root are none that the starter has. Each line is asked as it is written, as headlines
are with capitals everywhere, and as queries are with none.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import wort
from benchmarks.paragraphs import Paragraph, counted, figures, intervals, marked

TEXT = Path(__file__).parent / "short_texts.txt"
HALVES = ("looked at", "apart")
WRITINGS = ("as written", "capitals everywhere", "no capitals")
LEAST = 0.2
"""The ρ that annotations have by default, at least."""

_WORD = re.compile(r"[^\W\d_][\w'’]*")
_SMALL = frozenset(
    ("a", "and", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with")
)


def short_texts() -> list[list[Paragraph]]:
    """Both halves."""
    return [[marked(line) for line in half.split("\n")] for half in TEXT.read_text().strip().split("\n\n")]


def written(text: str, how: str) -> str:
    """A text in another writing, of the same length.

    >>> [written("Trump met Putin in Helsinki", how) for how in WRITINGS[1:]]
    ['Trump Met Putin in Helsinki', 'trump met putin in helsinki']
    """
    if how == WRITINGS[2]:
        return text.lower()
    if how == WRITINGS[0]:
        return text
    return _WORD.sub(lambda word: word[0] if word[0] in _SMALL else word[0][0].upper() + word[0][1:], text)


def main() -> None:
    """Print the table of docs/annotator.md, and what is missing or wrong of the texts as they are written."""
    with wort.open() as answers:
        print("| | texts | precision | recall | F1 |\n|---|--:|---|---|---|")
        for how in WRITINGS:
            for name, texts in zip(HALVES, short_texts(), strict=True):
                asked = [text._replace(text=written(text.text, how)) for text in texts]
                counts = [counted(answers, text, LEAST) for text in asked]
                of_each = zip(figures(counts), intervals(counts), strict=True)
                cells = [f"{of:.2f} ({low:.2f} to {high:.2f})" for of, (low, high) in of_each]
                print(f"| {how}, {name} | {len(texts)} | {' | '.join(cells)} |")
        for text in chain.from_iterable(short_texts()):
            found = {(one.start, one.end): one.title for one in answers.annotate(text.text).annotations}
            wrong = [title for span, title in found.items() if text.right.get(span) != title]
            missing = [title for span, title in text.wanted.items() if found.get(span) != title]
            if wrong or missing:
                print(f"{text.text} wrong: {', '.join(wrong) or '-'}; missing: {', '.join(missing) or '-'}")


if __name__ == "__main__":
    main()
