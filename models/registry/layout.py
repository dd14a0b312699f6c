"""The registry's tables: those of its records. ``migrations`` makes them; a test holds the two together.

Times are ISO 8601 in UTC, as in model files. Numbers are given by the registry under its write lock, from 1
without gaps, and never by the database, so that an export keeps them in whichever database it is imported.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, TypeVar

import msgspec
from msgspec import inspect
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Connection,
    Constraint,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    select,
)

from models.registry.records import NUMBERS, Key, ModelEntry, Record, Release, Run

R = TypeVar("R", bound=Record)

REVISIONS = ("0001", "0002", "0003", "0004")
"""The versions of the tables, in order; the last is that of this code."""

REVISION_TABLE = "wort_revision"
"""Where the version of the tables stands. The name is ours alone, for a database that others use too."""

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


_TYPES: dict[type[inspect.Type], Any] = {
    inspect.BoolType: Boolean,
    inspect.BytesType: LargeBinary,
    inspect.IntType: Integer,
    inspect.LiteralType: String(16),
    inspect.StrType: Text,
}
"""How the database keeps a field; what is not among these as JSON."""


def _type(kind: inspect.Type) -> Any:  # noqa: ANN401  # SQLAlchemy takes types and their instances
    if isinstance(kind, inspect.StrType) and kind.max_length is not None:
        return String(kind.max_length)
    if isinstance(kind, inspect.IntType) and (kind.le or 0) >= NUMBERS:
        return BigInteger
    return _TYPES.get(type(kind), JSON)


def _table(
    name: str, record: type[Record], *constraints: Constraint, without: Container[str] = (), **of: str
) -> Table:
    """A table with a column for each field of ``record``; the first one is its key.

    ``without``: fields that it has no column for. ``of``: the column elsewhere that a field names.
    """
    columns: list[Column[Any]] = []
    for field in msgspec.structs.fields(record):
        kind, *absent = getattr(found := inspect.type_info(field.type), "types", (found,))
        if field.name not in without:
            to = ForeignKey(of[field.name]) if field.name in of else _type(kind)
            # What has a default came into the table later, or is its key.
            nullable = bool(columns) and (bool(absent) or not field.required)
            columns.append(
                Column(field.name, to, primary_key=not columns, autoincrement=False, nullable=nullable)
            )
    return Table(name, METADATA, *columns, *constraints)


RUNS = _table("wort_runs", Run)
"""A row a retraining; ``outcome`` is null until it has ended."""

MODELS = _table(
    "wort_models",
    ModelEntry,
    UniqueConstraint("name", "version"),
    CheckConstraint("version >= 1", name="version"),
    run="wort_runs.id",
)
"""A row a version of a model, with the bytes of its file and of its reports. Rows are never changed."""

RELEASES = _table(
    "wort_releases",
    Release,
    without={"model_id", "checksum"},
    model="wort_models.id",
    restores="wort_releases.number",
)
"""A row a release. Rows are appended and never changed; that of the greatest number is in force.

``shipped``: whether it is of what ships with wort; null in rows that are older than the column.
"""

KEYS = _table("wort_keys", Key)
"""A row a key; ``digest`` is the SHA-256 of it. A name may come again once its key is revoked."""


def kept(
    connection: Connection,
    record: type[R],
    table: Table,
    *conditions: ColumnElement[bool],
    **elsewhere: ColumnElement[Any],
) -> list[R]:
    """The records of the rows that meet all ``conditions``, in the order of their numbers.

    ``elsewhere``: where to read the fields that are not columns of ``table``.
    """
    names = record.__struct_fields__
    columns = [elsewhere[name] if name in elsewhere else table.c[name] for name in names]
    query = select(*columns).where(*conditions).order_by(*table.primary_key)
    rows = connection.execute(query)
    return [msgspec.convert(dict(zip(names, row, strict=True)), record) for row in rows]


def next_number(connection: Connection, column: Column[Any], *conditions: ColumnElement[bool]) -> int:
    """The number after the greatest in ``column``, 1 for the first. The transaction writes alone."""
    return (connection.scalar(select(func.max(column)).where(*conditions)) or 0) + 1
