"""Random wikis: any size, from a seed, with every kind of gap that a real one has."""

from __future__ import annotations

import numpy as np

from tests.wikis.small_wiki import SmallWiki


def random_wiki(seed: int, concepts: int = 20, words: int = 15) -> SmallWiki:
    """A wiki of ``concepts`` rows, in a universe a third larger, and ``words`` known words.

    Links and mentions fall on low ids more often, so that there are hubs and islands. Some concepts have no
    categories, no vectors, no links; some titles share words, have unknown words, or have no words at all.
    """
    random = np.random.default_rng(seed)
    universe = concepts + concepts // 3
    vocabulary = tuple(f"w{i}" for i in range(words))
    known = max(1, words)  # where there are no words at all, titles have unknown ones

    def some(limit: int, most: int) -> list[int]:
        """Up to ``most`` numbers below ``limit``, low ones more often."""
        chosen = (limit * random.random(random.integers(0, most + 1)) ** 2).astype(int)
        return [int(i) for i in chosen] if limit else []

    def weights(limit: int) -> dict[int, float]:
        return {i: float(random.integers(1, 100)) for i in some(limit, 6)}

    titles = []
    for _ in range(concepts):
        of_title = {f"w{i}" for i in some(known, 3)}
        if random.random() < 0.2:
            of_title.add(f"unknown {random.integers(3)}")
        titles.append(frozenset(of_title))
    apart = np.random.default_rng([seed, 1])

    def encoded() -> tuple[int, ...]:
        """A vector, or none: of numbers that 8 bits hold, of which one is the largest that there is."""
        numbers = apart.integers(-127, 128, 5)
        numbers[apart.integers(5)] = 127
        return tuple(numbers.tolist()) if apart.random() < 0.8 else ()

    return SmallWiki(
        titles=tuple(f"Concept {i}" for i in range(concepts)),
        universe=universe,
        links=frozenset(
            (source, target) for source in range(universe) for target in some(universe, 8) if target != source
        ),
        categories=tuple(frozenset(f"Category {i}" for i in some(6, 2)) for _ in range(concepts)),
        title_words=tuple(titles),
        words=vocabulary,
        sentences=tuple(frozenset(f"w{i}" for i in some(words, 5)) for _ in range(3 * words)),
        vectors={
            word: tuple(float(x) for x in random.normal(size=7))
            for word in vocabulary
            if random.random() < 0.8
        },
        paragraphs=tuple(frozenset(some(universe, 5)) for _ in range(2 * concepts)),
        contexts=tuple(weights(universe) for _ in range(concepts)),
        tfidf=tuple({f"w{i}": x for i, x in weights(words).items()} for _ in range(concepts)),
        esa=tuple(weights(universe) for _ in range(concepts)),
        title_vectors=tuple(encoded() for _ in range(concepts)),
        lead_vectors=tuple(encoded() for _ in range(concepts)),
    )
