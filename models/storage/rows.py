"""Tables that follow from records, and their rows as records."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, TypeVar

import msgspec
from msgspec import inspect
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Constraint,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    func,
    select,
)

R = TypeVar("R", bound=msgspec.Struct)

NUMBERS = 2**31
"""An integer of the database holds what is below this: versions, releases, process ids."""

NAMING = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
}
"""How constraints and indexes are called."""

_TYPES: dict[type[inspect.Type], Any] = {
    inspect.BoolType: Boolean,
    inspect.BytesType: LargeBinary,
    inspect.FloatType: Float,
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
    return _TYPES.get(type(kind), JSON(none_as_null=True))


def table_of(
    metadata: MetaData,
    name: str,
    record: type[msgspec.Struct],
    *constraints: Constraint | Index,
    without: Container[str] = (),
    **of: str,
) -> Table:
    """A table with a column for each field of ``record``; the first one is its key.

    ``without``: fields that it has no column for. ``of``: the column elsewhere that a field names.
    """
    columns: list[Column[Any]] = []
    for field in msgspec.structs.fields(record):
        kind, *absent = getattr(declared := inspect.type_info(field.type), "types", (declared,))
        if field.name not in without:
            to = ForeignKey(of[field.name]) if field.name in of else _type(kind)
            # What has a default came into the table later, or is its key.
            nullable = bool(columns) and (bool(absent) or not field.required)
            columns.append(
                Column(field.name, to, primary_key=not columns, autoincrement=False, nullable=nullable)
            )
    return Table(name, metadata, *columns, *constraints)


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
