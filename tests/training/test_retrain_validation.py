"""What becomes of a user's judgements before anything is learnt from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapshots.naming.resolution import Resolution
from training.benchmarks.judgements import Benchmark, Judgement
from training.errors import BadRow, TooFewPairs
from training.retraining.validate import (
    DistinctPairs,
    JudgedSet,
    Validation,
    check_enough,
    check_folds,
    validate,
)

CONCEPTS = {"Cat": 0, "Felis catus": 0, "Dog": 1, "Pet": 2, "Music": 3, "Piano": 4}
"""Titles and their concepts; one is a redirect, and what stands not here is unknown."""


class Titles:
    """A resolver of ``CONCEPTS``."""

    def resolve_many(self, references: Sequence[str | int]) -> list[Resolution]:
        return [
            Resolution("ok", CONCEPTS[str(title)]) if title in CONCEPTS else Resolution("unknown")
            for title in references
        ]


def judged_set(
    *rows: tuple[str, str, float, str | None], own: bool = True, name: str = "mine.csv"
) -> JudgedSet:
    judgements = tuple(Judgement(*row, line) for line, row in enumerate(rows, start=2))
    return JudgedSet(Benchmark(name, "00", judgements), own)


def validated(*sets: JudgedSet) -> tuple[DistinctPairs, Validation]:
    done = validate(sets, Titles())
    return done.judged, done.validation


def found(validation: Validation) -> dict[str, int]:
    return {finding.name: finding.count for finding in validation.findings}


def test_a_clean_file_has_no_findings() -> None:
    judged, validation = validated(judged_set(("Cat", "Dog", 0.5, "a"), ("Cat", "Pet", 0.25, "b")))
    assert validation == Validation(rows=2, own=2, pairs=2, own_pairs=2, findings=())
    assert judged.scores.tolist() == [0.5, 0.25]
    assert list(zip(judged.left.tolist(), judged.right.tolist(), strict=True)) == [(0, 1), (0, 2)]
    assert [row.topic for row in judged.rows] == ["a", "b"]


@pytest.mark.parametrize(
    ("again", "how"),
    [
        (("Cat", "Dog"), "as written"),
        (("Dog", "Cat"), "swapped sides"),
        (("Felis catus", "Dog"), "other titles"),
        (("Dog", "Felis catus"), "other titles"),
    ],
)
@pytest.mark.parametrize("score", [0.5, 0.9])
def test_rows_of_one_pair_become_one(again: tuple[str, str], how: str, score: float) -> None:
    judged, validation = validated(judged_set(("Cat", "Dog", 0.5, "a"), (*again, score, "a")))
    name = "repeated" if score == 0.5 else "conflicting"
    assert found(validation) == {name: 1}
    (entry,) = validation.findings[0].entries
    assert (entry.how, entry.rows, entry.scores) == (how, ("mine.csv:2", "mine.csv:3"), (0.5, score))
    assert judged.scores.tolist() == [pytest.approx((0.5 + score) / 2)]


def test_a_pair_in_two_topics_stays_in_its_first() -> None:
    judged, validation = validated(judged_set(("Cat", "Dog", 0.5, "a"), ("Dog", "Cat", 0.5, "b")))
    assert found(validation) == {"repeated": 1, "several-topics": 1}
    assert validation.findings[1].entries[0].topics == ("a", "b")
    assert [row.topic for row in judged.rows] == ["a"]


def test_what_cannot_be_learnt_from_is_counted_and_listed() -> None:
    rows = [("Cat", "Dog", 0.1 * number, None) for number in range(11)]
    judged, validation = validated(
        judged_set(
            *rows, ("Cat", "Unicorn", 0.5, None), ("Cat", "Felis catus", 0.3, None), ("Cat", "Pet", 7.0, None)
        )
    )
    assert found(validation) == {"out-of-range": 1, "unresolved": 1, "identical": 1, "conflicting": 1}
    by_name = {finding.name: finding.entries[0] for finding in validation.findings}
    assert by_name["out-of-range"].scores == (7.0,)
    assert by_name["out-of-range"].rows == ("mine.csv:15",)
    assert by_name["unresolved"].right == "Unicorn"
    assert (by_name["identical"].left, by_name["identical"].right) == ("Cat", "Felis catus")
    assert len(judged.rows) == 1


def test_a_users_score_holds_over_that_of_a_base_set() -> None:
    base = judged_set(("Dog", "Cat", 0.0, "base topic"), ("Cat", "Pet", 0.2, "x"), own=False, name="base.csv")
    own = judged_set(("Cat", "Dog", 0.8, None))
    for sets in ((own, base), (base, own)):
        judged, validation = validated(*sets)
        by_pair = dict(
            zip(zip(judged.left.tolist(), judged.right.tolist(), strict=True), judged.scores, strict=True)
        )
        assert {frozenset(pair): score for pair, score in by_pair.items()} == {
            frozenset({0, 1}): 0.8,
            frozenset({0, 2}): 0.2,
        }
        assert validation.own_pairs == 1
        assert found(validation) == {"conflicting": 1}
        assert {row.topic for row in judged.rows} == {"base topic", "x"}


def test_another_scale_is_put_on_ours_or_refused() -> None:
    rows = (("Cat", "Dog", 10.0, None), ("Cat", "Pet", 0.0, None), ("Dog", "Pet", 4.0, None))
    with pytest.raises(BadRow, match=r"line 2.*2 of 3.*--low and --high"):
        validated(judged_set(*rows))
    judged = validate([JudgedSet(judged_set(*rows).benchmark, True, 0.0, 10.0)], Titles()).judged
    assert judged.scores.tolist() == [1.0, 0.0, 0.4]


def test_too_little_is_refused() -> None:
    judged, _ = validated(judged_set(("Cat", "Dog", 0.5, "a"), ("Cat", "Pet", 0.25, "b")))
    with pytest.raises(TooFewPairs, match=r"2 distinct pairs.*--with-benchmark"):
        check_enough(judged)
    with pytest.raises(TooFewPairs, match="2 topics"):
        check_folds(2)
    same, _ = validated(judged_set(("Cat", "Dog", 0.5, "a"), ("Cat", "Pet", 0.5, "b")))
    with pytest.raises(TooFewPairs, match=r"score 0\.5"):
        check_enough(same, least_pairs=2)


titles = st.sampled_from([*CONCEPTS, "Unicorn"])
scores = st.sampled_from([0.0, 0.25, 0.5, 1.0])
topics = st.sampled_from(["a", "b", None])
rows = st.lists(st.tuples(titles, titles, scores, topics), min_size=1, max_size=30)


marked = st.lists(st.sampled_from(["Train", "Test", "no article"]), min_size=30, max_size=30)


def set_of(
    rows: list[tuple[str, str, float, str | None]], marks: list[str], own: bool, name: str
) -> JudgedSet:
    """The rows as a file's reader gives them: those marked Test, or without an article, are but counted."""
    read = [row for row, mark in zip(rows, marks, strict=False) if mark == "Train"]
    counts = Counter(marks[: len(rows)])
    made = judged_set(*read, own=own, name=name)
    benchmark = replace(made.benchmark, other_split=counts["Test"], absent=counts["no article"])
    return replace(made, benchmark=benchmark)


