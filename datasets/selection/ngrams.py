"""The n-grams that dominate a topic: Levy et al. 2015, section 3.2; release notes of TR9856, section 2.3.

Sentences are those of all topics' articles together. A 3-gram is a candidate where it occurs three times or
more in the topic's articles and neither starts nor ends with a stop word; its lexicon are the candidates that
the hypergeometric test finds over-represented in the topic's sentences. 2-grams follow, their occurrences
within selected 3-grams ignored, and then 1-grams.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.selection.over_representation import log_p_value, over_represented
from datasets.selection.texts import Document
from snapshots.text import words

Gram = tuple[str, ...]
"""The words of a term, lower-cased."""


@dataclass(frozen=True, slots=True)
class NgramLexicon:
    """The n-grams of a topic, the most over-represented first.

    ``log_p`` float64[n], the natural logarithm of p before correction; ``tests``: how many were tested.
    """

    terms: tuple[Gram, ...]
    log_p: NDArray[np.float64]
    tests: int


class Sentences:
    """The sentences of the articles of all topics, each article's once, and where n-grams occur in them."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.words: list[list[str]] = []
        self._of: dict[str, range] = {}
        for title, document in documents.items():
            first = len(self.words)
            self.words += [cut for sentence in document.sentences() if (cut := words(sentence))]
            self._of[title] = range(first, len(self.words))
        self._places: dict[int, dict[Gram, list[int]]] = {}

    def __len__(self) -> int:
        return len(self.words)

    def of(self, titles: Sequence[str]) -> list[int]:
        """The sentences of some articles."""
        return sorted({number for title in titles for number in self._of[title]})

    def with_gram(self, gram: Gram) -> list[int]:
        """The sentences that have an n-gram, ascending."""
        length = len(gram)
        if length not in self._places:
            places: dict[Gram, list[int]] = defaultdict(list)
            for number, sentence in enumerate(self.words):
                for one in set(_grams(sentence, length)):
                    places[one].append(number)
            self._places[length] = dict(places)
        return self._places[length].get(gram, [])


def ngram_lexicon(
    sentences: Sentences,
    topic: Sequence[int],
    length: int,
    longer: AbstractSet[Gram],
    stop_words: AbstractSet[str],
    minimum: int = 3,
    level: float = 0.05,
) -> NgramLexicon:
    """The lexicon of n-grams of one length.

    ``topic``: the topic's sentences; ``longer``: n-grams within which an occurrence is ignored, in all texts;
    ``minimum``: occurrences in the topic's articles.
    """
    occurrences: Counter[Gram] = Counter()
    seen: Counter[Gram] = Counter()
    for number in topic:
        free = Counter(free_grams(sentences.words[number], length, longer))
        occurrences.update(free)
        seen.update(free.keys())
    candidates = sorted(
        gram
        for gram, times in occurrences.items()
        if times >= minimum and gram[0] not in stop_words and gram[-1] not in stop_words
    )
    hidden = _hidden(sentences, length, longer)
    marked = np.array([len(sentences.with_gram(gram)) - hidden[gram] for gram in candidates], np.int64)
    times = np.array([seen[gram] for gram in candidates], np.int64)
    log_p = log_p_value(len(sentences), marked, len(topic), times)
    order = np.argsort(log_p, kind="stable")  # terms of the same p in their own order
    kept = order[over_represented(log_p[order], len(candidates), level)]
    return NgramLexicon(tuple(candidates[place] for place in kept), log_p[kept], len(candidates))


def free_grams(sentence: Sequence[str], length: int, longer: AbstractSet[Gram]) -> Iterator[Gram]:
    """The n-grams of a sentence, but for those that stand within one of the ``longer``.

    >>> taken = {("nonpartisan", "blanket", "primary")}
    >>> list(free_grams("a nonpartisan blanket primary election".split(), 2, taken))
    [('a', 'nonpartisan'), ('primary', 'election')]
    """
    covered = [
        (start, start + size)
        for size in {len(gram) for gram in longer}
        for start, gram in enumerate(_grams(sentence, size))
        if gram in longer
    ]
    for start, gram in enumerate(_grams(sentence, length)):
        if not any(first <= start and start + length <= last for first, last in covered):
            yield gram


def _grams(sentence: Sequence[str], length: int) -> Iterator[Gram]:
    return zip(*(sentence[place:] for place in range(length)), strict=False)


def _hidden(sentences: Sentences, length: int, longer: AbstractSet[Gram]) -> Counter[Gram]:
    """In how many sentences each n-gram has no occurrence but within one of the ``longer``."""
    affected = {number for gram in longer for number in sentences.with_gram(gram)}
    hidden: Counter[Gram] = Counter()
    for number in affected:
        sentence = sentences.words[number]
        hidden.update(set(_grams(sentence, length)) - set(free_grams(sentence, length, longer)))
    return hidden
