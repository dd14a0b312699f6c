"""Retrainings in the registry: followed, ended once, and ended as promoted only with their release."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from typing import Any

import pytest

from models.registry.errors import BadEntry, RunEnded, RunInProgress, StalePromotion, UnknownRun
from models.registry.processes import identity_of, runs
from models.registry.registry import Registry
from tests.support.databases import (  # noqa: F401
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.registered import promote, register


def test_retrainings_are_followed(database: str) -> None:
    with Registry.open(database) as registry:
        begun = registry.begin_run(who="ann", parameters={"pairs": "é.csv", "p": 0.05}, pid=7, alone=True)
        assert (begun.id, begun.outcome, begun.pid) == (1, None, 7)
        assert begun.parameters == {"pairs": "é.csv", "p": 0.05}
        with pytest.raises(RunInProgress, match="retraining 1, begun by ann"):
            registry.begin_run(who="bob", parameters={}, pid=None, alone=True)
        with pytest.raises(BadEntry):
            registry.update_run(1, step="features", done=2**63)
        registry.update_run(1, step="reading", done=2**62, total=2**63 - 1)
        assert registry.run(1).done == 2**62
        registry.update_run(1, step="features", done=3, total=9, pid=8)
        told = registry.run(1)
        assert (told.step, told.done, told.total, told.pid) == ("features", 3, 9, 8)
        made = register(registry, run=1)
        assert made.run == 1
        registry.finish_run(1, outcome="registered", message="p = 0.3", model=made.ref)
        ended = registry.run(1)
        assert (ended.outcome, ended.message, ended.model) == ("registered", "p = 0.3", "word@1")
        with pytest.raises(RunEnded, match="registered"):
            registry.update_run(1, step="again")
        with pytest.raises(RunEnded, match="registered"):
            registry.finish_run(1, outcome="failed", message="no sign of life")
        assert registry.begin_run(who="bob", parameters={}, pid=None, alone=True).id == 2
        assert [run.id for run in registry.runs()] == [2, 1]
        assert [run.id for run in registry.runs(limit=1)] == [2]
        for number in (0, 3, -1, 2**40):
            with pytest.raises(UnknownRun):
                registry.run(number)
        with pytest.raises(BadEntry):
            registry.begin_run(who="bob", parameters={"a": object()}, pid=None)


def test_a_promotion_ends_its_retraining_or_is_not_made(database: str) -> None:
    with Registry.open(database) as registry:
        promote(registry, register(registry).ref)
        run = registry.begin_run(who="ann", parameters={}, pid=None).id
        made = register(registry, run=run)
        facts: dict[str, Any] = {"snapshot_id": "s1", "location": "/s", "reason": "better", "who": "ann"}
        with pytest.raises(StalePromotion):
            registry.promote("word", **facts, expected=0, run=run)
        assert registry.run(run).outcome is None
        assert registry.promote("word", **facts, expected=1, run=run).number == 2
        ended = registry.run(run)
        assert (ended.outcome, ended.message, ended.model) == ("promoted", "better", made.ref)
        # It is not said twice, and what comes too late changes nothing.
        assert not registry.fail_run(run, "Its process ended with exit code 4.")
        assert registry.run(run) == ended
        with pytest.raises(RunEnded):
            registry.promote("word@1", **facts, run=run)
        with pytest.raises(UnknownRun):
            registry.promote("word@1", **facts, run=9)
        assert registry.latest_number() == 2


def test_a_retraining_that_fails_says_what_it_had_registered(database: str) -> None:
    with Registry.open(database) as registry:
        runs = [registry.begin_run(who="ann", parameters={}, pid=None) for _ in range(3)]
        register(registry, run=1)
        promote(registry, register(registry, run=1).ref)  # by others
        for run in runs[:2]:
            assert registry.fail_run(run.id, "It died.", seen=run.updated)
        assert (registry.run(1).outcome, registry.run(1).model) == ("failed", "word@2")
        assert registry.run(1).message == "It died. It had registered word@2, and did not put it in force."
        assert (registry.run(2).message, registry.run(2).model) == ("It died. Nothing was registered.", None)
        # One that has given a sign of life since goes on.
        assert not registry.fail_run(3, "It died.", seen="2026-01-01T00:00:00+00:00")
        assert registry.run(3).outcome is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("no column a\x1bb\x00, but \ud800\r\n\tc", "no column a\\x1bb\\x00, but \\ud800\\r\n\tc"),
        ("x" * 10_000, "x" * 10_000),
        ("x" * 10_001, "x" * 9_999 + "…"),
        ("\x1b" * 9_000, ("\\x1b" * 2_500)[:9_999] + "…"),
    ],
)
def test_an_end_is_recorded_whatever_it_says(database: str, said: str, kept: str) -> None:
    with Registry.open(database) as registry:
        registry.begin_run(who="ann", parameters={}, pid=None)
        registry.finish_run(1, outcome="failed", message=said)
        assert (registry.run(1).outcome, registry.run(1).message) == ("failed", kept)


def test_signs_of_life_are_told_by_the_clock_of_the_database(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = datetime.datetime

    class Ahead(datetime.datetime):
        """The clock of a host that is a day ahead."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Ahead:
            return cls.fromtimestamp(real.now(tz).timestamp() + 86_400, tz)

    with Registry.open(database) as registry:
        registry.begin_run(who="ann", parameters={}, pid=None)
        monkeypatch.setattr(datetime, "datetime", Ahead)
        registry.begin_run(who="bob", parameters={}, pid=None)
        registry.update_run(2, step="reading")
        # Each is as fresh as it is, whoever looks.
        assert [run.id for run, silent in registry.running() if abs(silent) < 60] == [1, 2]
        monkeypatch.undo()
        assert [run.id for run, silent in registry.running() if abs(silent) < 60] == [1, 2]
        registry.finish_run(1, outcome="failed", message="")
        assert [run.id for run, _ in registry.running()] == [2]


def test_a_process_is_told_from_others_of_its_number(sqlite: str) -> None:
    identity = identity_of(os.getpid())
    assert identity is not None
    boot, namespace, start = identity.split()
    with Registry.open(sqlite) as registry:
        begun = registry.begin_run(who="ann", parameters={}, pid=os.getpid())
        assert begun.process == identity
        later = registry.begin_run(who="bob", parameters={}, pid=None)
        assert later.process is None
        registry.update_run(later.id, step="", pid=os.getpid())
        assert registry.run(later.id).process == identity
    assert runs(os.getpid(), identity) is True
    # Another had the number before.
    assert runs(os.getpid(), f"{boot} {namespace} {int(start) - 1}") is False
    # Of another machine, boot or container nothing can be said from here.
    assert runs(os.getpid(), f"another {namespace} {start}") is None
    assert runs(os.getpid(), f"{boot} pid:[1] {start}") is None
    assert runs(os.getpid(), None) is runs(None, identity) is None
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        other = identity_of(process.pid)
        assert other not in {None, identity}
        assert runs(process.pid, other) is True
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        # It has ended, and waits to be collected.
        assert runs(process.pid, other) is False
    assert runs(process.pid, other) is False
    assert identity_of(process.pid) is None
