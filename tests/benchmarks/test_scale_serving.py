"""The benchmark of serving by size, and the server that it starts, on a snapshot of a few concepts."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest

from app.serving.starter import model_path
from benchmarks.scale_serving import Effort, forget, measured, tables_of
from benchmarks.server import running
from benchmarks.synthetic.tables import Shape, write_synthetic_snapshot
from snapshots.snapshot import verify
from training.progress import NoProgress

TINY = Shape(concepts=300, links=6, tfidf=20, esa=20, contexts=10, comentions=10, words=1000)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="there is no folder"), running(tmp_path / "nowhere"):
        pass


@pytest.mark.slow
def test_a_server_runs_while_the_block_does() -> None:
    with running(workers=2) as server:
        assert len(server.workers) == 2
        assert server.process not in server.workers
        assert httpx.get(f"{server.url}/ready", timeout=60).status_code == 200
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{server.url}/ready")
    for process in (server.process, *server.workers):
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_what_is_forgotten_is_still_there(tmp_path: Path) -> None:
    write_synthetic_snapshot(tmp_path / "tiny", TINY, NoProgress())
    forget(tmp_path / "tiny")
    assert verify(tmp_path / "tiny") == []


@pytest.mark.slow
@pytest.mark.alone
def test_every_figure_is_measured(tmp_path: Path) -> None:
    effort = Effort(batches=3, single=20, starts=2, workers=(1, 2))
    write_synthetic_snapshot(tmp_path / "tiny", TINY, NoProgress())
    tables = {table.name: table for table in tables_of([measured(tmp_path / "tiny", model_path(), effort)])}
    assert set(tables) == {"size", "scoring", "serving", "memory"}
    for table in tables.values():
        for row in table.rows:
            assert len(row) == len(table.columns)
            assert row[0] == "300 concepts"
    for name in ("size", "scoring", "serving"):
        assert all(float(figure or 0) > 0 for figure in tables[name].rows[0][1:]), name
    one, two = tables["memory"].rows
    assert (one[1], one[3], two[1]) == (1, None, 2)
    # Two workers, and the process that starts them.
    assert float(two[2] or 0) > float(one[2] or 0) + float(two[3] or 0)
    assert all(10 < float(amount or 0) < 500 for amount in (*one[4:], *two[3:]))
