"""The formats of files of pairs, and how each is opened."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from app.batch.files.delimited import NO_HEADER, Decimal, DelimitedReader, DelimitedWriter
from app.batch.files.encodings import refuse_other_encodings
from app.batch.files.jsonlines import JSONLinesReader, JSONLinesWriter
from app.batch.files.lines import BYTE_ORDER_MARK
from app.batch.files.rows import GROUP, PairCells, Reader, Writer
from app.errors import PairsError

STANDARD = Path("-")
"""Names standard input and standard output."""


class Format(StrEnum):
    """A format of files of pairs."""

    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    PARQUET = "parquet"


TABLES = frozenset({Format.CSV, Format.TSV})
"""Those whose cells are text."""

EXTENSIONS = {
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".tab": Format.TSV,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
}
"""How the names of files end that say their format."""

_DELIMITERS = {Format.CSV: ",;\t", Format.TSV: "\t"}
"""What may stand between cells: spreadsheets put semicolons where a comma is the sign of decimals, and some
programs tabs, whatever the name."""


def format_of(path: Path) -> Format | None:
    """The format that the name of ``path`` says; None where it says none."""
    return EXTENSIONS.get(path.suffix.lower())


@contextmanager
def reading(path: Path, form: Format, pair: PairCells, output: Format) -> Iterator[Reader]:
    """The pairs of ``path``, which stand in the columns ``pair``.

    ``output``: the format that the rows are read for; Parquet keeps what no other can.

    Raises:
        PairsError: the file as a whole cannot be read as pairs in that format. What is found wrong with it
            within the block is said of ``path`` too.
    """
    try:
        with ExitStack() as opened:
            if form is not Format.PARQUET and path == STANDARD:
                reader = reader_of(sys.stdin.buffer, form, pair)
            elif form is not Format.PARQUET:
                stream = opened.enter_context(path.open("rb"))
                if path.is_file():  # a pipe that has a name is read only once
                    refuse_other_encodings(stream, path)
                reader = reader_of(stream, form, pair, path.stat().st_size)
            elif path == STANDARD:
                raise PairsError("Parquet cannot be read from a pipe: its index is at its end. Name a file.")
            else:
                from app.batch.files.parquet import ParquetReader  # noqa: PLC0415  # Arrow is slow to load

                parquet = ParquetReader(path, pair, whole=output is not Format.PARQUET)
                reader = _checked(opened.enter_context(closing(parquet)), pair)
            yield reader
    except PairsError as error:
        raise PairsError(f"{path}: {error}") from None


def sent_reader(stream: BinaryIO, form: Format, pair: PairCells, output: Format, most: int) -> Reader:
    """What reads the pairs of ``stream``, a file from elsewhere that is read for ``output``.

    ``most``: see ``ParquetReader``; ``parquet_bounds`` has looked at what is Parquet.

    Raises:
        PairsError: it cannot be read as pairs in that form.
    """
    if form is not Format.PARQUET:
        return reader_of(stream, form, pair)
    from app.batch.files.parquet import ParquetReader  # noqa: PLC0415  # Arrow is slow to load

    return _checked(ParquetReader(stream, pair, output is not Format.PARQUET, most), pair)


def reader_of(stream: BinaryIO, form: Format, pair: PairCells, size: int | None = None) -> Reader:
    """What reads the pairs of ``stream``, which holds any form but Parquet.

    ``size``: how many bytes it has, None if nobody knows.

    Raises:
        PairsError: it cannot be read as pairs in that form.
    """
    if form is Format.JSONL:
        return _checked(JSONLinesReader(stream, size, pair), pair)
    return _checked(DelimitedReader(stream, size, pair, _DELIMITERS[form]), pair)


def open_writer(
    form: Format,
    reader: Reader,
    added: Mapping[str, type],
    provenance: bytes = b"",
    group_rows: int = GROUP,
    sent: bool = False,
    decimal: Decimal = ".",
) -> Writer:
    """What writes the columns of ``reader`` and those ``added``.

    ``provenance``: what the results rest on, as JSON. Parquet keeps it; other formats have no place for it.
    ``group_rows``: the rows of a row group of Parquet. ``sent``: it is sent on while it grows.
    ``decimal``: the sign of decimals of the numbers that are added to a table.
    """
    if form is Format.PARQUET:
        from app.batch.files.parquet import ParquetStream, ParquetWriter  # noqa: PLC0415  # as above

        kind = ParquetStream if sent else ParquetWriter
        return kind(reader.columns, added, reader.schema, provenance, group_rows)
    if form is Format.JSONL:
        return JSONLinesWriter(tuple(added))
    delimiter, begin = _DELIMITERS[form][0], b""
    if isinstance(reader, DelimitedReader):
        # A spreadsheet that wrote the mark needs it to read the letters as they are.
        begin = BYTE_ORDER_MARK * reader.marked
        # As it was read, where it was read as what is written: a TSV becomes a CSV with commas.
        if reader.delimiters == _DELIMITERS[form]:
            delimiter = reader.delimiter
            begin += reader.preface.rstrip(b"\r\n") + b"\n" if reader.preface else b""
    return DelimitedWriter(reader.columns, tuple(added), delimiter, begin, decimal)


def _checked(reader: Reader, pair: PairCells) -> Reader:
    """``reader``, whose columns are seen to hold the pair.

    Raises:
        PairsError: one of the two is missing, or both are the same.
    """
    found = pair.within(reader.columns)
    if found.left == found.right:
        raise PairsError(
            f"--left and --right both name the column {pair.left!r}, which would be scored with itself. "
            "Name two columns."
        )
    missing = pair.missing(reader.columns)
    if missing:
        name = "Name the two with --left and --right."
        more = ""
        if {name.casefold() for name in missing} <= {name.casefold() for name in reader.columns}:
            more = " Several are called so, but for capitals."
        elif isinstance(reader, DelimitedReader) and len(reader.columns) == 1 and "|" in reader.columns[0]:
            signs = "commas, semicolons or tabs" if len(reader.delimiters) > 1 else "tabs"
            name = f"Its cells are parted by |: save it with {signs} between them."
        elif len(missing) == 2 and isinstance(reader, DelimitedReader) and pair.header:
            more = NO_HEADER
        raise PairsError(
            f"there is no column {' and no column '.join(map(repr, missing))}, only "
            f"{', '.join(map(repr, reader.columns))}. {name}{more}"
        )
    return reader