@given(rows, rows, marked)
def test_every_row_is_accounted_for_and_every_pair_distinct(
    all_own: list[tuple[str, str, float, str | None]],
    all_base: list[tuple[str, str, float, str | None]],
    marks: list[str],
) -> None:
    sets = set_of(all_own, marks, True, "mine.csv"), set_of(all_base, marks, False, "base.csv")
    judged, validation = validated(*sets)
    own, base = (
        [row for row, mark in zip(part, marks, strict=False) if mark == "Train"]
        for part in (all_own, all_base)
    )
    assert validation.rows + validation.other_split + validation.absent == len(all_own) + len(all_base)
    coverage = validate(sets, Titles()).coverage
    assert (coverage.other_split, coverage.absent) == (validation.other_split, validation.absent)
    # The oracle: rows by the set of their concepts.
    by_pair: dict[frozenset[int], list[tuple[bool, float]]] = {}
    for mine, part in ((True, own), (False, base)):
        for left, right, score, _ in part:
            if left in CONCEPTS and right in CONCEPTS and CONCEPTS[left] != CONCEPTS[right]:
                by_pair.setdefault(frozenset((CONCEPTS[left], CONCEPTS[right])), []).append((mine, score))
    expected = {}
    for pair, of_pair in by_pair.items():
        counted = [score for mine, score in of_pair if mine] or [score for _, score in of_pair]
        expected[pair] = sum(counted) / len(counted)
    pairs = [frozenset(ends) for ends in zip(judged.left.tolist(), judged.right.tolist(), strict=True)]
    assert len(set(pairs)) == len(pairs) == validation.pairs
    assert dict(zip(pairs, judged.scores.tolist(), strict=True)) == pytest.approx(expected)
    assert validation.rows == len(own) + len(base)
    counts = found(validation)
    merged_away = sum(
        len(entry.rows) - 1
        for finding in validation.findings
        if finding.name in {"repeated", "conflicting"}
        for entry in finding.entries
    )
    left_out = sum(counts.get(name, 0) for name in ("out-of-range", "unresolved", "identical"))
    assert validation.pairs == validation.rows - left_out - merged_away
    assert np.array_equal(judged.own, [any(mine for mine, _ in by_pair[pair]) for pair in pairs])
