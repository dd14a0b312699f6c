"""Co-aligned terms out of a phrase table: Asaadi et al. 2019, section 3.1, "Translation Phrase Table".

A phrase table in the format of Moses has a line for each English phrase E and foreign phrase F:

    English phrase ||| foreign phrase ||| scores ||| alignment ||| count of F, count of E, count of both

Two English phrases that are aligned with the same F are co-aligned. What "most frequent" counts is not
printed: here it is how often E and F are aligned, the last count; 1 where a table has no counts.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import Literal, NamedTuple

from datasets.selection.errors import UnusableInput

_SEPARATOR = " ||| "

Side = Literal["source", "target"]


class Aligned(NamedTuple):
    """An English phrase, a foreign one, and how often they are aligned."""

    english: tuple[str, ...]
    foreign: str
    times: int


def read_phrase_table(path: Path, english: Side = "source") -> Iterator[Aligned]:
    """The lines of a phrase table, gzipped or not; ``english``: which side is English.

    Raises:
        UnusableInput: a line is none of a phrase table.
    """
    with path.open("rb") as stored, TextIOWrapper(_inflated(stored), encoding="utf-8") as lines:
        try:
            for number, line in enumerate(lines, start=1):
                fields = [field.strip() for field in line.split(_SEPARATOR.strip())]
                if len(fields) < 3:
                    raise UnusableInput(
                        f"{path}: line {number} is not 'phrase ||| phrase ||| scores', as Moses writes it."
                    )
                left, right = fields[:2] if english == "source" else fields[1::-1]
                counts = fields[4].split() if len(fields) > 4 else []
                yield Aligned(tuple(left.lower().split()), right, _count(counts))
        except (UnicodeDecodeError, gzip.BadGzipFile, EOFError) as error:
            raise UnusableInput(f"{path} cannot be read as a phrase table in UTF-8: {error}.") from None


def co_aligned(
    path: Path, targets: Collection[tuple[str, str]], most: int, english: Side = "source"
) -> dict[tuple[str, str], list[str]]:
    """For each target the terms that are aligned with what it is aligned with, in the order of the alphabet.

    For each F of a target these are the ``most`` 1-grams and the ``most`` 2-grams, other than the target,
    that are most often aligned with F. Only words of letters count. The table is read twice.
    """
    of_target: dict[tuple[str, str], set[str]] = defaultdict(set)
    wanted = set(targets)
    for phrase, foreign, _ in read_phrase_table(path, english):
        if len(phrase) == 2 and phrase in wanted:
            of_target[phrase[0], phrase[1]].add(foreign)
    needed = set().union(*of_target.values())
    with_foreign: dict[str, dict[tuple[str, ...], int]] = defaultdict(dict)
    for phrase, foreign, times in read_phrase_table(path, english):
        if foreign in needed and len(phrase) in (1, 2) and all(word.isalpha() for word in phrase):
            with_foreign[foreign][phrase] = with_foreign[foreign].get(phrase, 0) + times
    return {
        target: sorted(
            {
                term
                for foreign in sorted(foreigns)
                for term in _most_frequent(with_foreign[foreign], target, most)
            }
        )
        for target, foreigns in of_target.items()
    }


def _most_frequent(counts: Mapping[tuple[str, ...], int], target: tuple[str, str], most: int) -> list[str]:
    ordered = sorted(counts, key=lambda phrase: (-counts[phrase], phrase))
    others = [phrase for phrase in ordered if phrase != target]
    return [
        " ".join(phrase)
        for length in (1, 2)
        for phrase in [one for one in others if len(one) == length][:most]
    ]


def _inflated(stored: BufferedReader) -> BufferedReader | gzip.GzipFile:
    """What a file holds, which gzip may have compressed."""
    return gzip.GzipFile(fileobj=stored) if stored.peek(2)[:2] == b"\x1f\x8b" else stored


def _count(counts: list[str]) -> int:
    return int(float(counts[-1])) if counts else 1
