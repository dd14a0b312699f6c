"""What every format is read into and written from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import msgspec

import wort.schemas.references as schema
from app.scoring.naming.references import MentionReference, Reference, named

ROWS = 4096
"""Rows in a chunk: enough to score at full speed, few enough to hold and to do again."""

BYTES = 1 << 20
"""Work of reading (``Lines.work``) after which a chunk ends, however few its rows: a wide one takes as long
as many."""

GROUP = 1 << 17
"""Rows of a row group that is written."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """One row of the input.

    ``line``: where it begins, counted from 1 (a row number in Parquet). ``record``: what it holds, by
    column. ``context``: what a pair of terms is about, where that is said. ``error``: why it cannot be
    scored; ``left`` and ``right`` mean nothing then. ``unread``: its text, where ``record`` has not all of
    it.
    """

    line: int
    record: Mapping[str, Any]
    left: Reference = ""
    right: Reference = ""
    error: str | None = None
    context: str | None = None
    unread: str | None = None


class Position(msgspec.Struct, frozen=True):
    """Where the next row begins: an offset (bytes, or rows in Parquet) and a line.

    ``again``: how much was read more than once before it, which decides what is from there on.
    """

    offset: int
    line: int
    again: int = 0


@dataclass(frozen=True, slots=True)
class FileChunk:
    """Consecutive rows, and where reading goes on after them.

    ``record_batch``: the same rows as Arrow has them, where the input has types that are worth keeping.
    """

    rows: list[PairRow]
    after: Position
    record_batch: Any = None


class Reader(Protocol):
    """An input that is open.

    ``columns``: those of every row, or of the first row where rows may differ. ``uniform``: no row differs.
    ``size``: what ``Position.offset`` is at the end, None if nobody knows. ``unit`` is the offset's.
    ``schema``: the columns' Arrow schema, where the input has one.
    """

    columns: tuple[str, ...]
    uniform: bool
    size: int | None
    unit: str
    schema: Any

    def chunks(self, start: Position | None = None, rows: int = ROWS) -> Iterator[FileChunk]:
        """The rows from ``start`` (the beginning, if None) to the end, so many ``rows`` at a time."""
        ...


class Writer(ABC):
    """An output that grows by appending.

    ``tabular``: it has the same columns in every row. ``tells``: it says itself what it rests on.
    """

    tabular: bool
    tells = False

    def head(self) -> bytes:
        """What the output begins with."""
        return b""

    @abstractmethod
    def encode(self, chunk: FileChunk, results: Sequence[Sequence[Any]]) -> bytes:
        """The rows of ``chunk``, each with its result: one value for each added column."""

    def foot(self) -> bytes:
        """What an output ends with that is sent on while it grows."""
        return b""

    def publish(self, grown: Path, output: Path) -> None:
        """Put what was appended to ``grown`` at ``output``, in one step."""
        grown.replace(output)


@dataclass(frozen=True, slots=True)
class PairCells:
    """Where the pair of a row stands, and what its cells are.

    ``context``: the column of the context; one that the input lacks says nothing. ``terms``: the cells are
    free terms, else concepts. ``header``: the first row of a table names its columns.
    """

    left: str = "left"
    right: str = "right"
    context: str | None = None
    terms: bool = False
    header: bool = True

    def names(self, columns: int) -> list[str]:
        """What the columns of a table without a header are called: the pair stands in the first two."""
        others = (f"column {number}" for number in range(3, columns + 1))
        return [self.left, self.right, *others][:columns]

    def missing_in(self, cells: Sequence[str]) -> list[str]:
        """Those of the two sides that a table lacks whose first row is ``cells``."""
        return self.missing(cells if self.header else self.names(len(cells)))

    def missing(self, columns: Sequence[str]) -> list[str]:
        """Those of the two sides that are not among ``columns``."""
        return [name for name in (self.left, self.right) if written(name, columns) is None]

    def within(self, columns: Sequence[str]) -> PairCells:
        """The same, by the names that an input's ``columns`` are written with."""
        left, right = (written(name, columns) or name for name in (self.left, self.right))
        context = None if self.context is None else written(self.context, columns) or self.context
        return replace(self, left=left, right=right, context=context)

    def row(self, line: int, record: Mapping[str, Any]) -> PairRow:
        """The row that holds ``record``."""
        side = term if self.terms else concept
        # Blanks around the name of a column are none of what is said of it.
        left, first = side(record.get(self.left), self.left.strip())
        right, second = side(record.get(self.right), self.right.strip())
        about = None if self.context is None else record.get(self.context)
        third = None
        if not isinstance(about, str | None):
            about, third = None, f"{self.context} is not a text"
        return PairRow(line, record, left, right, first or second or third, about)


def written(name: str, columns: Sequence[str]) -> str | None:
    """How ``columns`` have the column ``name``, maybe with blanks around it or other capitals.

    None where they do not, or have several that differ in nothing else.

    >>> written("left", [" left", "right "]), written("left", [" left", "left "])
    (' left', None)
    >>> [written("left", columns) for columns in (["LEFT", "Right"], ["Left", "LEFT"], ["Left", "left "])]
    ['LEFT', None, 'left ']
    """
    if name in columns:
        return name
    alike = [column for column in columns if column.strip() == name.strip()]
    alike = alike or [column for column in columns if column.strip().casefold() == name.strip().casefold()]
    return alike[0] if len(alike) == 1 else None


def concept(value: object, column: str) -> tuple[Reference, str | None]:
    """The concept that a cell names, and why it names none."""
    if isinstance(value, dict):
        # What writes rows may give every object all keys: those that are null say nothing.
        keys = schema.Reference.__struct_fields__
        fields = {key: part for key, part in value.items() if part is not None or key not in keys}
        try:
            value = named(msgspec.convert(fields, schema.Reference))
        except msgspec.ValidationError:
            return "", f'{column} is an object and not {{"id": …}}, {{"title": …}} or {{"mention": …}}'
    if isinstance(value, float):
        # Beyond, a float is no single whole number.
        instead = f": write {int(value)}" if value.is_integer() and abs(value) < 2**53 else ""
        return "", f"{column} is {value!r}, and page ids are integers{instead}"
    if isinstance(value, bool) or not isinstance(value, (str, int, MentionReference, type(None))):
        return "", f"{column} is neither a title nor a page id"
    text = value.text if isinstance(value, MentionReference) else value
    if value is None or (isinstance(text, str) and not text.strip()):
        return "", f"{column} is empty"
    return value, None


def term(value: object, column: str) -> tuple[str, str | None]:
    """The free term that a cell holds, and why it holds none."""
    if not isinstance(value, str | None):
        return "", f"{column} is not a text"
    if value is None or not value.strip():
        return "", f"{column} is empty"
    return value, None
