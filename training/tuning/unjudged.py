"""Texts that nobody judged: what a dump has to say, for an encoder to learn from a larger one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from encoders.texts import described, opening
from snapshots.text import words

ARTICLES = 30_000
"""Articles that are read, drawn at random where a dump has more."""

WORDS, PHRASES = 40_000, 60_000
"""The most frequent words, and pairs of words that follow each other, that are texts of their own."""

FUNCTION_WORDS = 150
"""So many of the most frequent words say nothing alone, and are in no pair."""

RARE = 5
"""A word that is written fewer times is often a mistake."""

SENTENCES = 2
"""Of an article, from as many paragraphs behind its first."""

BEGINNING = 420
"""Characters of an article's beginning: about what an encoder reads."""

_SHORTEST, _LONGEST = 30, 250
"""Characters of a sentence."""

_SENTENCE_END = re.compile(r"(?<=[.!?。])\s+")


def articles_to_read(titles: Sequence[str], seed: int, most: int = ARTICLES) -> list[str]:
    """The titles of the articles to read: all, or ``most`` of them drawn at random."""
    if len(titles) <= most:
        return list(titles)
    drawn = np.random.default_rng(seed).choice(len(titles), most, replace=False)
    return [titles[place] for place in np.sort(drawn).tolist()]


def unjudged_texts(articles: Mapping[str, Sequence[str]], seed: int) -> tuple[str, ...]:
    """Texts of all lengths: titles, beginnings, sentences, words and pairs of words, each once.

    ``articles``: their first paragraphs, by title.
    """
    random = np.random.default_rng(seed)
    titles = sorted(articles)
    beginnings = [described(title, opening(title, articles[title])[:BEGINNING]) for title in titles]
    sentences = [
        sentence for title in titles for sentence in _sentences(articles[title][1:], random) if sentence
    ]
    single, pairs = _frequent(paragraph for title in titles for paragraph in articles[title])
    return tuple(dict.fromkeys([*titles, *beginnings, *sentences, *single, *pairs]))


def _sentences(paragraphs: Sequence[str], random: np.random.Generator) -> list[str]:
    """A sentence of each of a few paragraphs."""
    found = []
    for place in random.permutation(len(paragraphs))[:SENTENCES].tolist():
        fit = [
            sentence
            for sentence in _SENTENCE_END.split(paragraphs[place])
            if _SHORTEST < len(sentence) < _LONGEST
        ]
        if fit:
            found.append(fit[int(random.integers(len(fit)))])
    return found


def _frequent(paragraphs: Iterable[str]) -> tuple[list[str], list[str]]:
    """The most frequent words, and pairs of them that follow each other, in lower case."""
    lines = [words(paragraph) for paragraph in paragraphs]
    counts = Counter(word for line in lines for word in line)
    said = {word for word, count in counts.items() if count >= RARE and not word.isdigit()}
    said -= {word for word, _ in counts.most_common(FUNCTION_WORDS)}
    pairs = Counter(
        f"{first} {second}"
        for line in lines
        for first, second in pairwise(line)
        if first in said and second in said
    )
    single = [word for word, _ in counts.most_common() if word in said]
    return single[:WORDS], [pair for pair, _ in pairs.most_common(PHRASES)]
