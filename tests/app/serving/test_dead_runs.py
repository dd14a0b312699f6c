"""When a retraining counts as dead, by what can be seen of its process."""

from __future__ import annotations

import os

from app.retraining.dead_runs import QUIET, SILENT, cause_of_death
from models.registry.processes import identity_of
from models.registry.records import Run


def test_when_a_run_counts_as_dead() -> None:
    here, identity = os.getpid(), identity_of(os.getpid())
    assert identity is not None
    place, _, start = identity.rpartition(" ")
    gone = f"{place} {int(start) - 1}"

    def run(process: str | None, pid: int | None = here) -> Run:
        return Run(
            id=1,
            who="a test",
            began="",
            parameters={},
            host="another",
            pid=pid,
            process=process,
            step="reading",
            done=None,
            total=None,
            updated="",
            outcome=None,
            message="",
            model=None,
        )

    assert cause_of_death(run(identity), 100 * SILENT) is None
    assert cause_of_death(run(gone), QUIET - 1) is None
    said = f"Process {here} was killed or died while reading."
    assert cause_of_death(run(gone), QUIET + 1) == cause_of_death(run(gone), 100 * SILENT) == said
    for unseen in (run(None), run(None, None), run(f"another pid:[1] {start}")):
        assert cause_of_death(unseen, SILENT - 1) is None
        told = "No sign of life for 5 minutes: the process on another died while reading."
        assert cause_of_death(unseen, SILENT + 1) == told
