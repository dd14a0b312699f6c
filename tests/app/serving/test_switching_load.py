"""Releases come and go under load: no request fails, and none is answered by two releases at once."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.scoring.model_kinds import load_term_model
from app.scoring.terms import TermScorer
from app.serving.starter import open_scorer
from features.terms.extract import TermPair
from tests.support.databases import postgres_database_fixture, postgres_fixture  # noqa: F401
from tests.support.patience import PATIENCE
from tests.support.promoted import OTHER, PAIRS, Candidate, ToyRegistry
from tests.support.served import toy_term_model

TERMS = [("cat mouse", "dog house"), ("a piano player", "musical dogs"), ("dog food", "pet mouse")]
"""Of words that are known; none names a concept, whose model of concepts would score it."""
BODY = {"pairs": [{"left": left, "right": right} for left, right in PAIRS]}
TERMS_BODY = {"pairs": [{"left": left, "right": right} for left, right in TERMS]}


@dataclass
class Load:
    """Clients that ask without a pause, and what they were answered."""

    address: str
    answers: list[tuple[int | None, str | None, str, tuple[float, ...]]] = field(default_factory=list)
    terms: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    pages: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def ask(self, client: httpx.Client) -> None:
        """Score all pairs once."""
        answer = self._ok(client.post("/relatedness", json=BODY)).json()
        scores = tuple(result["score"] for result in answer["results"])
        model = answer["model"]
        self.answers.append((model.get("release"), model.get("version"), answer["snapshot"]["id"], scores))

    def ask_terms(self, client: httpx.Client) -> None:
        """Score all pairs of terms once."""
        answer = self._ok(client.post("/terms/relatedness", json=TERMS_BODY)).json()
        self.terms.append((answer["snapshot"]["id"], tuple(result["score"] for result in answer["results"])))

    def ask_page(self, client: httpx.Client) -> None:
        """Look at the page once."""
        page = self._ok(client.get("/", params={"left": "Cat", "right": "Dog"})).text
        self.pages[page.partition("Model ")[2].partition(">")[2].partition("<")[0]] += 1

    def _ok(self, response: httpx.Response) -> httpx.Response:
        if response.status_code != 200:
            self.failures.append(f"{response.status_code} {response.text}")
        return response

    def run(self, ask: Callable[[httpx.Client], None]) -> None:
        """Ask until it is ended, on a new connection now and then, so that each worker has some."""
        while not self.ended.is_set():
            with httpx.Client(base_url=self.address, timeout=PATIENCE) as client:
                for _ in range(20):
                    try:
                        ask(client)
                    except Exception as error:
                        self.failures.append(repr(error))
                    if self.ended.is_set():
                        break

    @contextmanager
    def running(self) -> Iterator[None]:
        """The clients ask until the block ends."""
        asks = [self.ask, self.ask, self.ask, self.ask_terms, self.ask_page]
        threads = [threading.Thread(target=self.run, args=(ask,)) for ask in asks]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.ended.set()
            for thread in threads:
                thread.join()


@contextmanager
def server(toy_registry: ToyRegistry, workers: int) -> Iterator[str]:
    """The address of ``wort serve``, following the toy_registry's registry."""
    environment = {
        **os.environ,
        "WORT_DATABASE": toy_registry.url,
        "WORT_FOLLOW_SECONDS": "0.2",
        "WORT_TERM_MODEL": str(toy_term_model(toy_registry.folder / "terms.json", "made up")),
    }
    command = [sys.executable, "-m", "app.cli", "serve", "--port", "0", "--workers", str(workers)]
    log = (toy_registry.folder / "log").open("ab")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE)
            log.close()


def workers_of(address: str, workers: int) -> dict[int, dict[str, Any]]:
    """What each worker says that it serves, by its process."""
    found: dict[int, dict[str, Any]] = {}
    end = time.monotonic() + PATIENCE
    while len(found) < workers:
        assert time.monotonic() < end
        # A new connection: any worker may take it.
        answer = httpx.get(f"{address}/models", timeout=PATIENCE).json()
        found[answer["worker"]] = answer
    return found


