"""The process that starts several workers."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.processes import until, wort_serve


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell what is open")
def test_it_keeps_nothing_of_what_it_looked_at_open(tmp_path: Path) -> None:
    with wort_serve(tmp_path, workers=2) as served:
        until(lambda: len(served.workers()) == 2)
        process, snapshot = Path(f"/proc/{served.process.pid}"), tmp_path / "snapshot"
        assert snapshot.is_dir()
        assert not [path for path in (process / "fd").iterdir() if snapshot in path.resolve().parents]
        assert str(snapshot) not in (process / "maps").read_text()


def test_workers_that_were_ended_with_it_are_not_missed(tmp_path: Path) -> None:
    """As Ctrl-C ends them, and systemd: every process of the group gets the signal."""
    with wort_serve(tmp_path, workers=2) as served:
        until(lambda: len(served.workers()) == 2)
        workers = served.workers()
        served.process.send_signal(signal.SIGSTOP)  # so that it looks for them when both have ended
        for worker in workers:
            os.kill(worker, signal.SIGTERM)
        until(lambda: all(_has_ended(worker) for worker in workers))
        served.process.terminate()
        served.process.send_signal(signal.SIGCONT)
        assert served.process.wait(timeout=PATIENCE) == 0
        events = [json.loads(line)["event"] for line in served.log.read_text().splitlines()]
        assert "worker lost" not in events, events


def _has_ended(process: int) -> bool:
    """Whether it waits for nothing but to be asked how it ended."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
