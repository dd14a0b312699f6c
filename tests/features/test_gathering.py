"""The evidence that is gathered in one call, against the same by SciPy and NumPy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.serving.starter import snapshot_path
from features.gathering import Gathered, Overlap, gather, tables_of
from snapshots.snapshot import Snapshot
from tests.oracles.gathering import PlainGatherer
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import write_snapshot

CONCEPTS = 60
IDS = st.integers(0, CONCEPTS - 1)


def judge(gathered: Gathered, plain: Gathered) -> None:
    """Every part is the same to the last bit, but for the dots of word vectors."""
    parts: Iterable[tuple[str, Any, Any]] = zip(Gathered._fields, gathered, plain, strict=True)
    for name, found, expected in parts:
        if name == "word_dots":
            assert found == pytest.approx(expected, abs=1e-12)
        elif isinstance(found, tuple):
            for part, kept in zip(found, expected, strict=True):
                assert np.array_equal(part, kept), name
        else:
            assert np.array_equal(found, expected), name


@pytest.fixture(scope="module", params=["float32", "compact"])
def snapshot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    wiki = random_wiki(11, concepts=CONCEPTS, words=30)
    folder = tmp_path_factory.mktemp("gathered") / "wiki"
    return write_snapshot(wiki, folder, compact=request.param == "compact")


def test_all_pairs_of_a_random_wiki(snapshot: Snapshot) -> None:
    left, right = np.divmod(np.arange(CONCEPTS**2), CONCEPTS)
    judge(gather(tables_of(snapshot), left, right), PlainGatherer(snapshot).gather(left, right))


@given(pairs=st.lists(st.tuples(IDS, IDS), min_size=1, max_size=9))
def test_any_pairs_in_any_order(snapshot: Snapshot, pairs: list[tuple[int, int]]) -> None:
    left, right = np.array(pairs, np.int64).T.copy()
    judge(gather(tables_of(snapshot), left, right), PlainGatherer(snapshot).gather(left, right))


def test_real_rows_of_the_starter_snapshot() -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    snapshot = Snapshot.open(snapshot_path())
    left, right = np.random.default_rng(1).integers(0, snapshot.concepts, (2, 3000))
    judge(gather(tables_of(snapshot), left, right), PlainGatherer(snapshot).gather(left, right))


def test_no_pairs(snapshot: Snapshot) -> None:
    nothing = np.zeros(0, np.int64)
    gathered = gather(tables_of(snapshot), nothing, nothing)
    assert isinstance(gathered.in_links, Overlap)
    assert len(gathered.esa_dots) == len(gathered.word_dots) == 0
    assert gathered.blocks.tolist() == [0]
