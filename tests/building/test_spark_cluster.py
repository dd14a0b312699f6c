"""A build on a cluster of two workers, of which one is killed in the middle of a map."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from building.build import build_snapshot
from building.engines.local import LocalRunner
from snapshots.snapshot import Snapshot, verify
from tests.support.patience import PATIENCE
from tests.support.spark import needs_spark
from wiki.dump import Dump

LEFT_OUT = frozenset({"word2vec"})  # it runs on this machine, with either engine
_MARK = "SPARK_CLUSTER_OF_TEST"


def wait_for(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    patience = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < patience, what
        time.sleep(0.02)


class Cluster:
    """A standalone master and two workers of one core, on loopback."""

    def __init__(self, folder: Path) -> None:
        from pyspark.find_spark_home import _find_spark_home

        self.folder = folder
        self.mark = uuid4().hex
        self.daemons: list[subprocess.Popen[bytes]] = []
        self._spark_class = Path(_find_spark_home()) / "bin" / "spark-class"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"spark://127.0.0.1:{self.port}"
        self.start("master.Master", "--port", str(self.port))
        wait_for(self._listens, "the master does not listen")
        of_worker = ("--cores", "1", "--memory", "1g", "--port", "0", self.url)
        self.workers = [
            self.start("worker.Worker", "--work-dir", str(folder / f"worker-{n}"), *of_worker)
            for n in range(2)
        ]

    def start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [str(self._spark_class), f"org.apache.spark.deploy.{kind}", "--host", "127.0.0.1"]
        environment = os.environ | {_MARK: self.mark, "SPARK_LOCAL_IP": "127.0.0.1"}
        with (self.folder / f"{kind}.log").open("ab") as log:
            daemon = subprocess.Popen(
                [*command, "--webui-port", "0", *options],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a worker and its executors are one group
            )
        self.daemons.append(daemon)
        return daemon

    def processes(self) -> set[int]:
        """Whatever runs with the cluster's mark: its daemons, its executors, their Python processes."""
        mark = f"{_MARK}={self.mark}".encode()
        found = set()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes():
                    found.add(int(process.name))
            except OSError:
                continue  # it has ended
        return found

    def worker_of(self, process: int) -> subprocess.Popen[bytes]:
        """The worker that started a process."""
        known = {worker.pid: worker for worker in self.workers}
        while process not in known:
            status = Path(f"/proc/{process}/stat").read_text()
            process = int(status.rpartition(")")[2].split()[1])
        return known[process]

    def stop(self) -> None:
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        for daemon in self.daemons:
            daemon.wait()

    def _listens(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    needs_spark()
    cluster = Cluster(tmp_path)
    try:
        yield cluster
    finally:
        cluster.stop()
        wait_for(lambda: not cluster.processes(), "a process of the cluster is left over")


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_nothing_but_time(
    cluster: Cluster, data_dir: Path, tmp_path: Path
) -> None:
    dump = data_dir / "wiki" / "ltgwiki-20170901-pages-articles.xml.bz2"
    if not dump.exists():
        pytest.skip(f"no {dump}")
    with LocalRunner(2, 2_000_000_000, tmp_path / "scratch") as runner:
        local = build_snapshot(Dump.open(dump), tmp_path / "local", runner, without=LEFT_OUT)

    command = [sys.executable, "-m", "app.cli", "build", str(dump), "-o", str(tmp_path / "spark"), "--quiet"]
    command += ["--encoder", "none"]
    command += ["--without", "word2vec", "--keep-work", "--engine", "spark", "--master", cluster.url]
    settings = ["driver.host=127.0.0.1", "driver.bindAddress=127.0.0.1", "executor.memory=600m"]
    command += [f"--spark-conf=spark.{setting}" for setting in settings]
    with (tmp_path / "said").open("w+") as said:
        build = subprocess.Popen(command, stdout=said, stderr=said)
        try:
            pages = tmp_path / "spark.build" / "pages"
            begun = "pages.*.pieces/*.partial"
            wait_for(lambda: build.poll() is not None or any(pages.glob(begun)), "no piece is begun")
            assert build.poll() is None, (tmp_path / "said").read_text()
            piece = next(pages.glob(begun))
            worker = cluster.worker_of(int(piece.name.split(".")[-3]))
            os.killpg(worker.pid, signal.SIGKILL)
            assert not list((pages / "pages").glob("*.parquet")), (
                "the map was over before a worker was killed"
            )
            assert build.wait() == 0, (tmp_path / "said").read_text()
        finally:
            build.kill()
            build.wait()
    spark = Snapshot.open(tmp_path / "spark")
    assert verify(spark.folder) == []
    assert spark.manifest.counts == local.manifest.counts
    assert spark.id == local.id
