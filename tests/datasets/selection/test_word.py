"""WORD's protocol: properties of what it draws, and the figures of the data that it made."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.selection.selection import generator
from datasets.selection.word import (
    Pair,
    WordSettings,
    draw_pairs,
    lexicon_of,
    training_articles,
)
from tests.datasets.selection.test_over_representation import exact_p

ARTICLE = -1


def drawn(size: int, seed: int = 1, **settings: object) -> list[Pair]:
    return draw_pairs(range(size), ARTICLE, WordSettings(**settings), generator(seed, "test"))  # type: ignore[arg-type]


@given(st.integers(0, 60), st.integers(0, 5), st.booleans())
def test_no_pair_stands_twice_or_is_of_one_concept(size: int, seed: int, replacement: bool) -> None:
    pairs = drawn(size, seed, replacement=replacement)
    assert len({frozenset(pair[:2]) for pair in pairs}) == len(pairs)
    assert all(left != right and left in range(size) for left, right, _ in pairs)
    for _, right, step in pairs:
        assert (right == ARTICLE) == (step == "article")


@given(st.integers(0, 60), st.integers(0, 5))
def test_there_are_as_many_as_wanted_or_as_can_be(size: int, seed: int) -> None:
    steps = Counter(step for _, _, step in drawn(size, seed))
    assert steps["article"] == min(40, size)
    assert steps["lexicon"] == min(120, size * (size - 1) // 2)


@given(st.integers(0, 300), st.integers(0, 5))
def test_without_replacement_the_first_sides_are_different(size: int, seed: int) -> None:
    pairs = drawn(size, seed, replacement=False)
    firsts = [left for left, _, _ in pairs]
    assert len(set(firsts)) == len(firsts)
    assert len(pairs) <= min(160, size)
    if size >= 161:
        assert len(pairs) == 160


def test_two_thirds_of_the_articles_are_for_training() -> None:
    titles = [str(number) for number in range(123)]
    train = training_articles(titles, 2 / 3, seed=1)
    assert len(train) == 82
    assert train == training_articles(titles[::-1], 2 / 3, seed=1), "the order of the list is nothing to it"
    assert train != training_articles(titles, 2 / 3, seed=2)


@given(st.dictionaries(st.integers(0, 9), st.integers(1, 6), min_size=1), st.integers(6, 9))
def test_a_lexicon_is_what_the_exact_test_keeps(seen: dict[int, int], units: int) -> None:
    whole = Counter(seen) + Counter({concept: concept for concept in seen})
    found = lexicon_of(Counter(seen), units, whole.__getitem__, 200, WordSettings())
    exact = {one: exact_p(200, whole[one], units, times) * len(seen) for one, times in seen.items()}
    assert set(found.concepts.tolist()) == {one for one, p in exact.items() if p <= 0.05}
    assert found.log_p.tolist() == sorted(found.log_p.tolist())
    assert found.tests == len(seen)


@pytest.fixture(scope="module")
def topics(data_dir: Path) -> dict[str, list[tuple[str, str]]]:
    """The pairs of WORD's train split, by article."""
    with (data_dir / "word" / "word_train.csv").open(newline="") as file:
        by_topic = defaultdict(list)
        for row in csv.DictReader(file):
            by_topic[row["source_article"]].append((row["concept1"], row["concept2"]))
    return dict(by_topic)


def concepts_of(topic: str, pairs: list[tuple[str, str]]) -> Counter[str]:
    """How often each concept but the article's own stands in the pairs of an article."""
    return Counter(concept for pair in pairs for concept in pair if concept != topic)


def test_the_smallest_lexicon_of_word_gave_as_many_pairs_as_ours_does(
    topics: dict[str, list[tuple[str, str]]],
) -> None:
    topic, pairs = min(topics.items(), key=lambda item: len(concepts_of(*item)))
    lexicon = concepts_of(topic, pairs)
    assert (topic, len(lexicon), len(pairs)) == ("Beauty pageant", 27, 147)
    assert len(drawn(len(lexicon))) == 147, "27 with the article, 120 among themselves"
    assert len(drawn(len(lexicon), replacement=False)) < 30, "so WORD drew with replacement"


def test_concepts_stand_in_as_many_pairs_as_in_word(topics: dict[str, list[tuple[str, str]]]) -> None:
    """Lexicons of the sizes that make WORD's numbers of different concepts likeliest."""
    theirs: list[int] = []
    ours: list[int] = []
    for topic, pairs in topics.items():
        times = concepts_of(topic, pairs)
        theirs += times.values()
        size = lexicon_size(len(times), times.total())
        made = Counter(one for pair in drawn(size, hash_of(topic)) for one in pair[:2] if one != ARTICLE)
        ours += made.values()
    assert np.mean(np.array(theirs) > 1) == pytest.approx(0.48, abs=0.005)
    assert np.mean(np.array(ours) > 1) == pytest.approx(np.mean(np.array(theirs) > 1), abs=0.03)


def lexicon_size(different: int, draws: int) -> int:
    """The size of which so many draws with replacement are expected to give so many different concepts."""
    sizes = np.arange(different, 40 * different)
    expected = sizes * (1 - (1 - 1 / sizes) ** draws)
    return int(sizes[np.argmin(np.abs(expected - different))])


def hash_of(topic: str) -> int:
    return sum(topic.encode())
