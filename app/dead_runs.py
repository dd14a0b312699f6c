"""Retrainings whose process died: found, and their end recorded."""

from __future__ import annotations

import datetime
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.registry.records import Outcome, Run
    from models.registry.registry import Registry

QUIET = 15.0
"""Seconds without a sign of life after which a process of this host is looked for."""

SILENT = 300.0
"""Seconds without a sign of life after which a run has died wherever it ran."""

LOOKED_AT = 100
"""Runs, the newest, that are looked at."""


def bury(registry: Registry) -> list[int]:
    """Record the end of every run whose process is gone; their numbers.

    One that died after its model was put in force has done what it was to do, and counts as promoted.
    """
    from models.registry.errors import RunEnded  # noqa: PLC0415

    dead = []
    for run in registry.runs(LOOKED_AT):
        why = cause_of_death(run)
        if why is None:
            continue
        made = made_by(registry, run.id)
        released = any(release.model == made for release in registry.releases())
        if made is None:
            left = "Nothing was registered."
        else:
            left = f"It had registered {made}{' and put it in force' if released else ''}."
        outcome: Outcome = "promoted" if released else "failed"
        try:
            registry.finish_run(run.id, outcome=outcome, message=f"{why} {left}", model=made)
        except RunEnded:
            continue
        dead.append(run.id)
    return dead


def cause_of_death(run: Run, now: datetime.datetime | None = None) -> str | None:
    """Why a run that has not ended never will; None if it has ended or may be alive.

    A process gives a sign of life every few seconds. One of this host that is silent and gone was killed; the
    process ids of other hosts say nothing here, so that only a long silence tells of those.
    """
    if run.outcome is not None:
        return None
    updated = datetime.datetime.fromisoformat(run.updated)
    silent = ((now or datetime.datetime.now(datetime.UTC)) - updated).total_seconds()
    doing = f" while {run.step}" if run.step else " before it began"
    if silent > SILENT:
        return f"No sign of life for {silent / 60:.0f} minutes: the process on {run.host} died{doing}."
    if silent > QUIET and run.host == socket.gethostname() and run.pid is not None and not runs(run.pid):
        return f"Process {run.pid} was killed or died{doing}."
    return None


def runs(pid: int) -> bool:
    """Whether a process of this number runs; one that has ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        # No such file where there is no /proc: the signal has told.
        return True
    return state not in {"Z", "X"}


def made_by(registry: Registry, number: int) -> str | None:
    """The model that a run registered, if it did."""
    return next((version.ref for version in registry.versions() if version.run == number), None)
