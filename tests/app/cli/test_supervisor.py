"""The process that starts several workers."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from inspect import getsource, signature
from pathlib import Path

import pytest
from uvicorn import Config
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from tests.app.serving.test_shutdown import BODY, HEAD, counting_folder, whole_answer
from tests.support.patience import PATIENCE, until
from tests.support.processes import wort_serve


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell what is open")
def test_it_keeps_nothing_of_what_it_looked_at_open(tmp_path: Path) -> None:
    with wort_serve(tmp_path, workers=2) as served:
        until(lambda: len(served.workers()) == 2)
        process, snapshot = Path(f"/proc/{served.process.pid}"), tmp_path / "snapshot"
        assert snapshot.is_dir()
        assert not [path for path in (process / "fd").iterdir() if snapshot in path.resolve().parents]
        assert str(snapshot) not in (process / "maps").read_text()


@pytest.mark.slow
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


@pytest.mark.slow
def test_workers_end_when_it_is_killed(tmp_path: Path) -> None:
    """Nothing is left of the server, and its port is free; a request that has begun is answered."""
    with wort_serve(tmp_path, workers=2) as served:
        until(lambda: len(served.workers()) == 2)
        workers, folder = served.workers(), counting_folder(served)
        with served.connect() as begun:
            begun.sendall(HEAD + BODY[:20])
            # It is taken and has begun; what the kernel holds yet is taken within a moment.
            time.sleep(0.5)
            served.process.kill()
            served.process.wait(timeout=60)
            begun.sendall(BODY[20:])
            assert "results" in json.loads(whole_answer(begun))
        until(lambda: all(_has_ended(worker) for worker in workers))
        socket.create_server(served.place).close()
        assert not folder.exists()
        written = served.log.read_text().splitlines()
        assert all(json.loads(line)["level"] == "info" for line in written), written


@pytest.mark.slow
def test_a_worker_that_cannot_stop_ends_all_the_same(tmp_path: Path) -> None:
    with wort_serve(tmp_path, workers=2, shutdown_seconds=0) as served, served.connect() as waiting:
        until(lambda: len(served.workers()) == 2)
        workers = served.workers()
        waiting.sendall(HEAD + BODY[:20])
        served.process.kill()
        until(lambda: all(_has_ended(worker) for worker in workers))


REASON = (
    "`wort serve --workers` watches its workers through parts of uvicorn that are not documented "
    "(app/cli/supervisor.py), and this version of uvicorn has other ones. Adapt the supervisor, or keep "
    "uvicorn below this version in pyproject.toml."
)


def test_uvicorn_has_what_the_supervisor_rests_on() -> None:
    supervisor = Multiprocess(Config("app.cli.worker:create_app"), [])
    assert {"config", "sockets", "processes", "should_exit"} <= set(vars(supervisor)), REASON
    assert hasattr(supervisor.should_exit, "is_set"), REASON
    for method in ("keep_subprocess_alive", "terminate_all"):
        assert list(signature(getattr(Multiprocess, method)).parameters) == ["self"], REASON
        assert f"self.{method}()" in getsource(Multiprocess.run), REASON
    process = Process(supervisor.config, [])
    assert {"process", "parent_conn"} <= set(vars(process)), REASON
    for member in ("pid", "exitcode", "start", "kill", "join"):
        assert hasattr(Process, member), REASON
    # A worker answers whatever it is asked, on a thread of its own.
    process.parent_conn.send(b"ping")
    process.pong()
    assert process.parent_conn.poll(), REASON
    assert "self.always_pong" in getsource(Process.target), REASON
    process.parent_conn.close()
    process.child_conn.close()


def _has_ended(process: int) -> bool:
    """Whether it is gone, or waits for nothing but to be asked how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
