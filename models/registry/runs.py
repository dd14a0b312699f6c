"""Retrainings of the registry: begun, told of and ended."""

from __future__ import annotations

import datetime
import socket
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from models.registry.database import RegistryDatabase
from models.registry.entries import checked_text, shown_text
from models.registry.errors import BadEntry, RunEnded, RunInProgress, UnknownRun
from models.registry.layout import MODELS, RUNS
from models.registry.processes import identity_of
from models.registry.records import COUNTS, ModelVersion, Outcome, Run
from models.storage.rows import NUMBERS, kept, next_number

_R = RUNS.c


class Runs(RegistryDatabase):
    """The retrainings of a registry."""

    def begin_run(self, *, who: str, parameters: dict[str, Any], pid: int | None, alone: bool = False) -> Run:
        """Note that a retraining begins. ``alone``: refuse if another one has not ended.

        Raises:
            RunInProgress: ``alone``, and another one has not ended.
            BadEntry: a text is not taken, or the parameters are no JSON.
        """
        with self.writing() as connection:
            others = kept(connection, Run, RUNS, _R.outcome.is_(None)) if alone else []
            if others:
                raise RunInProgress(
                    f"retraining {others[0].id}, begun by {others[0].who} at {others[0].began}, has not "
                    "ended. Wait for it."
                )
            try:
                plain = msgspec.json.decode(msgspec.json.encode(parameters))
            except (TypeError, ValueError, msgspec.MsgspecError) as error:
                raise BadEntry(
                    f"the parameters of a retraining cannot be written as JSON: {error}."
                ) from None
            time = _now(connection).isoformat(timespec="seconds")
            row = {
                "id": next_number(connection, _R.id),
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

    def update_run(
        self,
        identity: int,
        *,
        step: str,
        done: int | None = None,
        total: int | None = None,
        pid: int | None = None,
    ) -> None:
        """Note what a retraining does now, ``done`` of ``total`` of it, and if given, in which process.

        Raises:
            BadEntry: a count is no count.
            UnknownRun: there is none of this number.
            RunEnded: it has ended.
        """
        for name, number, below in (("done", done, COUNTS), ("total", total, COUNTS), ("pid", pid, NUMBERS)):
            if not 0 <= (number or 0) < below:
                raise BadEntry(f"{name} of a retraining is {number}; it is from 0 to {below - 1}.")
        values = {} if pid is None else {"pid": pid, "process": identity_of(pid)}
        with self.writing() as connection:
            _change(
                connection, identity, step=checked_text(step, "the step"), done=done, total=total, **values
            )

    def finish_run(self, identity: int, *, outcome: Outcome, message: str, model: str | None = None) -> None:
        """Note how a retraining ended, why, and the ref of the model that it registered.

        ``message``: kept whatever it holds, its control characters escaped, and cut where it is too long.

        Raises:
            UnknownRun: there is none of this number.
            RunEnded: it has ended already; the first outcome stays.
        """
        with self.writing() as connection:
            finish(connection, identity, outcome, message, model)

    def fail_run(self, identity: int, why: str, *, seen: str | None = None) -> bool:
        """Note that a retraining failed, ``why``, and what it had registered; whether this was its end.

        One that has ended already keeps its outcome. ``seen``: its last sign of life as the caller saw it;
        one that has given another since goes on.

        Raises:
            UnknownRun: there is none of this number.
        """
        with self.writing() as connection:
            run = of_id(connection, identity)
            if run.outcome is not None or seen not in {None, run.updated}:
                return False
            made = kept(connection, ModelVersion, MODELS, MODELS.c.run == identity)
            model = made[-1].ref if made else None
            left = (
                f"It had registered {model}, and did not put it in force."
                if made
                else "Nothing was registered."
            )
            finish(connection, identity, "failed", f"{why.rstrip().rstrip('.')}. {left}", model)
            return True

    def run(self, identity: int) -> Run:
        """The retraining of this number.

        Raises:
            UnknownRun: there is none.
        """
        with self.reading() as connection:
            return of_id(connection, identity)

    def runs(self, limit: int | None = None) -> list[Run]:
        """The retrainings, the newest first; at most ``limit``."""
        with self.reading() as connection:
            # Numbers have no gaps.
            oldest = 0 if limit is None else next_number(connection, _R.id) - limit
            return kept(connection, Run, RUNS, _R.id >= oldest)[::-1][:limit]

    def running(self) -> list[tuple[Run, float]]:
        """The retrainings that have not ended, the first one first, and the seconds since each gave a sign.

        Both ends of these seconds are told by the clock of the database, whatever those of the hosts say.
        """
        with self.reading() as connection:
            now = _now(connection)
            return [
                (run, (now - datetime.datetime.fromisoformat(run.updated)).total_seconds())
                for run in kept(connection, Run, RUNS, _R.outcome.is_(None))
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
    runs = kept(connection, Run, RUNS, _R.id == identity) if 0 < identity < NUMBERS else []
    return runs[0] if runs else None


def finish(connection: Connection, identity: int, outcome: Outcome, message: str, model: str | None) -> None:
    """End a retraining; as ``Runs.finish_run``."""
    ref = None if model is None else checked_text(model, "the model")
    _change(connection, identity, outcome=outcome, message=shown_text(message), model=ref)


def _change(connection: Connection, identity: int, **values: object) -> None:
    """Change a retraining.

    Raises:
        UnknownRun: there is none of this number.
        RunEnded: it has ended.
    """
    run = of_id(connection, identity)
    if run.outcome is not None:
        raise RunEnded(f"retraining {identity} has ended already ({run.outcome}): {run.message}")
    time = _now(connection).isoformat(timespec="seconds")
    connection.execute(update(RUNS).where(_R.id == identity).values(updated=time, **values))


def _now(connection: Connection) -> datetime.datetime:
    """The time in UTC, by the clock of the database: one for all hosts that share it."""
    time: datetime.datetime = connection.scalars(select(func.now())).one()
    # SQLite tells the time in UTC without saying so.
    return time.replace(tzinfo=datetime.UTC) if time.tzinfo is None else time.astimezone(datetime.UTC)
