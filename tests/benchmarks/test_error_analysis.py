"""Kinds of pairs, and the errors of models on each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from app.serving.starter import snapshot_path
from benchmarks.error_analysis import errors, kinds_table, known_sides, worst_table
from benchmarks.pair_kinds import KINDS, OPPOSITES, PairTraits
from benchmarks.shared_words import kinds_of
from measures.arrays import Floats
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark, Judgement
from training.coverage import CoveredPairs

PAIRS = (
    ("Lung cancer", "Cancer", "a"),
    ("War", "Peace", "a"),
    ("Mahatma Gandhi", "Jazz", "b"),
    ("United States", "Photosynthesis", "b"),
    ("Cancer", "Boxing", "b"),
    ("Insulin", "Insulin", "c"),
)


@pytest.fixture(scope="module")
def traits() -> PairTraits:
    snapshot = Snapshot.open(snapshot_path())
    resolver = Resolver.open(snapshot)
    ends = [[resolver.resolve(title).concept for title in pair[:2]] for pair in PAIRS]
    left, right = np.array(ends, np.int64).T
    topics = ("a", "b", "c")
    topic = np.array([topics.index(pair[2]) for pair in PAIRS], np.int64)
    return PairTraits(snapshot, CoveredPairs(left, right, np.linspace(0, 1, len(PAIRS)), topic, topics))


def chosen(traits: PairTraits, kind: str) -> list[str]:
    return [PAIRS[place][0] for place in np.flatnonzero(KINDS[kind](traits)).tolist()]


def test_the_kinds_of_pairs_of_the_starter(traits: PairTraits) -> None:
    assert chosen(traits, "all") == [pair[0] for pair in PAIRS]
    assert chosen(traits, "hypernyms") == ["Lung cancer"]
    assert chosen(traits, "antonyms") == ["War"]
    assert {"Mahatma Gandhi", "United States"} <= set(chosen(traits, "a named entity"))
    assert set(chosen(traits, "generic concepts")).isdisjoint(chosen(traits, "a named entity"))
    assert len(chosen(traits, "generic concepts")) + len(chosen(traits, "a named entity")) == len(PAIRS)
    assert "United States" in chosen(traits, "a hub")


def test_a_pair_is_unseen_if_no_other_topic_has_a_side_of_it(traits: PairTraits) -> None:
    # Cancer stands in topics a and b, so that both of its pairs are seen.
    assert chosen(traits, "both unseen") == ["War", "Mahatma Gandhi", "United States", "Insulin"]


def test_pairs_of_terms_are_told_apart_by_articles_and_by_topics() -> None:
    pairs = [
        Judgement("Tea", "Oolong leaf", 0.9, "tea", 2),
        Judgement("Tea", "Water", 0.5, "tea", 3),
        Judgement("Deluge myth", "Water", 0.7, "floods", 4),
        Judgement("Deluge myth", "Ark builders", 0.8, "floods", 5),
    ]
    benchmark = Benchmark("tiny", "", tuple(pairs))
    kinds = known_sides(benchmark, {"Oolong leaf", "Deluge myth", "Ark builders"})
    assert {kind: np.flatnonzero(chosen).tolist() for kind, chosen in kinds.items()} == {
        "all": [0, 1, 2, 3],
        "both sides have an article": [1],
        "one has": [0, 2],
        "neither has": [3],
        "both unseen": [0, 3],  # Water stands in two topics
        "both unseen, and an article is missing": [0, 3],
    }


def test_rarely_linked_pairs_are_those_of_few_in_links(traits: PairTraits) -> None:
    rare = KINDS["one rarely linked"](traits)
    least = np.minimum(traits.in_links[traits.pairs.left], traits.in_links[traits.pairs.right])
    assert np.array_equal(rare, least <= 3)


def test_opposites_stand_in_order_and_once() -> None:
    assert list(OPPOSITES) == sorted(set(OPPOSITES))
    assert all(list(pair) == sorted(pair) for pair in OPPOSITES)
    assert all(title == title.lower() for pair in OPPOSITES for title in pair)


def test_errors_by_hand() -> None:
    gold = np.array([0.0, 0.5, 1.0] * 4)
    assert errors(gold, gold + 0.25) == ("+0.250", "0.250", "1.000 / 1.000")
    assert errors(gold[:3], gold[:3] - 0.25) == ("−0.250", "0.250", "–")
    assert errors(gold, np.full(12, 0.5))[2] == "–"


def test_the_tables_are_of_each_kind_and_of_the_worst() -> None:
    gold = np.array([0.0, 1.0, 0.5])
    predicted: dict[str, Floats] = {
        "one": np.array([0.1, 1.0, 0.5]),
        "other": np.array([0.2, 0.1, 0.5]),
    }
    every = np.ones(3, np.bool_)
    kinds = {"all": every, "few": np.array([True, False, False]), "none": ~every}
    table = kinds_table(kinds, gold, predicted)
    assert table.columns[3:6] == ("bias, one", "RMSE, one", "r / ρ, one")
    assert table.columns[6:] == ("bias, other", "RMSE, other", "r / ρ, other")
    assert table.rows[1] == ("few", 1, "0.000", "+0.100", "0.100", "–", "+0.200", "0.200", "–")
    assert table.rows[2] == ("none", 0, *"–" * 7)
    known = SimpleNamespace(pairs=SimpleNamespace(scores=gold), titles=[("a", "b"), ("c", "d"), ("e", "f")])
    worst = worst_table(cast(PairTraits, known), kinds, predicted)
    assert worst.rows[0] == ("c – d", "", "+0.00", "−0.90")
    assert worst.rows[1] == ("a – b", "few", "+0.10", "+0.20")


def test_pairs_by_a_word_in_common_and_by_links(traits: PairTraits) -> None:
    kinds = kinds_of(traits)
    assert np.sum(list(kinds.values()), axis=0).tolist() == [1, 1, 1, 1, 1, 0]
    assert [PAIRS[at][0] for at in np.flatnonzero(kinds["a word in common, articles link to both"])] == [
        "Lung cancer"
    ]
    assert not kinds["a word in common, no article does"].any()
    assert kinds["no word in common, articles link to both"][1], "War and Peace"
