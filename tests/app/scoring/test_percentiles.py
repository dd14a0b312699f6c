"""Percentiles: exact where all pairs are taken, within their standard error where some are drawn."""

from __future__ import annotations

import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring import percentiles
from app.scoring.model_kinds import load_concept_model
from app.scoring.percentiles import PercentileScale, linked_pairs, random_pairs
from app.serving.starter import model_path, snapshot_path
from features.catalogue import named
from features.extract import extract
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot
from tests.support.patience import BRIEF, PATIENCE
from tests.support.served import toy_scorer
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import write_snapshot
from tests.wikis.toy import LINKS, TITLES, concept, toy_snapshot
from wort.schemas.evidence import Percentiles


def rank(value: float, others: list[float]) -> float:
    """The percentile rank of a value, one other at a time."""
    return 100 * mean(1.0 if other < value else 0.5 if other == value else 0.0 for other in others)


@pytest.fixture(scope="module")
def starter() -> tuple[Snapshot, Any]:
    return Snapshot.open(snapshot_path()), load_concept_model(model_path())


def test_the_toy_wiki_has_every_pair_and_every_link(tmp_path: Path) -> None:
    scorer = toy_scorer(tmp_path)

    def score(left: int, right: int) -> float:
        return float(
            scorer.model.score(extract(scorer.snapshot, [left], [right], named(scorer.model.reads)))[0]
        )

    pairs = [score(a, b) for a, b in combinations(range(len(TITLES)), 2)]
    links = [
        score(concept(source), concept(target))
        for source, targets in LINKS.items()
        for target in targets.split(", ")
    ]
    asked = np.array([*pairs[::5], 0.0, 0.1, 1.0, 0.37])
    scale = PercentileScale(scorer.snapshot, scorer.model)
    for value, found in zip(asked.tolist(), scale.of(asked), strict=True):
        assert found.random == pytest.approx(rank(value, pairs), abs=0.005)
        assert found.linked == pytest.approx(rank(value, links), abs=0.005)
    assert scale.of(asked[:0]) == []


def test_links_to_what_an_excerpt_leaves_out_are_not_drawn(tmp_path: Path) -> None:
    for seed in range(5):
        wiki = random_wiki(seed)
        snapshot = write_snapshot(wiki, tmp_path / str(seed))
        rows = len(wiki.titles)
        left, right = linked_pairs(snapshot, 10_000)
        expected = sorted((a, b) for a, b in wiki.links if max(a, b) < rows)
        assert any(min(link) < rows <= max(link) for link in wiki.links)
        assert sorted(zip(left.tolist(), right.tolist(), strict=True)) == expected
        drawn = linked_pairs(snapshot, 20)
        assert len(drawn.left) == min(20, len(expected))
        assert set(zip(drawn.left.tolist(), drawn.right.tolist(), strict=True)) <= set(expected)


def test_wikis_too_small_for_a_percentile(tmp_path: Path) -> None:
    model = toy_scorer(tmp_path / "toy").model
    for concepts, expected in ((0, Percentiles()), (1, Percentiles()), (2, Percentiles(random=50.0))):
        unlinked = replace(random_wiki(3, concepts=concepts), links=frozenset())
        snapshot = write_snapshot(unlinked, tmp_path / str(concepts))
        of_one_pair = np.array([0.5])
        if concepts == 2:
            of_one_pair = model.score(extract(snapshot, [0], [1], named(model.reads)))
        assert PercentileScale(snapshot, model).of(of_one_pair) == [expected]


