"""What does a switch of releases cost those who ask meanwhile?

    python -m benchmarks.switching SNAPSHOT MODEL [--seconds 20] [--switches 10] [--clients 4] [--workers 1]

Starts ``wort serve`` on a registry of its own and asks it from several clients without a pause, 100 pairs a
request: first for some seconds with one release, then for as long with releases that go to and fro between
the starter snapshot and SNAPSHOT, whose files are all read the first time. Prints for both phases the
requests answered, those that failed, and how long they took; then how long each switch took from its
promotion on.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
import numpy as np

from app.serving.starter import model_path, snapshot_path
from benchmarks.titles import TITLES
from features.catalogue import SIGNATURES
from models.files import load
from models.protocol import TrainingSet
from models.registry.registry import Registry
from snapshots.snapshot import Snapshot


class Clients:
    """Ask until they are stopped; ``taken``: the seconds of each answer."""

    def __init__(self, address: str, number: int) -> None:
        self.taken: list[float] = []
        self.failed = 0
        self._address = address
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(number)]

    def _ask(self) -> None:
        pairs = [{"left": left, "right": right} for left in TITLES for right in TITLES]
        body = json.dumps({"pairs": (pairs * 2)[:100]})
        headers = {"Content-Type": "application/json"}
        with httpx.Client(base_url=self._address, headers=headers, timeout=30) as client:
            while not self._stop.is_set():
                begun = time.perf_counter()
                try:
                    self.failed += client.post("/relatedness", content=body).status_code != 200
                except httpx.HTTPError:
                    self.failed += 1
                self.taken.append(time.perf_counter() - begun)

    def __enter__(self) -> Clients:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def report(self, phase: str, seconds: float) -> None:
        """Print what the clients saw."""
        taken = np.array(self.taken) * 1000
        middle, most = np.percentile(taken, [50, 99])
        print(
            f"{phase}: {len(taken):,} requests in {seconds:.1f} s, {self.failed} failed; "
            f"{middle:.1f} ms median, {most:.1f} ms p99, {taken.max():.1f} ms longest"
        )


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--switches", type=int, default=10)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/wort.sqlite"
        registry = Registry.open(url)
        places = [(snapshot_path(), model_path()), (options.snapshot.resolve(), options.model)]
        refs = [_register(registry, model) for _, model in places]

        def promote(which: int) -> int:
            place = places[which][0]
            identity = Snapshot.open(place).id
            return registry.promote(
                refs[which], snapshot_id=identity, location=str(place), reason="measured", who="benchmark"
            ).number

        promote(0)
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "app.cli", "serve", "--port", "0", "--workers", str(options.workers)]
        environment = {**os.environ, "WORT_DATABASE": url, "WORT_LOG_FORMAT": "json"}
        with (
            log.open("wb") as errors,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
            ) as server,
        ):
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            httpx.post(
                f"{address}/relatedness", json={"pairs": [{"left": "Jazz", "right": "Music"}]}, timeout=60
            )
            with Clients(address, options.clients) as clients:
                time.sleep(options.seconds)
            clients.report("one release", options.seconds)
            waited = []
            begun = time.perf_counter()
            with Clients(address, options.clients) as clients:
                for switch in range(options.switches):
                    start = time.perf_counter()
                    number = promote((switch + 1) % 2)
                    while log.read_text().count(f'"release": {number},') < options.workers:
                        time.sleep(0.02)
                    waited.append(time.perf_counter() - start)
                    time.sleep(max(0.0, options.seconds / options.switches - waited[-1]))
            clients.report(f"{options.switches} switches", time.perf_counter() - begun)
            print("switched after", ", ".join(f"{seconds:.2f}" for seconds in waited), "s")
            print("of the log:", log.read_text().count("release served"), "served")
            server.send_signal(signal.SIGTERM)
        registry.close()


def _register(registry: Registry, model: Path) -> str:
    loaded = load(model, SIGNATURES)
    dataset = TrainingSet(loaded.trained_on.name, loaded.trained_on.checksum, loaded.trained_on.pairs)
    content = model.read_bytes()
    return registry.register(
        content, name="measured", snapshot=loaded.snapshot, report=None, dataset=dataset, who="benchmark"
    ).ref


if __name__ == "__main__":
    main()
