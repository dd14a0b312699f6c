"""What an encoder is shown: each pair once a pass, a topic a batch; and the folds of topics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.benchmarks.judgements import Benchmark, Judgement
from training.errors import BadRow, TooFewPairs
from training.tuning.examples import JudgedTexts, batches, dealt
from training.tuning.settings import Tuning

TOPICS = st.lists(st.integers(0, 6), min_size=12, max_size=60)


def _pairs(topics: list[int], openings: dict[str, str] | None = None) -> JudgedTexts:
    judgements = tuple(
        Judgement(f"a{row}", f"b{row % 5}", (row % 11) / 10, f"t{topic}", row)
        for row, topic in enumerate(topics)
    )
    return JudgedTexts.of(Benchmark("x", "0", judgements), openings or {})


@given(TOPICS.filter(lambda topics: len(set(topics)) > 1), st.integers(1, 9), st.integers(0, 3))
def test_a_pass_shows_each_pair_once_and_a_batch_is_of_one_topic(
    topics: list[int], size: int, number: int
) -> None:
    pairs = _pairs(topics)
    shown = []
    for batch in batches(pairs, Tuning(batch=size), number):
        assert 0 < len(batch.left) <= size
        assert len(set(batch.texts)) == len(batch.texts)
        sides = [
            (batch.texts[left], batch.texts[right], share)
            for left, right, share in zip(batch.left, batch.right, batch.shares, strict=True)
        ]
        of = [next(row for row, left in enumerate(pairs.left) if left == side[0]) for side in sides]
        assert len({topics[row] for row in of}) == 1
        shown += sides
    assert sorted(shown) == sorted(zip(pairs.left, pairs.right, pairs.shares.tolist(), strict=True))


def test_batches_are_the_same_for_a_seed_and_a_pass_and_differ_between_passes() -> None:
    pairs = _pairs([0, 1, 2] * 12)
    first, again, other = (batches(pairs, Tuning(batch=4), number) for number in (0, 0, 1))
    assert [batch.texts for batch in first] == [batch.texts for batch in again]
    assert [batch.texts for batch in first] != [batch.texts for batch in other]


def test_a_side_is_shown_with_its_beginning_as_often_as_asked() -> None:
    openings = {f"a{row}": f"A thing of number {row}." for row in range(400)}
    pairs = _pairs([0, 1] * 200, openings)
    texts = [
        text for batch in batches(pairs, Tuning(openings=0.25), 0) for text in batch.texts if text[0] == "a"
    ]
    opened = sum(". A thing" in text for text in texts)
    assert len(texts) == 400
    assert 60 < opened < 140


def test_pairs_of_one_topic_are_refused() -> None:
    with pytest.raises(TooFewPairs, match="all pairs are of the topic t0"):
        _pairs([0, 0, 0])


@given(TOPICS, st.integers(1, 4), st.integers(0, 5))
def test_folds_are_of_whole_topics_and_nearly_equal(topics: list[int], folds: int, seed: int) -> None:
    topic = np.array(topics)
    if len(set(topics)) < folds:
        with pytest.raises(TooFewPairs, match="Ask for fewer folds"):
            dealt(topic, folds, seed)
        return
    fold_of = dealt(topic, folds, seed)
    assert all(len(set(fold_of[topic == one].tolist())) == 1 for one in set(topics))
    sizes = np.bincount(fold_of, minlength=folds)
    largest = np.bincount(topic).max()
    assert sizes.min() > 0
    assert sizes.max() - sizes.min() <= largest


def test_scores_outside_their_scale_are_an_error() -> None:
    judged = Benchmark("x", "0", (Judgement("a", "b", 0.4, "t", 1), Judgement("c", "d", 7.0, "u", 2)))
    with pytest.raises(BadRow, match="line 2: the score 7 is not between 0 and 1"):
        JudgedTexts.of(judged, {})


@pytest.mark.parametrize("number", [{"passes": 0}, {"judged": 0}, {"kept": 1.5}, {"openings": -0.1}])
def test_numbers_that_no_tuning_has_are_an_error(number: dict[str, float]) -> None:
    (name,) = number
    with pytest.raises(ValueError, match=name):
        Tuning(**number)  # type: ignore[arg-type]
