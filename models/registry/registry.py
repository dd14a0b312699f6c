"""The registry: models, releases and retrainings in one database, SQLite or PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from models.given import given_file
from models.registry import releases, runs, versions
from models.registry.database import Database
from models.registry.entries import LARGEST, checked_name, checked_text, now
from models.registry.errors import BadEntry, DamagedModel
from models.registry.exchange import read, write
from models.registry.keys import Keys
from models.registry.merge import merge, records
from models.registry.opening import opened, peeked
from models.registry.records import Dataset, ModelVersion, Outcome, Release, Run, Shipped


class Registry:
    """A registry that exists and whose tables are those of this code. Safe to share between threads.

    Every method is one transaction, done whole or not at all, and raises ``RegistryUnavailable`` where the
    database is locked, away, full or not to be written; nothing has changed then.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, url: str, *, create: bool = True, made_by: str = "wort models add") -> Registry:
        """The registry at ``url``, made if there is none (and ``create``), brought up to date if it is older.

        ``made_by``: the command that makes one, for who finds none.

        Raises:
            NotARegistry: there is none, and it is not to be made.
            RegistryError: it cannot be made, reached or used; the message says why, and holds no password.
        """
        return cls(opened(url, create=create, made_by=made_by))

    @classmethod
    def peek(cls, url: str) -> Registry | None:
        """The registry at ``url`` if there is one; nothing is made or changed. Never loads Alembic.

        Raises:
            RegistryUnavailable: it cannot be reached now.
            RegistryError: it cannot be used; asking again will not help.
        """
        database = peeked(url)
        return None if database is None else cls(database)

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back; the next call makes new ones."""
        self._database.close()

    @property
    def address(self) -> str:
        """Where the registry is, to be shown: without a password."""
        return str(self._database.address)

    @property
    def keys(self) -> Keys:
        """The keys of the services that ask this registry. An export leaves them out."""
        return Keys(self._database)

    def register(
        self,
        model: bytes,
        *,
        name: str,
        snapshot: str,
        report: bytes | None,
        dataset: Dataset,
        who: str,
        report_html: str | None = None,
        note: str = "",
        run: int | None = None,
    ) -> ModelVersion:
        """Keep a model file, whose content the caller has checked, as the next version of ``name``.

        ``snapshot``: the id of the one it was trained on. ``report``: as JSON. ``run``: the retraining.

        Raises:
            BadEntry: a name or text is not taken, or the file is no model of that snapshot.
            UnknownRun: there is no such retraining.
        """
        stated, metrics = versions.facts_of(model)
        if stated != snapshot:
            raise BadEntry(f"the model was trained on snapshot {stated}, and {snapshot} was named.")
        facts = {
            "snapshot": checked_text(snapshot, "the snapshot's id", needed=True),
            "metrics": metrics,
            "dataset": dataset,
            "created": now(),
            "who": checked_text(who, "who does it", needed=True),
            "note": checked_text(note, "the note"),
            "run": run,
        }
        html = None if report_html is None else report_html.encode()
        content = {"artifact": model, "report": report, "report_html": html}
        for kind, held in content.items():
            if held is not None and len(held) > LARGEST:
                raise BadEntry(f"the {kind} has {len(held):,} bytes; at most {LARGEST:,} are kept.")
        name = checked_name(name)
        checked_text(dataset.name, "the name of the judgements")
        with self._database.writing() as connection:
            if run is not None:
                runs.of_id(connection, run)
            return versions.of_id(connection, versions.append(connection, name, facts, content))

    def versions(self, name: str | None = None) -> list[ModelVersion]:
        """All versions of all models, or of ``name``, in the order in which they were registered."""
        with self._database.reading() as connection:
            return versions.listed(connection) if name is None else versions.of_name(connection, name)

    def version(self, ref: str) -> ModelVersion:
        """The version that ``ref`` names: ``name@3``, or ``name`` for the newest.

        Raises:
            UnknownModel: there is none; the message lists near names.
        """
        with self._database.reading() as connection:
            return versions.of_ref(connection, ref)

    def artifact(self, ref: str) -> bytes:
        """The model file as it was registered, its checksum verified.

        Raises:
            UnknownModel: there is no such version.
            DamagedModel: the stored bytes are not those that were registered.
        """
        with self._database.reading() as connection:
            content = versions.content_of(connection, versions.of_ref(connection, ref), "artifact")
        if content is None:
            raise DamagedModel(f"the registry holds no file of {ref}.")
        return content

    def report(self, ref: str) -> bytes | None:
        """The report as JSON, None where none was registered; errors as ``artifact``."""
        with self._database.reading() as connection:
            return versions.content_of(connection, versions.of_ref(connection, ref), "report")

    def report_html(self, ref: str) -> str | None:
        """The report as a page, None where none was registered; errors as ``artifact``."""
        with self._database.reading() as connection:
            content = versions.content_of(connection, versions.of_ref(connection, ref), "report_html")
        return None if content is None else content.decode()

    def promote(
        self,
        ref: str,
        *,
        snapshot_id: str,
        location: str,
        reason: str,
        who: str,
        expected: int | None = None,
        run: int | None = None,
    ) -> Release:
        """Put a model in force, with the snapshot it was judged on: append a release.

        ``location``: the absolute folder of the snapshot. ``expected``: the number of the release that the
        caller saw in force, 0 for none; None promotes whatever is in force. ``run``: the retraining that this
        ends as promoted, in the same transaction, so that one without the other never is.

        Raises:
            UnknownModel: there is no such version.
            StalePromotion: another release than ``expected`` is in force; nothing was changed.
            UnknownRun, RunEnded: there is no such retraining, or it has ended; nothing was changed.
            BadEntry: the reason is empty, or a text or the folder is not taken.
        """
        with self._database.writing() as connection:
            release = releases.promote(
                connection,
                ref,
                snapshot_id=snapshot_id,
                location=location,
                reason=reason,
                who=who,
                expected=expected,
            )
            if run is not None:
                runs.finish(connection, run, outcome="promoted", message=reason, model=release.model)
            return release

    def rollback(
        self,
        *,
        reason: str,
        who: str,
        shipped: Shipped | None = None,
        to: int | None = None,
        expected: int | None = None,
    ) -> Release:
        """Put an earlier release in force again: append a release with its content.

        ``to``: its number, 0 for what ships; None for what was in force before. Rolling back twice goes back
        twice: what was rolled back is not gone to again. Before the first release it is what ``shipped``,
        where that is said; its model is registered if it is not yet.

        Raises:
            UnknownRelease: there is no such release, none at all, or its content is in force already.
            StalePromotion: another release than ``expected`` is in force; nothing was changed.
            BadEntry: the reason is empty, or a text is not taken.
        """
        with self._database.writing() as connection:
            return releases.rollback(
                connection, reason=reason, who=who, shipped=shipped, to=to, expected=expected
            )

    def earlier(self, to: int | None = None) -> Release | None:
        """The release that ``rollback`` goes back to, to be looked at before; None for what ships.

        Raises:
            UnknownRelease: as ``rollback``.
        """
        with self._database.reading() as connection:
            return releases.earlier(connection, to)

    def in_force(self) -> Release | None:
        """The release of the greatest number, None where there is none."""
        with self._database.reading() as connection:
            return releases.in_force(connection)

    def releases(self) -> list[Release]:
        """All releases, the first one first."""
        with self._database.reading() as connection:
            return releases.listed(connection)

    def latest_number(self) -> int:
        """The number of the release in force, 0 where there is none: one short query, to be asked often."""
        with self._database.reading() as connection:
            return releases.latest_number(connection)

    def export(self, target: Path) -> int:
        """Write everything to one file, as it stands at one moment, and tell how many records it is.

        The file is written whole or not at all. The same registry gives the same bytes.

        Raises:
            DamagedModel: stored bytes are not those that were registered.
            OSError: the file cannot be written.
        """
        with self._database.reading(repeatable=True) as connection:
            return write(target, records(connection))

    def import_(self, source: Path) -> int:
        """Add what an export holds and the registry does not yet, and tell how many records that is.

        The whole file is verified before anything is written, and is imported whole or not at all; a second
        time adds nothing. A retraining that had not ended when it was exported is imported as failed.

        Raises:
            DamagedExport: the file is cut off, altered, or no export.
            ImportConflict: it says something else than the registry; the message lists what.
            OSError: the file cannot be read, or is none but a pipe or a device.
        """
        with given_file(source) as file:
            for _ in read(file):
                pass
            file.seek(0)
            with self._database.writing() as connection:
                # Read a second time, and checked again, rather than held in memory.
                return merge(connection, read(file))

    def begin_run(self, *, who: str, parameters: dict[str, Any], pid: int | None, alone: bool = False) -> Run:
        """Note that a retraining begins. ``alone``: refuse if another one has not ended.

        Raises:
            RunInProgress: ``alone``, and another one has not ended.
            BadEntry: a text is not taken, or the parameters are no JSON.
        """
        with self._database.writing() as connection:
            return runs.begin(connection, who=who, parameters=parameters, pid=pid, alone=alone)

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
            UnknownRun: there is none of this number.
            RunEnded: it has ended.
        """
        process = {} if pid is None else {"pid": pid}
        with self._database.writing() as connection:
            runs.change(
                connection, identity, step=checked_text(step, "the step"), done=done, total=total, **process
            )

    def finish_run(self, identity: int, *, outcome: Outcome, message: str, model: str | None = None) -> None:
        """Note how a retraining ended, why, and the ref of the model that it registered.

        ``message``: kept whatever it holds, its control characters escaped, and cut where it is too long.

        Raises:
            UnknownRun: there is none of this number.
            RunEnded: it has ended already; the first outcome stays.
        """
        with self._database.writing() as connection:
            runs.finish(connection, identity, outcome=outcome, message=message, model=model)

    def fail_run(self, identity: int, why: str, *, seen: str | None = None) -> bool:
        """Note that a retraining failed, ``why``, and what it had registered; whether this was its end.

        One that has ended already keeps its outcome. ``seen``: its last sign of life as the caller saw it;
        one that has given another since goes on.

        Raises:
            UnknownRun: there is none of this number.
        """
        with self._database.writing() as connection:
            run = runs.of_id(connection, identity)
            if run.outcome is not None or seen not in {None, run.updated}:
                return False
            made = versions.of_run(connection, identity)
            left = (
                "Nothing was registered."
                if made is None
                else f"It had registered {made.ref}, and did not put it in force."
            )
            message = f"{why.rstrip().rstrip('.')}. {left}"
            model = None if made is None else made.ref
            runs.finish(connection, identity, outcome="failed", message=message, model=model)
            return True

    def run(self, identity: int) -> Run:
        """The retraining of this number.

        Raises:
            UnknownRun: there is none.
        """
        with self._database.reading() as connection:
            return runs.of_id(connection, identity)

    def runs(self, limit: int | None = None) -> list[Run]:
        """The retrainings, the newest first; at most ``limit``."""
        with self._database.reading() as connection:
            return runs.listed(connection, limit)

    def running(self) -> list[tuple[Run, float]]:
        """The retrainings that have not ended, the first one first, and the seconds since each gave a sign.

        Both ends of these seconds are told by the clock of the database, whatever those of the hosts say.
        """
        with self._database.reading() as connection:
            return runs.running(connection)
