"""Retrainings whose process died: found, and their end recorded."""

from __future__ import annotations

from models.registry.processes import runs
from models.registry.records import Run
from models.registry.registry import Registry

QUIET = 15.0
"""Seconds without a sign of life after which the process is looked for."""

SILENT = 300.0
"""Seconds without a sign of life after which a process that cannot be looked for counts as dead."""


def end_dead_runs(registry: Registry, quiet: float = QUIET, silent: float = SILENT) -> list[int]:
    """Record the end of every run whose process is gone; their numbers."""
    dead = []
    for run, since in registry.running():
        why = cause_of_death(run, since, quiet, silent)
        # It may have ended, or given a sign of life, since it was looked at.
        if why is not None and registry.fail_run(run.id, why, seen=run.updated):
            dead.append(run.id)
    return dead


def cause_of_death(run: Run, since: float, quiet: float = QUIET, silent: float = SILENT) -> str | None:
    """Why a run that gave no sign of life ``since`` so many seconds never will end; None if it may be alive.

    A process gives a sign of life every few seconds. One of this machine that is there is alive, however long
    it was silent: it may be suspended, or the registry away. Whether one of another machine, or of another
    container, is there cannot be seen from here, so that only a long silence tells of those. A run that is
    wrongly taken for dead does no harm: it promotes nothing, since its end stands in the registry. ``quiet``:
    seconds without a sign after which it is looked for.
    """
    if since <= quiet:
        return None
    doing = f" while {run.step}" if run.step else " before it began"
    alive = runs(run.pid, run.process)
    if alive is False:
        return f"Process {run.pid} was killed or died{doing}."
    if alive is None and since > silent:
        return f"No sign of life for {since / 60:.0f} minutes: the process on {run.host} died{doing}."
    return None
