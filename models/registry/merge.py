"""Taking an export out of a registry, and merging one into it, within a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from models.registry import releases, runs, versions
from models.registry.errors import ImportConflict, UnknownModel
from models.registry.exchange import Entry, ModelEntry, exported
from models.registry.layout import RELEASES, RUNS
from models.registry.records import ModelVersion, Release, Run

_SHOWN = 10
"""Conflicts that are listed."""

_LOST = "It had not ended when the registry was exported."


def records(connection: Connection) -> Iterator[Entry]:
    """Everything that the registry holds, in the order of an export.

    Raises:
        DamagedModel: stored bytes are not those that were registered.
    """
    yield from reversed(runs.listed(connection, None))
    for model in versions.listed(connection):
        content: dict[str, Any] = {
            kind: versions.content_of(connection, model, kind) for kind in versions.CONTENT
        }
        yield ModelEntry(**msgspec.structs.asdict(model), **content)
    yield from releases.listed(connection)


def merge(connection: Connection, entries: Iterable[Entry]) -> int:
    """Add those of ``entries`` that the registry does not hold yet, and tell how many they are.

    Raises:
        ImportConflict: they say something else than the registry; the message lists what. The caller undoes
            the transaction.
    """
    added, conflicts = 0, []
    for entry in entries:
        try:
            if isinstance(entry, Run):
                added += _merge_run(connection, entry)
            elif isinstance(entry, ModelEntry):
                added += _merge_model(connection, entry)
            else:
                added += _merge_release(connection, entry)
        except ImportConflict as conflict:
            conflicts.append(str(conflict))
            if len(conflicts) == _SHOWN:
                conflicts.append("perhaps more")
                break
    if conflicts:
        raise ImportConflict(
            f"the export contradicts the registry: {'; '.join(conflicts)}. Nothing was imported: import it "
            "into another registry."
        )
    return added


def _merge_run(connection: Connection, entry: Run) -> bool:
    present = runs.find(connection, entry.id)
    if present is not None:
        # What a retraining is does not change; how far it is does, and the registry knows it better.
        _same(entry, present, ("who", "began", "parameters", "host"), f"retraining {entry.id}")
        return False
    _next(entry.id, connection.scalar(select(func.max(RUNS.c.id))), "retraining")
    row = msgspec.structs.asdict(entry)
    if entry.outcome is None:
        row |= {"outcome": "failed", "message": _LOST}
    connection.execute(insert(RUNS), [row])
    return True


_MODEL_FACTS = tuple(
    name for name in ModelVersion.__struct_fields__ if name not in {"id", "name", "version", "run"}
)


def _merge_model(connection: Connection, entry: ModelEntry) -> bool:
    present = {model.version: model for model in versions.of_name(connection, entry.name)}
    if entry.version in present:
        _same(entry, present[entry.version], _MODEL_FACTS, entry.ref)
        return False
    _next(entry.version, max(present, default=0), f"{entry.name}, version")
    if entry.run is not None and runs.find(connection, entry.run) is None:
        raise ImportConflict(f"{entry.ref} comes from retraining {entry.run}, which is missing")
    facts = {name: getattr(entry, name) for name in (*_MODEL_FACTS, "run")}
    versions.append(connection, entry.name, facts, {kind: getattr(entry, kind) for kind in versions.CONTENT})
    return True


def _merge_release(connection: Connection, entry: Release) -> bool:
    present = releases.listed(connection, entry.number)
    if present:
        _same(entry, present[0], exported(Release), f"release {entry.number}")
        return False
    _next(entry.number, releases.latest_number(connection), "release")
    try:
        model = versions.of_ref(connection, entry.model)
    except UnknownModel:
        raise ImportConflict(f"release {entry.number} is of {entry.model}, which is missing") from None
    row = {name: getattr(entry, name) for name in exported(Release)}
    connection.execute(insert(RELEASES), [row | {"model": model.id}])
    return True


def _same(entry: Entry, present: object, names: tuple[str, ...], what: str) -> None:
    """Refuse an entry of which the registry says something else."""
    other = [name for name in names if getattr(entry, name) != getattr(present, name)]
    if other:
        raise ImportConflict(f"{what} has another {', '.join(other)}")


def _next(number: int, latest: int | None, what: str) -> None:
    """Refuse to leave a gap in numbers that have none."""
    if number != (latest or 0) + 1:
        raise ImportConflict(f"{what} {number} would follow {latest or 0}, and leave a gap")
