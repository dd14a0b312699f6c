"""Models of the registry: what is written and read of them within a transaction."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Connection, func, insert, select

from models.given import refuse_repeated_keys
from models.registry.entries import checked_name, checked_text, checksum, now, parse_ref
from models.registry.errors import BadEntry, DamagedModel, UnknownModel
from models.registry.layout import MODELS
from models.registry.records import ModelVersion, Shipped, of_row

_M = MODELS.c
_FACTS = tuple(_M[name] for name in ModelVersion.__struct_fields__)
CONTENT: dict[str, tuple[Column[Any], Column[Any]]] = {
    "artifact": (_M.artifact, _M.checksum),
    "report": (_M.report, _M.report_checksum),
    "report_html": (_M.report_html, _M.report_html_checksum),
}
"""What is kept of a version as bytes, each with the column of its checksum."""

_NEAR, _SHOWN = 3, 10


class _OfModelFile(msgspec.Struct):
    """What the registry reads of a model file; the whole of it is the caller's to check."""

    snapshot: str
    metrics: dict[str, float | None]


def facts_of(model: bytes) -> tuple[str, dict[str, float | None]]:
    """The snapshot and the metrics that a model file states.

    Raises:
        BadEntry: it is no model file.
    """
    try:
        stated = msgspec.json.decode(model, type=_OfModelFile)
        refuse_repeated_keys(model)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadEntry(f"this is no model file ({error}). `wort train` writes one.") from None
    return stated.snapshot, stated.metrics


def append(
    connection: Connection, name: str, facts: Mapping[str, Any], content: Mapping[str, bytes | None]
) -> int:
    """Add the next version of ``name`` and tell its id. The transaction writes alone.

    ``facts``: the columns that the caller knows; ``content``: the bytes by their column.
    """
    checksums = {
        of.name: None if content.get(name) is None else checksum(content[name] or b"")
        for name, (_, of) in CONTENT.items()
    }
    identity = (connection.scalar(select(func.max(_M.id))) or 0) + 1
    version = (connection.scalar(select(func.max(_M.version)).where(_M.name == name)) or 0) + 1
    row = {"id": identity, "name": name, "version": version, **facts, **content, **checksums}
    row["dataset"] = msgspec.to_builtins(row["dataset"])
    connection.execute(insert(MODELS), [row])
    return identity


def of_shipped(connection: Connection, shipped: Shipped, who: str) -> int:
    """The id of the version whose file is the one that ships; it is registered where there is none yet.

    Raises:
        BadEntry: it is no model file, or who does it is not said as the registry takes it.
    """
    known = listed(connection, _M.name == shipped.name, _M.checksum == checksum(shipped.model))
    if known:
        return known[-1].id
    snapshot, metrics = facts_of(shipped.model)
    facts = {
        "snapshot": snapshot,
        "metrics": metrics,
        "dataset": shipped.dataset,
        "created": now(),
        "who": checked_text(who, "who does it", needed=True),
        "note": "what ships with wort",
        "run": None,
    }
    return append(connection, checked_name(shipped.name), facts, {"artifact": shipped.model})


def listed(connection: Connection, *conditions: ColumnElement[bool]) -> list[ModelVersion]:
    """The versions that meet all ``conditions``, in the order in which they were registered."""
    rows = connection.execute(select(*_FACTS).where(*conditions).order_by(_M.id)).mappings()
    return [of_row(ModelVersion, row) for row in rows]


def of_name(connection: Connection, name: str) -> list[ModelVersion]:
    """All versions of a model."""
    return listed(connection, _M.name == name)


def of_id(connection: Connection, identity: int) -> ModelVersion:
    """The version of this id, which exists."""
    return listed(connection, _M.id == identity)[0]


def of_run(connection: Connection, run: int) -> ModelVersion | None:
    """The version that a retraining registered, the newest of several; None if it registered none."""
    found = listed(connection, _M.run == run)
    return found[-1] if found else None


def of_ref(connection: Connection, ref: str) -> ModelVersion:
    """The version that ``ref`` names: ``name@3``, or ``name`` for the newest.

    Raises:
        UnknownModel: there is none; the message lists what has a similar name.
    """
    name, version = parse_ref(ref)
    found = of_name(connection, name) if name.isprintable() else []
    if not found:
        raise UnknownModel(_unknown(connection, name))
    if version is None:
        return max(found, key=lambda model: model.version)
    for model in found:
        if model.version == version:
            return model
    raise UnknownModel(f"{name} has versions 1 to {max(model.version for model in found)}, and no {version}.")


def _unknown(connection: Connection, name: str) -> str:
    names = list(connection.scalars(select(_M.name).distinct().order_by(_M.name)))
    if not names:
        return (
            f"no model {name!r}: the registry holds none yet. `wort models add` or `wort retrain` makes one."
        )
    near = difflib.get_close_matches(name, names, _NEAR, 0.5)
    if near:
        return f"no model {name!r}. Did you mean {', '.join(near)}?"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"no model {name!r}. There are {', '.join(names[:_SHOWN])}{more}."


def content_of(connection: Connection, model: ModelVersion, kind: str) -> bytes | None:
    """The bytes of a version, "artifact", "report" or "report_html"; None where it has none of the kind.

    Raises:
        DamagedModel: they are not those that were registered.
    """
    content, stated = connection.execute(select(*CONTENT[kind]).where(_M.id == model.id)).one()
    if content is None and stated is None:
        return None
    found = None if content is None else checksum(bytes(content))
    if found != stated:
        raise DamagedModel(
            f"the {kind.replace('_', ' ')} of {model.ref} is not what was registered: its checksum is "
            f"{found}, and {stated} was noted. Restore the database from a copy, or register the model again."
        )
    return bytes(content)
