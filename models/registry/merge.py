"""Taking an export out of a registry, and merging one into it, within a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from models.registry import releases, versions
from models.registry.errors import ImportConflict, UnknownModel
from models.registry.exchange import Entry, ModelRecord, ReleaseRecord, RunRecord
from models.registry.layout import RELEASES, RUNS

_SHOWN = 10
"""Conflicts that are listed."""

_LOST = "It had not ended when the registry was exported."


def records(connection: Connection) -> Iterator[Entry]:
    """Everything that the registry holds, in the order of an export.

    Raises:
        DamagedModel: stored bytes are not those that were registered.
    """
    for run in connection.execute(select(RUNS).order_by(RUNS.c.id)).mappings():
        yield RunRecord(**{name: run[name] for name in RunRecord.__struct_fields__})
    for model in versions.listed(connection):
        known: dict[str, Any] = msgspec.structs.asdict(model)
        del known["id"]
        for kind in versions.CONTENT:
            known[kind] = versions.content_of(connection, model, kind)
        yield ModelRecord(**known)
    for release in releases.listed(connection):
        yield ReleaseRecord(**{name: getattr(release, name) for name in ReleaseRecord.__struct_fields__})


def merge(connection: Connection, entries: Iterable[Entry]) -> int:
    """Add those of ``entries`` that the registry does not hold yet, and tell how many they are.

    Raises:
        ImportConflict: they say something else than the registry; the message lists what. The caller undoes
            the transaction.
    """
    added, conflicts = 0, []
    for entry in entries:
        try:
            if isinstance(entry, RunRecord):
                added += _merge_run(connection, entry)
            elif isinstance(entry, ModelRecord):
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


def _merge_run(connection: Connection, entry: RunRecord) -> bool:
    query = select(RUNS).where(RUNS.c.id == entry.id)
    present = connection.execute(query).mappings().first()
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


def _merge_model(connection: Connection, entry: ModelRecord) -> bool:
    present = {model.version: model for model in versions.of_name(connection, entry.name)}
    if entry.version in present:
        facts = {name: getattr(present[entry.version], name) for name in _MODEL_FACTS}
        _same(entry, facts, _MODEL_FACTS, entry.ref)
        return False
    _next(entry.version, max(present, default=0), f"{entry.name}, version")
    if entry.run is not None and connection.scalar(select(RUNS.c.id).where(RUNS.c.id == entry.run)) is None:
        raise ImportConflict(f"{entry.ref} comes from retraining {entry.run}, which is missing")
    facts = {name: getattr(entry, name) for name in (*_MODEL_FACTS, "run")}
    versions.append(connection, entry.name, facts, {kind: getattr(entry, kind) for kind in versions.CONTENT})
    return True


_MODEL_FACTS = (
    "checksum",
    "snapshot",
    "metrics",
    "dataset",
    "created",
    "who",
    "note",
    "report_checksum",
    "report_html_checksum",
)


def _merge_release(connection: Connection, entry: ReleaseRecord) -> bool:
    present = releases.listed(connection, entry.number)
    if present:
        fields = ReleaseRecord.__struct_fields__
        facts = {name: getattr(present[0], name) for name in fields}
        _same(entry, facts, fields, f"release {entry.number}")
        return False
    _next(entry.number, releases.latest_number(connection), "release")
    try:
        model = versions.of_ref(connection, entry.model)
    except UnknownModel:
        raise ImportConflict(f"release {entry.number} is of {entry.model}, which is missing") from None
    connection.execute(insert(RELEASES), [msgspec.structs.asdict(entry) | {"model": model.id}])
    return True


def _same(entry: Entry, present: Any, names: tuple[str, ...], what: str) -> None:  # noqa: ANN401  # a row or dict
    """Refuse an entry of which the registry says something else."""
    other = [name for name in names if getattr(entry, name) != present[name]]
    if other:
        raise ImportConflict(f"{what} has another {', '.join(other)}")


def _next(number: int, latest: int | None, what: str) -> None:
    """Refuse to leave a gap in numbers that have none."""
    if number != (latest or 0) + 1:
        raise ImportConflict(f"{what} {number} would follow {latest or 0}, and leave a gap")
