"""``python -m benchmarks.senses``: does the annotator know what a short sentence means by a word?

A row of ``senses.csv`` is a sentence, a mention in it, and the concept that it has there. Where that is
``wanted`` it is to be found; elsewhere finding nothing is as good, since a snapshot may lack it. Each is
asked alone, with a concept that it is about as context, and before and behind each of the others, which are
about something else. Of the sets, ``given`` was looked at while the annotator was made; ``apart`` and
``kept`` were written before, and nothing was chosen by them: in ``apart`` the word hardly ever has this
sense, in ``kept`` it nearly always has.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import wort

SENTENCES = Path(__file__).parent / "senses.csv"

BESIDE = "beside another"

WAYS = {"alone": "alone", "about": "in a context", "behind": BESIDE, "before": BESIDE}
"""How a sentence is asked, by the first word of what is said of it."""


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


def found(
    answers: wort.in_process.Wort,
    sentence: Sentence,
    context: bool = False,
    before: str = "",
    behind: str = "",
) -> str | None:
    """The title of what the mention of a sentence is taken for, None where it is taken for nothing.

    ``before`` and ``behind``: what stands there in the text.
    """
    start = len(before) + sentence.text.index(sentence.mention)
    end = start + len(sentence.mention)
    around = [sentence.context] if context else []
    for one in answers.annotate(before + sentence.text + behind, context=around).annotations:
        if one.start < end and start < one.end:
            return one.title
    return None


def is_right(sentence: Sentence, title: str | None) -> bool:
    """Whether a sentence is annotated as it should be."""
    return title == sentence.right or (title is None and not sentence.wanted)


def judged(answers: wort.in_process.Wort) -> Iterator[tuple[Sentence, str, str | None]]:
    """Each sentence, how it is asked, and what its mention is taken for."""
    every = sentences()
    for sentence in every:
        yield sentence, "alone", found(answers, sentence)
        yield sentence, f"about {sentence.context}", found(answers, sentence, context=True)
        for other in every:
            if other is not sentence:
                yield sentence, f"behind {other.text!r}", found(answers, sentence, before=f"{other.text} ")
                yield sentence, f"before {other.text!r}", found(answers, sentence, behind=f" {other.text}")


def main() -> None:
    """Print how many are right, and which are wrong."""
    right, asked = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    with wort.open() as answers:
        for sentence, way, title in judged(answers):
            kind = sentence.set, WAYS[way.split()[0]]
            asked[kind] += 1
            right[kind] += is_right(sentence, title)
            if not is_right(sentence, title):
                print(f"{sentence.set}, {way}: {sentence.text} {sentence.mention} → {title}")
    for (name, way), number in sorted(asked.items()):
        print(f"{name}, {way}: {right[name, way]} of {number}")


if __name__ == "__main__":
    main()
