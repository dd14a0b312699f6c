"""Retrainings as processes: stopped, killed, and two at once."""

from __future__ import annotations

import datetime
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.dead_runs import QUIET, SILENT, bury, cause_of_death, runs
from app.starter import model_path, snapshot_path
from models.registry.errors import RunEnded
from models.registry.records import Run
from models.registry.registry import Registry
from tables.resolver import Resolver
from tables.snapshot import Snapshot
from tests.databases import database_fixture, postgres_database_fixture, postgres_fixture, sqlite_fixture
from tests.judged import judgements, put_in_force, toy_wiki, write
from training.benchmarks.read import read_benchmark
from training.retraining.gate import Gate
from training.retraining.promotion import Settled, Starter, Wish, settle
from training.retraining.retrain import Job, retrain
from training.retraining.running import RecordedRun, Stopped, Stopping
from training.retraining.validate import JudgedSet

__all__ = ["database_fixture", "postgres_database_fixture", "postgres_fixture", "sqlite_fixture"]

LONG = ("--resamples", "3000000")
"""What makes a retraining take minutes."""


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_wiki(tmp_path_factory.mktemp("retrain") / "snapshot")


@pytest.fixture
def pairs(snapshot: Path, tmp_path: Path) -> Path:
    return write(tmp_path / "mine.csv", judgements(snapshot))


@pytest.fixture
def registry(database: str, snapshot: Path, tmp_path: Path) -> Iterator[Registry]:
    with Registry.open(database) as registry:
        put_in_force(registry, snapshot, tmp_path)
        yield registry


