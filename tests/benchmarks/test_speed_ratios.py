"""How fast pairs are scored, by ratios of times that were taken side by side, never by a time alone.

Both times of a ratio are the best of some rounds, in turns, of processor time, so that a busy machine slows
both alike. The limits are about three times what was measured, on a machine that was busy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import thread_time

import numpy as np
import pytest

from app.serving.starter import model_path, snapshot_path
from benchmarks.scoring import READ, draws, floor, scorer
from benchmarks.synthetic.tables import Shape, write_synthetic_snapshot
from features.catalogue import FEATURES, SIGNATURES
from measures.arrays import Ints
from models.files import load
from snapshots.snapshot import Snapshot
from tests.oracles.gathering import PlainEvidence, PlainTables
from training.progress import NoProgress

pytestmark = [pytest.mark.slow, pytest.mark.alone]

PAIRS = 4000
ROUNDS = 7


Score = Callable[[Ints, Ints], object]


@pytest.fixture(scope="module", params=["starter", "generated"])
def snapshot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """The excerpt that ships, whose rows are short; and one with rows as long as those of a full build."""
    if request.param == "generated":
        shape = Shape(concepts=6000, words=20_000)
        return write_synthetic_snapshot(
            tmp_path_factory.mktemp("generated") / "snapshot", shape, NoProgress()
        )
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    return Snapshot.open(snapshot_path())


@pytest.fixture(scope="module")
def score(snapshot: Snapshot) -> Score:
    return scorer(snapshot, load(model_path(), SIGNATURES))


def ratio(call: Callable[[], object], other: Callable[[], object]) -> float:
    """How many times longer the one takes than the other."""
    call()
    other()
    times = np.empty((ROUNDS, 2))
    for of_round in times:
        for place, each in enumerate((call, other)):
            start = thread_time()
            each()
            of_round[place] = thread_time() - start
    best, best_other = times.min(axis=0).tolist()
    return float(best / best_other)


def test_scoring_takes_a_few_times_what_reading_the_same_rows_does(snapshot: Snapshot, score: Score) -> None:
    tables = [snapshot.csr(name) for name in READ]
    times = {
        kind: ratio(partial(score, left, right), partial(floor, tables, left, right))
        for kind, left, right in draws(snapshot, PAIRS)
    }
    assert max(times.values()) < 5, times  # measured 0.7 to 2.1


def test_scipy_takes_many_times_as_long(snapshot: Snapshot, score: Score) -> None:
    tables = PlainTables(snapshot)

    def plain(left: Ints, right: Ints) -> None:
        evidence = PlainEvidence(tables, left, right)
        for feature in FEATURES:
            feature.compute(evidence)

    times = {
        kind: ratio(partial(plain, left, right), partial(score, left, right))
        for kind, left, right in draws(snapshot, PAIRS // 4)
    }
    assert min(times.values()) > 7, times  # measured 16 to 33


def test_pairs_of_hubs_take_a_few_times_what_typical_ones_do(snapshot: Snapshot, score: Score) -> None:
    _, left, right = draws(snapshot, PAIRS)[0]
    degrees = snapshot.csr("in_links").sizes(np.arange(snapshot.concepts))
    hubs = np.random.default_rng(1).choice(np.argsort(-degrees)[:60], (2, PAIRS))
    times = ratio(partial(score, *hubs), partial(score, left, right))
    assert times < 10, times  # measured 1.4 to 3.2


def test_pairs_take_no_longer_among_many(snapshot: Snapshot, score: Score) -> None:
    _, left, right = draws(snapshot, 4 * PAIRS)[0]
    times = ratio(partial(score, left, right), partial(score, left[:PAIRS], right[:PAIRS]))
    assert times < 4 * 1.5, times  # measured 3.7 to 3.8


def test_a_call_costs_little(snapshot: Snapshot, score: Score) -> None:
    _, left, right = draws(snapshot, PAIRS)[0]
    times = ratio(partial(score, left[:1], right[:1]), partial(score, left, right))
    assert times < 1 / 8, times  # measured 1/56 to 1/26