def decided(log: Path, number: int) -> list[tuple[str, float]]:
    """What the workers have logged about a release so far: the event, and when it was."""
    # The last line may not be whole yet.
    whole = log.read_text().rpartition("\n")[0]
    lines = [json.loads(line) for line in whole.splitlines() if line.startswith("{")]
    return [
        (line["event"], datetime.datetime.fromisoformat(line["timestamp"]).timestamp())
        for line in lines
        if line.get("release") == number
    ]


def wait_for(log: Path, workers: int, number: int, event: str) -> float:
    """How long it takes from now on until each worker logs ``event`` of the release ``number``."""
    begun = time.time()
    while len(found := decided(log, number)) < workers:
        assert time.time() < begun + PATIENCE, f"release {number}: {found}"
        time.sleep(0.02)
    assert {said for said, _ in found} == {event}
    return max(when for _, when in found) - begun


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "database"), [(1, "sqlite"), (2, "sqlite"), (2, "postgres")])
def test_releases_come_and_go_under_load(
    tmp_path: Path, workers: int, database: str, request: pytest.FixtureRequest
) -> None:
    toy_registry = ToyRegistry(
        tmp_path, request.getfixturevalue("postgres") if database == "postgres" else None
    )
    one, two = toy_registry.snapshot("one"), toy_registry.snapshot("two", OTHER)
    a, b = toy_registry.candidate(one, 0.1), toy_registry.candidate(one, 0.3)
    c, d = toy_registry.candidate(two, 0.1), toy_registry.candidate(two, 0.25)
    lost = toy_registry.candidate(shutil.copytree(two, tmp_path / "three"), 0.5)
    shutil.rmtree(lost.folder)
    altered = toy_registry.candidate(shutil.copytree(one, tmp_path / "four"), 0.6)
    file = altered.folder / "in_links.indices.npy"
    file.write_bytes(file.read_bytes()[:-2] + b"\x01\x02")
    assert len({candidate.scores for candidate in (a, b, c, d)}) == 4

    released: dict[int, Candidate] = {toy_registry.promote(a).number: a}
    waited = []
    with server(toy_registry, workers) as address:
        load = Load(address)
        with load.running():
            while not (load.answers and load.terms and load.pages):
                time.sleep(0.01)
            for candidate in (b, c, lost, d, None, altered, a, d, b, None, None, c):
                release = toy_registry.rollback() if candidate is None else toy_registry.promote(candidate)
                # A rollback brings back the content of an earlier release, be it a broken one.
                content = candidate or released[release.restores or 0]
                released[release.number] = content
                event = "release refused" if content in (lost, altered) else "release served"
                waited.append(wait_for(tmp_path / "log", workers, release.number, event))
                while event == "release served" and load.answers[-1][0] != release.number:
                    time.sleep(0.01)
        for answer in workers_of(address, workers).values():
            assert answer["served"]["release"]["number"] == release.number
            assert answer["refused"]["release"]["number"] == max(
                number for number, content in released.items() if content in (lost, altered)
            )
    toy_registry.registry.close()
    assert load.failures == []
    broken = [number for number, candidate in released.items() if candidate in (lost, altered)]
    expected = {
        (number, candidate.ref, candidate.snapshot, candidate.scores)
        for number, candidate in released.items()
        if number not in broken
    }
    assert set(load.answers) == expected
    terms = load_term_model(tmp_path / "terms.json")
    of_terms = {
        snapshot: tuple(
            result.score
            for result in TermScorer.open(open_scorer(folder, None), terms).score(
                [TermPair(*pair) for pair in TERMS]
            )
        )
        for folder, snapshot in ((one, a.snapshot), (two, c.snapshot))
    }
    assert len(set(of_terms.values())) == 2
    assert set(load.terms) == set(of_terms.items())
    assert set(load.pages) <= {candidate.ref for candidate in (a, b, c, d)}
    assert "Traceback" not in (tmp_path / "log").read_text()
    print(
        f"{workers} workers: {len(load.answers)} + {len(load.terms)} + {sum(load.pages.values())} requests, "
        f"switched in {max(waited):.2f} s at most"
    )