@given(st.integers(0, 400), st.integers(0, 300))
def test_random_pairs_are_of_two_concepts(concepts: int, count: int) -> None:
    left, right = random_pairs(concepts, count)
    assert len(left) == len(right) == min(count, concepts * (concepts - 1) // 2)
    assert not (left == right).any()
    assert all(((side >= 0) & (side < concepts)).all() for side in (left, right))


def test_each_pair_and_each_link_is_as_likely(tmp_path: Path) -> None:
    """Over many draws the counts are those of a uniform draw: a chi-squared statistic near its mean."""
    snapshot = toy_snapshot(tmp_path / "toy")
    count = 60
    pairs, links = random_pairs(12, count), linked_pairs(snapshot, 25)
    assert len(links.left) == 25
    assert len(set(zip(*map(np.ndarray.tolist, pairs), strict=True))) > 30
    many = random_pairs(400, 79_000)
    cells = np.bincount(np.minimum(*many) // 40 * 10 + np.maximum(*many) // 40, minlength=100)
    expected = np.zeros(100)
    for a, b in combinations(range(400), 2):
        expected[a // 40 * 10 + b // 40] += 79_000 / (400 * 399 / 2)
    used = expected > 0
    statistic = ((cells[used] - expected[used]) ** 2 / expected[used]).sum()
    assert 20 < statistic < 100  # 54 degrees of freedom: mean 54, standard deviation 10.4


def test_samples_are_within_their_standard_error(starter: tuple[Snapshot, Any]) -> None:
    """The percentiles of the sample against those of other pairs, drawn in another way, many more."""
    snapshot, model = starter
    scale = PercentileScale(snapshot, model)
    random = np.random.default_rng(7)
    first, second = random.integers(0, snapshot.concepts, (2, 20_000))
    apart = first != second
    drawn = extract(snapshot, first[apart], second[apart], named(model.reads))
    others = np.sort(model.score(drawn))
    table = snapshot.csr("out_links")
    rows = np.repeat(np.arange(table.rows), np.diff(table.indptr))
    inside = table.indices < snapshot.concepts
    chosen = random.choice(np.flatnonzero(inside), 20_000, replace=False)
    linked = np.sort(model.score(extract(snapshot, rows[chosen], table.indices[chosen], named(model.reads))))
    for p in (0.5, 0.75, 0.9, 0.99, 0.999):
        allowed = 4.5 * 100 * np.sqrt(p * (1 - p) * (1 / percentiles.SAMPLE + 1 / 20_000)) + 0.01
        for name, known in (("random", others), ("linked", linked)):
            value = np.quantile(known, p)
            (found,) = scale.of(np.array([value]))
            exact = rank(float(value), known.tolist())
            assert getattr(found, name) == pytest.approx(exact, abs=allowed), (name, p)


def test_percentiles_never_fall_as_scores_rise(starter: tuple[Snapshot, Any]) -> None:
    found = PercentileScale(*starter).of(np.linspace(0, 1, 1001))
    for name in ("random", "linked"):
        values = [getattr(one, name) for one in found]
        assert values == sorted(values)
        assert 0 <= values[0] < values[-1] <= 100


def test_every_process_has_the_same_and_draws_once(
    starter: tuple[Snapshot, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = np.linspace(0, 1, 50)
    expected = PercentileScale(*starter).of(scores)
    calls: list[int] = []

    def counted(*arguments: Any) -> Any:
        calls.append(1)
        return extract(*arguments)

    monkeypatch.setattr(percentiles, "extract", counted)
    scale = PercentileScale(*starter)
    scale.begin(patience=0)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(scale.of, [scores] * 16)) == [expected] * 16
    assert len(calls) == 2 * percentiles.READERS


def test_a_start_does_not_wait_for_a_slow_disk(
    starter: tuple[Snapshot, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is begun goes on; who asks meanwhile waits, and gets what everybody gets."""
    read = threading.Event()

    def slow(*arguments: Any) -> Any:
        assert read.wait(PATIENCE)
        return extract(*arguments)

    expected = PercentileScale(*starter).of(np.array([0.3]))
    monkeypatch.setattr(percentiles, "extract", slow)
    scale = PercentileScale(*starter)
    scale.begin(patience=BRIEF)  # returns, though nothing is read
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(scale.of, np.array([0.3]))
        assert not asked.done()
        read.set()
        assert asked.result(PATIENCE) == expected


def test_a_start_waits_for_what_is_quick_and_meets_what_is_wrong(
    starter: tuple[Snapshot, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def fails(*_: Any) -> Any:
        calls.append(1)
        raise OSError("no such table")

    scale = PercentileScale(*starter)
    scale.begin(patience=PATIENCE)
    monkeypatch.setattr(percentiles, "extract", fails)
    scale.of(np.array([0.3]))
    assert not calls
    with pytest.raises(OSError, match="no such table"):
        PercentileScale(*starter).begin(patience=PATIENCE)


def test_links_are_drawn_without_a_look_at_all_of_them(tmp_path: Path) -> None:
    """Two hundred million links fit on no heap: this table has them on paper alone."""
    snapshot = toy_snapshot(tmp_path / "toy")
    links = 200_000_000
    # A broadcast array has as many entries and no memory.
    indices = np.broadcast_to(np.int32(5), (links,))
    table = CSR(np.linspace(0, links, 13).astype(np.int64), indices, None, snapshot.concepts)
    snapshot._opened["out_links"] = table
    tracemalloc.start()
    try:
        left, right = linked_pairs(snapshot, 1000)
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()
    assert set(left.tolist()) == set(range(12))
    assert (right == 5).all()
