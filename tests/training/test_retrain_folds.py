"""Folds: no pair on both sides, topics whole, and concepts kept together where they can be."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from training.retraining.folds import FOLDS, Folds, folds_of, shared_between


def made(pairs: list[tuple[int, int]], topics: list[str | None]) -> Folds:
    left, right = np.array(pairs, np.int64).reshape(-1, 2).T
    return folds_of(left, right, topics)


def test_topics_are_the_folds_where_each_pair_has_one() -> None:
    folds = made([(0, 1), (2, 3), (0, 4), (5, 6)], ["a", "b", "a", "c"])
    assert (folds.kind, folds.count, folds.number.tolist()) == ("topics", 3, [0, 1, 0, 2])
    assert folds.shared == 0


def test_very_many_topics_are_left_out_several_at_once() -> None:
    topics = [f"topic {number // 3}" for number in range(3 * 501)]
    folds = made([(number, 9000 + number) for number in range(len(topics))], [*topics])
    assert (folds.kind, folds.count) == ("topic-groups", 100)
    assert (folds.number.reshape(-1, 3) == folds.number[::3, None]).all()
    assert set(np.bincount(folds.number).tolist()) <= {15, 18}


def test_pairs_that_share_no_concept_need_no_fold_in_common() -> None:
    pairs = [(2 * number, 2 * number + 1) for number in range(40)]
    folds = made(pairs, [None] * 40)
    assert (folds.kind, folds.count, folds.shared) == ("components", FOLDS, 0)
    assert np.bincount(folds.number).tolist() == [4] * FOLDS


def test_pairs_that_all_hang_together_go_with_their_hub() -> None:
    pairs = [(hub, 100 + 10 * hub + other) for hub in range(20) for other in range(6)]
    pairs += [(hub, hub + 1) for hub in range(19)]
    folds = made(pairs, [None] * len(pairs))
    assert (folds.kind, folds.count) == ("hubs", FOLDS)
    spokes = np.array(folds.number[:120]).reshape(20, 6)
    assert (spokes == spokes[:, :1]).all()
    # What the chain of hubs makes two folds share, by hand: every hub stands in two of the chain's pairs.
    assert folds.shared > 0


def test_topics_stay_whole_beside_pairs_without_one() -> None:
    pairs = [(number, 1000 + number) for number in range(60)]
    topics = ["a"] * 20 + ["b"] * 10 + [None] * 30
    folds = made(pairs, topics)
    assert len(set(folds.number[:20].tolist())) == len(set(folds.number[20:30].tolist())) == 1
    assert folds.count == FOLDS


pairs_and_topics = st.lists(
    st.tuples(st.integers(0, 15), st.integers(16, 30), st.sampled_from(["a", "b", None])),
    min_size=1,
    max_size=80,
    unique_by=lambda entry: entry[:2],
)


@given(pairs_and_topics)
def test_every_pair_has_a_fold_and_shared_concepts_are_counted(
    entries: list[tuple[int, int, str | None]],
) -> None:
    folds = made([entry[:2] for entry in entries], [entry[2] for entry in entries])
    assert set(folds.number.tolist()) == set(range(folds.count))
    for topic in ("a", "b"):
        assert (
            len({fold for fold, entry in zip(folds.number, entries, strict=True) if entry[2] == topic}) <= 1
        )
    # The oracle: pair by pair, against all pairs of other folds.
    shared = sum(
        any(
            folds.number[one] != folds.number[two] and {*entries[one][:2]} & {*entries[two][:2]}
            for two in range(len(entries))
        )
        for one in range(len(entries))
    )
    left, right, _ = (np.array(column) for column in zip(*entries, strict=True))
    assert folds.shared == shared_between(left, right, folds.number) == shared
    if folds.kind == "components":
        bare = [(fold, entry) for fold, entry in zip(folds.number, entries, strict=True) if entry[2] is None]
        for fold, entry in bare:
            for other_fold, other in bare:
                assert fold == other_fold or not {*entry[:2]} & {*other[:2]}
