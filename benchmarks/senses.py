"""``python -m benchmarks.senses``: does the annotator know what a short sentence means by a word?

A row of ``senses.csv`` is a sentence, a mention in it, and the concept that it has there. Where that is
``wanted`` it is to be found; elsewhere finding nothing is as good, since a snapshot may lack it. Each is
asked alone, and with a concept that it is about as context. Of the sets, ``given`` was looked at while the
annotator was made; ``apart`` and ``kept`` were written before, and nothing was chosen by them: in ``apart``
the word hardly ever has this sense, in ``kept`` it nearly always has.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import wort

SENTENCES = Path(__file__).parent / "senses.csv"


class Sentence(NamedTuple):
    """A row of the file."""

    set: str
    text: str
    mention: str
    right: str
    wanted: bool
    context: str


def sentences() -> list[Sentence]:
    """All of the file."""
    with SENTENCES.open(newline="", encoding="utf-8") as lines:
        return [Sentence(**row | {"wanted": row["wanted"] == "yes"}) for row in csv.DictReader(lines)]


def found(answers: wort.in_process.Wort, sentence: Sentence, context: bool) -> str | None:
    """The title of what the mention of a sentence is taken for, None where it is taken for nothing."""
    start = sentence.text.index(sentence.mention)
    end = start + len(sentence.mention)
    around = [sentence.context] if context else []
    for one in answers.annotate(sentence.text, context=around).annotations:
        if one.start < end and start < one.end:
            return one.title
    return None


def is_right(sentence: Sentence, title: str | None) -> bool:
    """Whether a sentence is annotated as it should be."""
    return title == sentence.right or (title is None and not sentence.wanted)


def judged(answers: wort.in_process.Wort) -> Iterator[tuple[Sentence, bool, str | None]]:
    """Each sentence, alone and in its context, and what its mention is taken for."""
    for sentence in sentences():
        for context in (False, True):
            yield sentence, context, found(answers, sentence, context)


def main() -> None:
    """Print how many are right, and which are wrong."""
    right, asked = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    with wort.open() as answers:
        for sentence, context, title in judged(answers):
            asked[sentence.set, context] += 1
            right[sentence.set, context] += is_right(sentence, title)
            if not is_right(sentence, title):
                about = f" (about {sentence.context})" if context else ""
                print(f"{sentence.set}: {sentence.text}{about} {sentence.mention} → {title}")
    for (name, context), number in sorted(asked.items()):
        print(f"{name}, {'in a context' if context else 'alone'}: {right[name, context]} of {number}")


if __name__ == "__main__":
    main()
