"""Target bigrams: Asaadi et al. 2019, section 3.1, "Wikipedia".

Of the adjective-noun and noun-noun bigrams of a corpus those are targets whose transpose is one as well, both
with a frequency above a threshold. The more frequent of the two is AB, the other BA.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from datasets.selection.tagging import Tagged

Bigram = tuple[str, str]
"""Two words, lower-cased."""

PATTERNS: Mapping[tuple[str | None, str | None], str] = {
    ("a", "n"): "adjective-noun",
    ("n", "n"): "noun-noun",
}
"""The noun phrases of two words that count."""


class TransposedBigram(NamedTuple):
    """A bigram whose transpose is one too, with its frequency and that of the transpose."""

    bigram: Bigram
    pattern: str
    frequency: int
    transposed: int


class BigramCounts:
    """How often each bigram is a noun phrase in a corpus, by pattern."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[Bigram, str]] = Counter()

    def add(self, sentence: Iterable[Tagged]) -> None:
        """Count the bigrams of a tagged sentence; a name makes none, nor what is not of letters alone."""
        for left, right in pairwise(sentence):
            pattern = PATTERNS.get((left.part, right.part))
            if pattern is not None and all(one.word.isalpha() and not one.name for one in (left, right)):
                self._counts[(left.word.lower(), right.word.lower()), pattern] += 1

    def targets(self, threshold: int) -> list[TransposedBigram]:
        """The targets, the most frequent first; of two as frequent, AB is the first in the alphabet."""
        patterns: dict[Bigram, Counter[str]] = {}
        for (bigram, pattern), times in self._counts.items():
            patterns.setdefault(bigram, Counter())[pattern] += times
        targets = []
        for (left, right), counted in patterns.items():
            frequency = counted.total()
            transposed = patterns.get((right, left), Counter[str]()).total()
            is_first = (-frequency, (left, right)) < (-transposed, (right, left))
            if left != right and is_first and transposed > threshold:
                pattern = max(sorted(counted), key=counted.__getitem__)
                targets.append(TransposedBigram((left, right), pattern, frequency, transposed))
        return sorted(targets, key=lambda target: (-target.frequency, target.bigram))
