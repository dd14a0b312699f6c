"""The registry's retrainings on the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from app.cli.registry.tables import cells, line, minute, plain_table, show_table
from models.registry.records import Run


def run_facts(run: Run) -> dict[str, Any]:
    """What is known of a retraining, with its state: how it ended, or ``running``."""
    return {**msgspec.structs.asdict(run), "state": run.outcome or "running"}


def show_runs(runs: Sequence[Run]) -> None:
    """Print a table of retrainings, the newest first."""
    if not runs:
        line("No retraining yet: `wort retrain` begins one.")
        return
    table = plain_table("run", "state", "model", "began", "by", "what is said of it")
    for run in runs:
        state = run.outcome or "running"
        message = run.message if run.outcome is not None else _doing(run)
        table.add_row(*cells(str(run.id), state, run.model or "", minute(run.began), run.who, message))
    show_table(table)


def _doing(run: Run) -> str:
    """What a retraining does now, and how far it is."""
    how_far = f", {run.done:,} of {run.total:,}" if run.done is not None and run.total else ""
    return f"{run.step or 'begins'}{how_far}"