def begun(database: str, pairs: Path, *options: str) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-m", "app.cli", "retrain", "--pairs", str(pairs), "--gate-pairs", "50"]
    return subprocess.Popen(
        [*command, "--quiet", "--json", *options],
        env={**os.environ, "WORT_DATABASE": database},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until(found: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something to be found."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def judging(registry: Registry) -> bool:
    return any(run.step == "judging features and model" for run in registry.runs())


@pytest.mark.slow
def test_a_process_that_is_killed_is_found_dead(
    registry: Registry, database: str, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begun(database, pairs, *LONG) as process:
        until(lambda: judging(registry))
        assert bury(registry) == []
        process.kill()
    assert registry.runs()[0].outcome is None
    monkeypatch.setattr("app.dead_runs.QUIET", -1.0)
    assert bury(registry) == [1]
    (run,) = registry.runs()
    assert (run.outcome, run.model) == ("failed", None)
    assert run.message == (
        f"Process {process.pid} was killed or died while judging features and model. Nothing was registered."
    )
    assert [version.ref for version in registry.versions()] == ["toy@1"]
    # It is in nobody's way.
    with begun(database, pairs) as process:
        answer = json.loads(process.communicate()[0])
    assert answer["outcome"] == "promoted"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_stopped_says_so(
    sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path, number: signal.Signals
) -> None:
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        with begun(sqlite, pairs, *LONG) as process:
            until(lambda: judging(registry))
            process.send_signal(number)
            _, said = process.communicate()
        assert process.returncode == 128 + number
        assert said == f"wort: stopped by {number.name}; nothing was registered.\n"
        (run,) = registry.runs()
        assert (run.outcome, run.model) == ("failed", None)
        assert run.message.startswith(f"stopped by {number.name} while judging features and model")
        assert registry.latest_number() == 1
        assert len(registry.versions()) == 1


@pytest.mark.slow
def test_two_at_once_are_both_registered_and_one_is_promoted(
    registry: Registry, database: str, pairs: Path
) -> None:
    with begun(database, pairs) as one, begun(database, pairs) as two:
        answers = [json.loads(process.communicate()[0]) for process in (one, two)]
    assert sorted(answer["outcome"] for answer in answers) == ["promoted", "refused"]
    assert sorted(answer["model"] for answer in answers) == ["retrained@1", "retrained@2"]
    assert {process.returncode for process in (one, two)} == {0, 1}
    promoted = next(answer for answer in answers if answer["outcome"] == "promoted")
    release = registry.in_force()
    assert release is not None
    assert (release.number, release.model) == (2, promoted["model"])
    # Whichever came second was compared with the first, its twin, and gains nothing over it.
    refused = next(answer for answer in answers if answer["outcome"] == "refused")
    assert promoted["model"] in refused["message"]
    assert {run.outcome for run in registry.runs()} == {"promoted", "refused"}


def test_a_signal_after_the_decision_comes_too_late() -> None:
    stopping = Stopping()
    with stopping.listening(), pytest.raises(Stopped, match="SIGTERM"):
        os.kill(os.getpid(), signal.SIGTERM)
    stopping = Stopping()
    before = signal.getsignal(signal.SIGINT)
    with stopping.listening():
        stopping.hold()
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_run_that_was_ended_by_others_stops(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        run = registry.begin_run(who="a test", parameters={}, pid=None)
        with (
            pytest.raises(RunEnded, match="on second thoughts"),
            RecordedRun(registry, run, Silent()) as recorded,
        ):
            recorded.begin("first", "pairs")
            recorded.advance_to(1, 2)
            assert registry.run(run.id).step == "first"
            assert registry.run(run.id).pid == os.getpid()
            registry.finish_run(run.id, outcome="failed", message="on second thoughts")
            recorded.begin("second")
        assert registry.run(run.id).message == "on second thoughts"


def test_an_error_is_recorded_with_its_step(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        run = registry.begin_run(who="a test", parameters={}, pid=None)
        with pytest.raises(ZeroDivisionError), RecordedRun(registry, run, Silent()) as recorded:
            recorded.begin("dividing")
            _ = 1 / 0
        ended = registry.run(run.id)
        assert (ended.outcome, ended.message) == (
            "failed",
            "ZeroDivisionError while dividing: division by zero",
        )


class Silent:
    """Steps that nobody watches."""

    def begin(self, label: str, unit: str = "") -> None:
        """Nothing."""

    def advance_to(self, done: int, total: int | None) -> None:
        """Nothing."""


def settled(
    registry: Registry,
    snapshot: Path,
    pairs: Path,
    meanwhile: Callable[[], None],
    wish: Wish = Wish("a test"),  # noqa: B008  # it never changes
    run: int | None = None,
) -> Settled:
    """A retraining during which something happens between its comparison and its promotion."""
    opened = Snapshot.open(snapshot)
    sets = [JudgedSet(read_benchmark(pairs, "train"), True)]
    job = Job(sets, opened, Resolver.open(opened), "mine", gate=Gate(least_pairs=50), resamples=10)
    starter = Starter("starter", model_path(), snapshot_path())

    def page(*_: object) -> None:
        meanwhile()

    return settle(registry, retrain(job, Silent()), starter, wish, Silent(), page, run)


def test_a_release_in_between_is_compared_with_before_it_is_replaced(
    sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path
) -> None:
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        # Another bad model: it is passed as the first one was.
        found = settled(registry, snapshot, pairs, lambda: void(put_in_force(registry, snapshot, tmp_path)))
        assert (found.outcome, found.report.against.model, found.report.against.release) == (
            "promoted",
            "toy@2",
            2,
        )
        assert found.release is not None
        assert found.release.number == 3
        # A better one: the candidate, which passed what was in force before, does not pass its own twin.
        put_in_force(registry, snapshot, tmp_path)
        found = settled(
            registry, snapshot, pairs, lambda: void(settled(registry, snapshot, pairs, lambda: None))
        )
        assert (found.outcome, found.release) == ("refused", None)
        assert found.report.against.release == registry.latest_number() == 5
        assert registry.in_force() is not None
        # Its report, as registered, is that of the comparison it was registered after.
        registered = json.loads(registry.report(found.version.ref) or b"")
        assert registered["against"]["model"] == "toy@3"


def test_releases_without_end_are_given_up(
    sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        promote = registry.promote

        def overtaken(*arguments: object, **named: object) -> object:
            monkeypatch.setattr(registry, "promote", promote)
            put_in_force(registry, snapshot, tmp_path)
            monkeypatch.setattr(registry, "promote", overtaken)
            return promote(*arguments, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(registry, "promote", overtaken)
        found = settled(registry, snapshot, pairs, lambda: None)
        assert (found.outcome, registry.latest_number()) == ("refused", 4)
        assert "Run it again" in found.message


def void(_: object) -> None:
    """Forget what was returned."""


def test_what_a_dead_run_had_done_is_told(
    sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.dead_runs.SILENT", -1.0)
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        for only_register, outcome in ((True, "failed"), (False, "promoted")):
            run = registry.begin_run(who="a test", parameters={}, pid=None).id
            wish = Wish("a test", only_register=only_register)
            found = settled(registry, snapshot, pairs, lambda: None, wish, run)
            assert bury(registry) == [run]
            ended = registry.run(run)
            assert (ended.outcome, ended.model) == (outcome, found.version.ref)
            assert f"It had registered {found.version.ref}" in ended.message
            assert ("and put it in force" in ended.message) == (outcome == "promoted")


def test_when_a_run_counts_as_dead() -> None:
    now = datetime.datetime(2001, 1, 15, 12, tzinfo=datetime.UTC)
    host = os.uname().nodename

    def run(seconds: float, *, host: str = host, pid: int | None = None) -> Run:
        updated = (now - datetime.timedelta(seconds=seconds)).isoformat(timespec="seconds")
        return Run(
            id=1,
            who="a test",
            began=updated,
            parameters={},
            host=host,
            pid=pid,
            step="reading",
            done=None,
            total=None,
            updated=updated,
            outcome=None,
            message="",
            model=None,
        )

    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        until(lambda: not runs(process.pid))  # ended, and not collected yet
    gone, here = process.pid, os.getpid()
    assert runs(here)
    assert not runs(gone)
    assert cause_of_death(run(QUIET - 1, pid=gone), now) is None
    assert "was killed or died while reading" in str(cause_of_death(run(QUIET + 1, pid=gone), now))
    assert cause_of_death(run(QUIET + 1, pid=here), now) is None
    assert cause_of_death(run(QUIET + 1), now) is None
    assert cause_of_death(run(SILENT - 1, host="another", pid=gone), now) is None
    assert "another died" in str(cause_of_death(run(SILENT + 1, host="another", pid=gone), now))
    assert cause_of_death(replace(run(SILENT + 1), outcome="refused"), now) is None
