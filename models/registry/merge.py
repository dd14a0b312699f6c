"""Taking an export out of a registry, and merging one into it, within a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from sqlalchemy import Connection, insert

from models.registry import releases, runs, versions
from models.registry.errors import ImportConflict, UnknownModel
from models.registry.exchange import Entry, portable
from models.registry.layout import MODELS, RELEASES, RUNS
from models.registry.records import ModelEntry, ModelVersion, Release, Run
from models.storage.rows import kept, next_number

_SHOWN = 10
"""Conflicts that are listed."""

_LOST = "It had not ended when the registry was exported."


def records(connection: Connection) -> Iterator[Entry]:
    """Everything that the registry holds, in the order of an export.

    Raises:
        DamagedModel: stored bytes are not those that were registered.
    """
    yield from kept(connection, Run, RUNS)
    for model in kept(connection, ModelVersion, MODELS):
        entry = msgspec.structs.asdict(model)
        for kind in versions.CONTENT:
            entry[kind] = versions.content_of(connection, model, kind)
        yield ModelEntry(**entry)
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
    _next(entry.id, next_number(connection, RUNS.c.id), "retraining")
    row = msgspec.structs.asdict(entry)
    if entry.outcome is None:
        row |= {"outcome": "failed", "message": _LOST}
    connection.execute(insert(RUNS), [row])
    return True


def _merge_model(connection: Connection, entry: ModelEntry) -> bool:
    of_name = MODELS.c.name == entry.name
    for present in kept(connection, ModelVersion, MODELS, of_name, MODELS.c.version == entry.version):
        facts = [name for name in ModelVersion.__struct_fields__ if name not in {"id", "run"}]
        _same(entry, present, facts, entry.ref)
        return False
    _next(entry.version, next_number(connection, MODELS.c.version, of_name), f"{entry.name}, version")
    if entry.run is not None and runs.find(connection, entry.run) is None:
        raise ImportConflict(f"{entry.ref} comes from retraining {entry.run}, which is missing")
    versions.append(connection, entry)
    return True


def _merge_release(connection: Connection, entry: Release) -> bool:
    for present in releases.listed(connection, entry.number):
        _same(entry, portable(present), Release.__struct_fields__, f"release {entry.number}")
        return False
    _next(entry.number, next_number(connection, RELEASES.c.number), "release")
    try:
        model = versions.of_ref(connection, entry.model)
    except UnknownModel:
        raise ImportConflict(f"release {entry.number} is of {entry.model}, which is missing") from None
    row = {column.name: getattr(entry, column.name) for column in RELEASES.c}
    connection.execute(insert(RELEASES), [row | {"model": model.id}])
    return True


def _same(entry: Entry, present: object, names: Iterable[str], what: str) -> None:
    """Refuse an entry of which the registry says something else."""
    other = [name for name in names if getattr(entry, name) != getattr(present, name)]
    if other:
        raise ImportConflict(f"{what} has another {', '.join(other)}")


def _next(number: int, following: int, what: str) -> None:
    """Refuse to leave a gap in numbers that have none."""
    if number != following:
        raise ImportConflict(f"{what} {number} would follow {following - 1}, and leave a gap")
