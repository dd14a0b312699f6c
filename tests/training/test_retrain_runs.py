"""Retrainings as processes: stopped, killed, and two at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from app.retraining.dead_runs import QUIET, SILENT, end_dead_runs
from app.serving.starter import model_path, snapshot_path
from models.registry.errors import RegistryUnavailable, RunEnded
from models.registry.registry import Registry
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.support.databases import (
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.judged import judgements, put_in_force, toy_wiki, write
from tests.support.patience import until
from tests.support.registered import silence
from training.benchmarks.read import read_benchmark
from training.progress import NoProgress
from training.retraining.challenger import ChallengerJob, fit_challenger
from training.retraining.gate import Gate
from training.retraining.promotion import PromotionPolicy, RetrainingResult, Starter, settle
from training.retraining.retrain import retrain
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


def judging(registry: Registry) -> bool:
    return any(run.step == "judging features and model" for run in registry.runs())


@pytest.mark.slow
def test_a_process_that_is_killed_is_found_dead(registry: Registry, database: str, pairs: Path) -> None:
    with begun(database, pairs, *LONG) as process:
        until(lambda: judging(registry))
        assert end_dead_runs(registry) == []
        process.kill()
    assert registry.runs()[0].outcome is None
    assert end_dead_runs(registry, quiet=-1.0) == [1]
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
            RecordedRun(registry, run, NoProgress()) as recorded,
        ):
            recorded.begin("first", "pairs")
            recorded.advance_to(1, 2)
            assert registry.run(run.id).step == "first"
            assert registry.run(run.id).pid == os.getpid()
            registry.finish_run(run.id, outcome="failed", message="on second thoughts")
            recorded.begin("second")
        assert registry.run(run.id).message == "on second thoughts"


def test_an_error_is_recorded_whatever_it_quotes(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        run = registry.begin_run(who="a test", parameters={}, pid=None)
        with (
            pytest.raises(ValueError, match="no column"),
            RecordedRun(registry, run, NoProgress()) as recorded,
        ):
            recorded.begin("reading")
            raise ValueError("no column score, but a\x1bb, \x00 and \ud800")
        ended = registry.run(run.id)
        assert ended.outcome == "failed"
        assert r"no column score, but a\x1bb, \x00 and \ud800" in ended.message


def test_an_error_is_recorded_with_its_step(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        run = registry.begin_run(who="a test", parameters={}, pid=None)
        with pytest.raises(ZeroDivisionError), RecordedRun(registry, run, NoProgress()) as recorded:
            recorded.begin("dividing")
            _ = 1 / 0
        ended = registry.run(run.id)
        assert (ended.outcome, ended.message) == (
            "failed",
            "ZeroDivisionError while dividing: division by zero. Nothing was registered.",
        )


class Meanwhile(NoProgress):
    """Something happens between a comparison and its promotion."""

    def __init__(self, happens: Callable[[], None]) -> None:
        self._happens = happens

    def begin(self, label: str, unit: str = "") -> None:
        if label == "registering":
            self._happens()


def settled(
    registry: Registry,
    snapshot: Path,
    pairs: Path,
    meanwhile: Callable[[], None],
    policy: PromotionPolicy = PromotionPolicy("a test"),  # noqa: B008  # it never changes
    run: int | None = None,
) -> RetrainingResult:
    """A retraining during which something happens between its comparison and its promotion."""
    opened = Snapshot.open(snapshot)
    sets = [JudgedSet(read_benchmark(pairs, "train"), True)]
    job = ChallengerJob(sets, opened, Resolver.open(opened), "mine", gate=Gate(least_pairs=50), resamples=10)
    starter = Starter("starter", model_path(), snapshot_path())
    challenger = fit_challenger(job, NoProgress())
    return settle(registry, challenger, starter, policy, Meanwhile(meanwhile), run)


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
        # Who reads the release is told that the report which is kept is of another comparison.
        kept = f" The report kept with {found.version.ref} is of the comparison with toy@1,"
        assert kept in found.release.reason
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


def void(*_: object) -> None:
    """Forget what was returned."""


def test_what_a_dead_run_had_done_is_told(sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path) -> None:
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        run = registry.begin_run(who="a test", parameters={}, pid=None).id
        found = settled(registry, snapshot, pairs, void, PromotionPolicy("a test", only_register=True), run)
        # That another has put the model in force since is not this one's doing.
        release = registry.in_force()
        assert release is not None
        registry.promote(
            found.version.ref,
            snapshot_id=release.snapshot_id,
            location=release.location,
            reason="by hand",
            who="another",
        )
        silence(registry, run, SILENT + 60)
        assert end_dead_runs(registry) == [run]
        ended = registry.run(run)
        assert (ended.outcome, ended.model) == ("failed", found.version.ref)
        assert ended.message.endswith(
            f" died before it began. It had registered {found.version.ref}, and did not put it in force."
        )


def test_a_notebook_retrains_by_one_call(sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path) -> None:
    starter = Starter("the starter's model", model_path(), snapshot_path())
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        policy = PromotionPolicy("ann", "tried out")
        result = retrain(registry, [pairs], policy, starter, gate=Gate(least_pairs=50), resamples=10)
        run = registry.run(result.run or 0)
        assert (result.outcome, run.outcome, run.who) == ("promoted", "promoted", "ann")
        assert (run.message, run.model) == (result.message, result.version.ref)
        assert run.parameters["pairs"] == [pairs.name]
        assert result.release == registry.in_force()
        assert result.version.note == "tried out"
        assert registry.report(result.version.ref) == msgspec.json.encode(result.report)
        page = registry.report_html(result.version.ref)
        assert page is not None
        assert page[:10_000] == result.page()[:10_000]
    # What is a person's own stays.
    assert pairs.exists()


FORCED = PromotionPolicy("a test", forced="whatever the gate says")


def test_a_run_whose_release_is_made_is_promoted_whatever_comes_after(
    sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The registry is locked at the end of the run, its process fails, dies, and is looked for."""

    def locked(*_: object, **__: object) -> None:
        raise RegistryUnavailable("locked")

    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        run = registry.begin_run(who="a test", parameters={}, pid=None)
        with pytest.raises(ZeroDivisionError), RecordedRun(registry, run, NoProgress()) as recorded:
            with monkeypatch.context() as patch:
                patch.setattr(registry, "finish_run", locked)
                found = settled(registry, snapshot, pairs, void, FORCED, run.id)
                recorded.finish(found)
            _ = 1 / 0
        ended = registry.run(run.id)
        assert (ended.outcome, ended.model) == ("promoted", found.version.ref)
        assert ended.message == found.message
        silence(registry, run.id, SILENT + 60)
        assert end_dead_runs(registry) == []
        assert registry.run(run.id).message == found.message


def test_a_run_that_was_taken_for_dead_promotes_nothing(
    sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path
) -> None:
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        run = registry.begin_run(who="a test", parameters={}, pid=None).id
        with pytest.raises(RunEnded, match="taken for dead"):
            settled(
                registry, snapshot, pairs, lambda: void(registry.fail_run(run, "taken for dead")), FORCED, run
            )
        assert registry.latest_number() == 1
        assert registry.run(run).outcome == "failed"


def test_a_process_that_is_there_is_never_taken_for_dead(database: str) -> None:
    with (
        Registry.open(database) as registry,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process,
    ):
        run = registry.begin_run(who="a test", parameters={}, pid=process.pid).id
        process.send_signal(signal.SIGSTOP)
        try:
            silence(registry, run, 50 * SILENT)
            assert end_dead_runs(registry) == []
        finally:
            process.kill()
            process.wait()
        # Gone, but a moment ago: its end may be on its way.
        silence(registry, run, QUIET - 10)
        assert end_dead_runs(registry) == []
        silence(registry, run, QUIET + 60)
        assert end_dead_runs(registry) == [run]
        assert registry.run(run).message == (
            f"Process {process.pid} was killed or died before it began. Nothing was registered."
        )
