"""Retrainings of the registry: begun, told of and ended within a transaction."""

from __future__ import annotations

import datetime
import socket
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from models.registry.entries import COUNTS, NUMBERS, checked_text, shown_text
from models.registry.errors import BadEntry, RunEnded, RunInProgress, UnknownRun
from models.registry.layout import RUNS
from models.registry.processes import identity_of
from models.registry.records import Outcome, Run, of_row

_R = RUNS.c


def begin(
    connection: Connection, *, who: str, parameters: dict[str, Any], pid: int | None, alone: bool
) -> Run:
    """Add a retraining; as ``Registry.begin_run``."""
    if alone:
        query = select(RUNS).where(_R.outcome.is_(None)).order_by(_R.id)
        other = connection.execute(query).mappings().first()
        if other is not None:
            raise RunInProgress(
                f"retraining {other['id']}, begun by {other['who']} at {other['began']}, has not ended. "
                "Wait for it."
            )
    try:
        plain = msgspec.json.decode(msgspec.json.encode(parameters))
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        raise BadEntry(f"the parameters of a retraining cannot be written as JSON: {error}.") from None
    time = _now(connection).isoformat(timespec="seconds")
    row = {
        "id": (connection.scalar(select(func.max(_R.id))) or 0) + 1,
        "who": checked_text(who, "who does it", needed=True),
        "began": time,
        "parameters": plain,
        "host": socket.gethostname(),
        "pid": pid,
        "process": None if pid is None else identity_of(pid),
        "step": "",
        "updated": time,
        "message": "",
    }
    connection.execute(insert(RUNS), [row])
    return of_id(connection, row["id"])


def listed(connection: Connection, limit: int | None) -> list[Run]:
    """The retrainings, the newest first; at most ``limit``."""
    rows = connection.execute(select(RUNS).order_by(_R.id.desc()).limit(limit)).mappings()
    return [of_row(Run, row) for row in rows]


def running(connection: Connection) -> list[tuple[Run, float]]:
    """Those that have not ended, and for how many seconds each was silent; as ``Registry.running``."""
    now = _now(connection)
    rows = connection.execute(select(RUNS).where(_R.outcome.is_(None)).order_by(_R.id)).mappings()
    return [
        (run, (now - datetime.datetime.fromisoformat(run.updated)).total_seconds())
        for run in (of_row(Run, row) for row in rows)
    ]


def of_id(connection: Connection, identity: int) -> Run:
    """The retraining of this number.

    Raises:
        UnknownRun: there is none.
    """
    run = find(connection, identity)
    if run is None:
        raise UnknownRun(f"there is no retraining {identity}.")
    return run


def find(connection: Connection, identity: int) -> Run | None:
    """The retraining of this number; None if there is none."""
    query = select(RUNS).where(_R.id == identity)
    row = connection.execute(query).mappings().first() if 0 < identity < NUMBERS else None
    return None if row is None else of_row(Run, row)


def change(connection: Connection, identity: int, **values: Any) -> None:  # noqa: ANN401  # columns of any type
    """Change a retraining that has not ended.

    Raises:
        BadEntry: a count is no count.
        UnknownRun: there is none of this number.
        RunEnded: it has ended.
    """
    for name, below in (("done", COUNTS), ("total", COUNTS), ("pid", NUMBERS)):
        if not 0 <= (values.get(name) or 0) < below:
            raise BadEntry(f"{name} of a retraining is {values[name]}; it is from 0 to {below - 1}.")
    run = of_id(connection, identity)
    if run.outcome is not None:
        raise RunEnded(f"retraining {identity} has ended already ({run.outcome}): {run.message}")
    if values.get("pid") is not None:
        values["process"] = identity_of(values["pid"])
    time = _now(connection).isoformat(timespec="seconds")
    connection.execute(update(RUNS).where(_R.id == identity).values(updated=time, **values))


def finish(
    connection: Connection, identity: int, *, outcome: Outcome, message: str, model: str | None
) -> None:
    """End a retraining; as ``Registry.finish_run``."""
    ref = None if model is None else checked_text(model, "the model")
    change(connection, identity, outcome=outcome, message=shown_text(message), model=ref)


def _now(connection: Connection) -> datetime.datetime:
    """The time in UTC, by the clock of the database: one for all hosts that share it."""
    time: datetime.datetime = connection.scalars(select(func.now())).one()
    # SQLite tells the time in UTC without saying so.
    return time.replace(tzinfo=datetime.UTC) if time.tzinfo is None else time.astimezone(datetime.UTC)
