"""Ratios of times of one run: a server beside scoring in process, look-ups beside the bare trie.

The limits are about twice what was measured, since other work on a machine slows the two sides unequally.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.scoring.concepts import Scorer
from app.serving.starter import model_path, snapshot_path
from benchmarks.http_load import drawn, loads, starts
from benchmarks.lookup import lookups
from benchmarks.report import Table
from benchmarks.server import running

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    scorer = Scorer.open(snapshot_path(), model_path())
    scorer.warm()
    return scorer


@pytest.fixture(scope="module")
def started(scorer: Scorer) -> Table:
    return starts(snapshot_path(), model_path(), drawn(scorer))


def test_batches_over_http_are_not_far_from_scoring_in_process(scorer: Scorer) -> None:
    with running() as server:
        load = loads(server, scorer, drawn(scorer), "python", duration=2)
    assert load.figure("1,000 pairs of titles", "of in process") > 0.2
    assert load.figure("1 pair", "p99, ms") < 30 * load.figure("1 pair", "p50, ms")


def test_the_first_request_does_not_wait_for_a_compiler(started: Table) -> None:
    # Compiling takes thousands of times as long as a pair.
    assert max(_column(started, "first, times the median")) < 10


def test_a_start_takes_little_more_than_its_libraries_do(started: Table) -> None:
    libraries = min(_import_seconds("fastapi", "numba", "sqlalchemy", "uvicorn") for _ in range(3))
    assert min(_column(started, "ready, s")) < 4 * libraries


def test_titles_are_found_nearly_as_soon_as_the_trie_finds_them(tmp_path: Path) -> None:
    found = lookups(100_000, tmp_path / "names")
    column = found.columns.index("one by one, µs") + 1
    assert found.columns[column] == "times the trie"
    mixture = next(row for row in found.rows if row[0] == "the mixture")
    assert float(mixture[column] or 0) < 4


def _column(table: Table, name: str) -> list[float]:
    assert len(table.rows) > 1
    return [table.figure(str(row[0]), name) for row in table.rows]


def _import_seconds(*modules: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {', '.join(modules)}"], check=True)
    return time.perf_counter() - begun
