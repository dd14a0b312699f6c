"""Parquet: columns keep their types, rows are read in groups and written in groups."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from app.batch.files.delimited import cell
from app.batch.files.rows import BYTES, GROUP, ROWS, FileChunk, PairCells, Position, Writer
from app.errors import FileTooLarge, PairsError
from measures.arrays import Ints

PROVENANCE = b"wort"
"""The key of a file's metadata under which its model and its snapshot stand, as JSON."""

BUFFER = 1 << 16
"""Bytes of a column that are read in one go, of a file from elsewhere."""

WIDTH = 16
"""Bytes that a value may take in memory, whatever it is, besides its text."""

PENDING = 8 << 20
"""Bytes of a row group, as Arrow has them, after which it is sent, however few its rows."""

_FAULTS = (pa.ArrowException, OSError, ValueError, LookupError)
"""What Arrow raises of a file that is damaged: some of it is of Python's own kinds."""


class ParquetReader:
    """Reads a Parquet file. A row's line is its number, from 1.

    ``whole``: rows hold every column as plain values, for a writer of another format; else the pair
    alone, which leaves the rest as it is, whatever its type. ``most``: bytes that the texts of a file from
    elsewhere may have together, which ``parquet_bounds`` has looked at; None for a file of one's own.
    ``chunk_bytes``: after so many bytes of text a chunk of a file from elsewhere ends, however few its rows.
    """

    uniform = True
    unit = "rows"

    def __init__(
        self,
        source: Path | BinaryIO,
        pair: PairCells,
        whole: bool,
        most: int | None = None,
        chunk_bytes: int = BYTES,
    ) -> None:
        self._most = most
        self._chunk_bytes = chunk_bytes
        try:
            self._file = pq.ParquetFile(source)
            stored = self._file.schema_arrow
            self.columns = tuple(stored.names)
        except _FAULTS as error:
            # What the system refuses has a number; a footer that makes no sense has none.
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise PairsError(f"the file is not Parquet, or damaged: {error}") from None
        self.schema = pa.schema([(field.name, _written(field.type)) for field in stored])
        repeated = [name for name, times in Counter(self.columns).items() if times > 1]
        if repeated:
            raise PairsError(f"the file has the column {min(repeated)!r} twice. Rename one of them.")
        self.size = self._file.metadata.num_rows
        self._pair = pair = pair.within(self.columns)
        needed = (pair.left, pair.right, pair.context)
        for name in (name for name in needed if name is not None and name in self.columns):
            kind = self.schema.field(name).type
            if name == pair.context and pa.types.is_null(kind):
                continue
            wanted = "text" if pair.terms else "titles (text) or page ids (integers)"
            if pa.types.is_floating(kind) and not pair.terms:
                raise PairsError(self._no_ids(name, kind))
            if not (_is_text(kind) or (pa.types.is_integer(kind) and not pair.terms)):
                raise PairsError(f"the column {name} holds {kind}, not {wanted}.")
        self._read = [name for name in self.columns if whole or name in needed]
        for name in self._read:
            if not _has_words(self.schema.field(name).type):
                raise PairsError(
                    f"the column {name!r} holds {self.schema.field(name).type}, "
                    "which only Parquet can keep. Write Parquet, or leave the column out."
                )
        if most is not None:
            self._fold(source)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def chunks(self, start: Position | None = None, rows: int = ROWS) -> Iterator[FileChunk]:
        """The rows from ``start`` to the end."""
        at = 0 if start is None else start.offset
        group, before = self._group_of(at)
        skip = at - before
        groups = range(group, self._file.metadata.num_row_groups)
        try:
            for batch in self._batches(rows, groups):
                if skip >= batch.num_rows:
                    skip -= batch.num_rows
                    continue
                rest = self._unfolded(batch.slice(skip))
                skip = 0
                records = _records(rest.select(self._read))
                read = [self._pair.row(number, record) for number, record in enumerate(records, at + 1)]
                at += len(read)
                yield FileChunk(read, Position(at, at + 1), rest)
        except _FAULTS as error:
            raise PairsError(f"the file is damaged after row {at:,}: {error}") from None

    def _no_ids(self, name: str, kind: pa.DataType) -> str:
        """What is said of a column of a side that holds numbers which are no integers, and what to do."""
        row = None if self._most is not None else self._first_unfit(name)
        gap = "" if row is None else f" Row {row[0]:,} has {row[1]}."
        return (
            f"the column {name} holds {kind}, numbers with decimals; page ids are integers.{gap} Cast the "
            f"column (in pandas: frame[{name!r}].astype('Int64'), which keeps gaps) and write the file again."
        )

    def _first_unfit(self, name: str) -> tuple[int, str] | None:
        """The first row whose number is no page id, from 1, and what it has; None where there is none."""
        before = 0
        for batch in self._file.iter_batches(columns=[name]):
            values = batch.column(0).to_numpy(zero_copy_only=False).astype(np.float64)
            unfit = np.flatnonzero(~(np.isfinite(values) & (values == np.floor(values))))
            if len(unfit):
                value = values[unfit[0]]
                return before + int(unfit[0]) + 1, "a gap" if np.isnan(value) else f"{value:g}"
            before += len(values)
        return None

    def _fold(self, source: Path | BinaryIO) -> None:
        """Have texts read as dictionaries, so that one that repeats takes no more memory than in the file."""
        layout = self._file.schema
        texts = [
            name for at, name in enumerate(self.columns) if layout.column(at).physical_type == "BYTE_ARRAY"
        ]
        self._file = pq.ParquetFile(source, read_dictionary=texts, buffer_size=BUFFER)
        for name in texts:
            if not pa.types.is_dictionary(self._file.schema_arrow.field(name).type):
                kind = self.schema.field(name).type
                raise PairsError(f"the column {name!r} holds {kind}, which is not read here. Leave it out.")

    def _batches(self, rows: int, groups: Sequence[int]) -> Iterator[pa.RecordBatch]:
        """The rows as they are stored; of a file from elsewhere, no more together than are soon unfolded.

        Raises:
            FileTooLarge: the texts have more bytes than they may.
        """
        if self._most is None:
            yield from self._file.iter_batches(rows, row_groups=groups)
            return
        few = max(1, min(rows, PENDING // (WIDTH * len(self.columns))))
        total = 0
        for batch in self._file.iter_batches(few, row_groups=groups, use_threads=False):
            ends = np.cumsum(_text_bytes(batch))
            total += int(ends[-1]) if len(ends) else 0
            if total > self._most:
                raise FileTooLarge(
                    f"the texts of the file may have {self._most:,} bytes, each as often as a row has it. "
                    "Send it in several.",
                    self._most,
                )
            begin = 0
            while begin < batch.num_rows:
                before = ends[begin - 1] if begin else 0
                end = max(begin + 1, int(np.searchsorted(ends, before + self._chunk_bytes, side="right")))
                yield batch.slice(begin, end - begin)
                begin = end

    def _unfolded(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """``batch`` with its columns in the types of ``schema``."""
        if self._most is None:
            return batch.cast(self.schema)
        plain = [
            column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
            for column in batch.columns
        ]
        casts = [column.cast(field.type) for column, field in zip(plain, self.schema, strict=True)]
        return pa.RecordBatch.from_arrays(casts, schema=self.schema)

    def _group_of(self, row_number: int) -> tuple[int, int]:
        """The row group that holds a row, and the rows before that group."""
        before = 0
        for group in range(self._file.metadata.num_row_groups):
            rows = self._file.metadata.row_group(group).num_rows
            if row_number < before + rows:
                return group, before
            before += rows
        return self._file.metadata.num_row_groups, before


class ParquetWriter(Writer):
    """Grows as an Arrow stream, which can be appended to, and becomes Parquet when it is published.

    Columns of an input without types are written as text. What the results rest on stands in the file's
    metadata, under ``PROVENANCE``.
    """

    tabular = True
    tells = True

    def __init__(
        self,
        columns: Sequence[str],
        added: Mapping[str, type],
        schema: pa.Schema | None,
        provenance: bytes = b"",
        group_rows: int = GROUP,
        group_bytes: int = PENDING,
    ) -> None:
        self._group_rows = group_rows
        self._group_bytes = group_bytes
        self._given = schema or pa.schema([(name, pa.string()) for name in columns])
        self._typed = schema is not None
        self._added = pa.schema(
            [(name, pa.float64() if kind is float else pa.string()) for name, kind in added.items()]
        )
        self._schema = pa.schema([*self._given, *self._added], metadata={PROVENANCE: provenance})

    def head(self) -> bytes:
        """The stream's schema."""
        return bytes(self._schema.serialize())

    def encode(self, chunk: FileChunk, results: Sequence[Sequence[Any]]) -> bytes:
        """One record batch."""
        return bytes(self._batch(chunk, results).serialize())

    def _batch(self, chunk: FileChunk, results: Sequence[Sequence[Any]]) -> pa.RecordBatch:
        if self._typed:
            given = chunk.record_batch.columns
        else:
            given = [
                pa.array([_text(row.record.get(name)) for row in chunk.rows], pa.string())
                for name in self._given.names
            ]
        columns = zip(*results, strict=True)
        added = [pa.array(values, field.type) for values, field in zip(columns, self._added, strict=True)]
        return pa.RecordBatch.from_arrays([*given, *added], schema=self._schema)

    def publish(self, grown: Path, output: Path) -> None:
        """Turn the stream into Parquet, row group by row group."""
        made = grown.with_name(grown.name + ".parquet")
        with grown.open("rb") as source, pq.ParquetWriter(made, self._schema, compression="zstd") as writer:
            waiting: list[pa.RecordBatch] = []
            for batch in pa.ipc.open_stream(source):
                waiting.append(batch)
                if sum(each.num_rows for each in waiting) >= self._group_rows:
                    table = pa.Table.from_batches(waiting)
                    writer.write_table(table.slice(0, self._group_rows), row_group_size=self._group_rows)
                    waiting = table.slice(self._group_rows).to_batches()
            if waiting:
                writer.write_table(pa.Table.from_batches(waiting), row_group_size=self._group_rows)
        made.replace(output)
        grown.unlink()


class ParquetStream(ParquetWriter):
    """Writes Parquet that is sent on while it grows, row group by row group, and cannot be gone on with.

    A row group ends after ``group_rows`` rows, or after ``group_bytes`` bytes as Arrow has them.
    """

    def head(self) -> bytes:
        """What every Parquet file begins with."""
        self._sink = io.BytesIO()
        self._file = pq.ParquetWriter(self._sink, self._schema, compression="zstd")
        self._waiting: list[pa.RecordBatch] = []
        return self._taken()

    def encode(self, chunk: FileChunk, results: Sequence[Sequence[Any]]) -> bytes:
        """The row groups that are whole with the rows of ``chunk``; nothing, where none is."""
        self._waiting.append(self._batch(chunk, results))
        rows = sum(batch.num_rows for batch in self._waiting)
        if rows >= self._group_rows or sum(batch.nbytes for batch in self._waiting) >= self._group_bytes:
            self._write()
        return self._taken()

    def foot(self) -> bytes:
        """The last row group, and the index."""
        self._write()
        self._file.close()
        return self._taken()

    def _write(self) -> None:
        if self._waiting:
            self._file.write_table(pa.Table.from_batches(self._waiting))
            self._waiting = []

    def _taken(self) -> bytes:
        """What was written since."""
        written = self._sink.getvalue()
        self._sink.seek(0)
        self._sink.truncate()
        return written


def _text_bytes(batch: pa.RecordBatch) -> Ints:
    """Bytes of the texts of each row; ``int64[rows]``."""
    total = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        if pa.types.is_dictionary(column.type):
            lengths = pc.binary_length(column.dictionary).take(column.indices)
            total += pc.fill_null(lengths, 0).to_numpy(zero_copy_only=False)
    return total


def _records(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """The rows of ``batch`` as plain values; what JSON has no notion of (dates, decimals) as text."""
    plain = [column if _is_plain(column.type) else pc.cast(column, pa.string()) for column in batch.columns]
    rows: list[dict[str, Any]] = pa.RecordBatch.from_arrays(plain, names=batch.schema.names).to_pylist()
    return rows


def _written(kind: pa.DataType) -> pa.DataType:
    """The type in which a column is kept: its own, but a dictionary cannot grow and is kept as its values."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _has_words(kind: pa.DataType) -> bool:
    """Whether the values of ``kind`` are plain, or can be written as text."""
    if _is_plain(kind):
        return True
    types = pa.types
    binary = (types.is_binary, types.is_large_binary, types.is_fixed_size_binary, types.is_binary_view)
    if types.is_nested(kind) or any(test(kind) for test in binary):
        return False
    try:
        pc.cast(pa.array([], kind), pa.string())
    except pa.ArrowException:
        return False
    return True


def _is_plain(kind: pa.DataType) -> bool:
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _is_plain(kind.value_type)
    if pa.types.is_struct(kind):
        return all(_is_plain(kind.field(index).type) for index in range(kind.num_fields))
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_null, _is_text)
    return any(test(kind) for test in tests)


def _is_text(kind: pa.DataType) -> bool:
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


def _text(value: object) -> str | None:
    return None if value is None else str(cell(value))
