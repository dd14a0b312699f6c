"""Coverage: which judgements have their concepts, and what the others lack."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from snapshots.naming.resolution import Resolution
from tests.training.test_training import benchmark
from training.coverage import Coverage, UnresolvedTitle, cover, topics_of
from training.evaluation.columns import Gold, Sampling


class ToyRegistry:
    """Resolves the titles it was given, others as unknown, and those in capitals as ambiguous."""

    def __init__(self, concepts: dict[str, int]) -> None:
        self.concepts = concepts

    def resolve_many(self, references: Sequence[str | int]) -> list[Resolution]:
        return [self._resolve(str(reference)) for reference in references]

    def _resolve(self, title: str) -> Resolution:
        if title in self.concepts:
            return Resolution("ok", self.concepts[title], title)
        return Resolution("ambiguous" if title.isupper() else "unknown", title=title)


def test_what_is_covered_and_what_is_not() -> None:
    judged = benchmark(
        ("cat", "dog", 0.9, "pets"),
        ("cat", "unicorn", 0.5, "pets"),
        ("unicorn", "JAGUAR", 0.1, "beasts"),
        ("dog", "hound", 1.0, "beasts"),
        ("unicorn", "unicorn", 1.0, "beasts"),
    )
    pairs, coverage = cover(judged, ToyRegistry({"cat": 5, "dog": 7, "hound": 7}))
    assert pairs.left.tolist() == [5, 7]
    assert pairs.right.tolist() == [7, 7]
    assert pairs.scores.tolist() == [0.9, 1.0]
    assert [pairs.topics[number] for number in pairs.topic] == ["pets", "beasts"]
    assert pairs.identical.tolist() == [False, True]
    unresolved = (UnresolvedTitle("unicorn", "unknown", 3), UnresolvedTitle("JAGUAR", "ambiguous", 1))
    assert coverage == Coverage(5, 2, 1, 3, unresolved)


def test_many_titles_are_resolved_with_progress() -> None:
    titles = [f"title {number}" for number in range(250)]
    judged = benchmark(*((title, titles[0], 0.5, "t") for title in titles))
    counted: list[tuple[int, int | None]] = []
    toy_registry = ToyRegistry({title: number for number, title in enumerate(titles)})
    pairs, _ = cover(judged, toy_registry, lambda done, total: counted.append((done, total)))
    assert pairs.left.tolist() == list(range(250))
    assert counted[-1] == (250, 250)
    assert len(counted) > 1


@pytest.mark.parametrize(
    ("concepts", "covered"),
    [
        ({"Gdansk": 0, "Zürich": 1}, 1),
        ({"Gdansk": 0, "Zürich": 1, "Zòrich": 1}, 1),  # a redirect: still one concept
        ({"Gdansk": 0, "Zürich": 1, "Zòrich": 2}, 0),
        ({"Gdansk": 0}, 0),
    ],
)
def test_a_title_that_lost_letters_is_found_by_its_only_article(
    concepts: dict[str, int], covered: int
) -> None:
    spellings = {"Z?rich": ("Zürich", "Zòrich", "Zýrich")}
    judged = benchmark(("Z?rich", "Gdansk", 0.5, "cities"), spellings=spellings)
    pairs, coverage = cover(judged, ToyRegistry(concepts))
    assert coverage.resolved == covered
    assert pairs.left.tolist() == [1] * covered


def test_without_topics_each_pair_is_a_unit() -> None:
    pairs, _ = cover(benchmark(("a", "b", 0.1, None), ("b", "a", 0.2, None)), ToyRegistry({"a": 0, "b": 1}))
    assert (pairs.topic.tolist(), pairs.topics) == ([0, 1], ())


def test_pairs_of_one_topic_are_one_unit_though_other_pairs_have_none() -> None:
    number, names = topics_of(["a", None, "a", "b", None])
    assert (number.tolist(), names) == ([0, 1, 0, 2, 3], ())
    gold = Gold(np.arange(5.0), number, names)
    assert (gold.units, Sampling().of(gold).unit) == (4, "groups of pairs")
    assert Sampling(7).draws(gold).shape == (7, 4)
