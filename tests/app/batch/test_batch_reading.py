"""Properties of the readers: what was written is read, from the beginning and from every place."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.batch.files.delimited import DelimitedReader, DelimitedWriter
from app.batch.files.formats import Format, reading
from app.batch.files.jsonlines import JSONLinesReader
from app.batch.files.lines import LONGEST, Lines
from app.batch.files.rows import FileChunk, PairCells, PairRow, Position, Reader
from app.errors import PairsError

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=6)
cells |= st.text('",\n\r\t ab', max_size=6)


def read(make: Callable[[], Reader]) -> list[PairRow]:
    """All rows; checks that reading on from behind every chunk gives the rows that follow it."""
    chunks = list(make().chunks(rows=2))
    rows = [row for chunk in chunks for row in chunk.rows]
    seen = 0
    for chunk in chunks:
        seen += len(chunk.rows)
        rest = [row for later in make().chunks(chunk.after, rows=2) for row in later.rows]
        assert rest == rows[seen:]
    return rows


@given(st.lists(st.tuples(cells, cells, cells)), st.sampled_from([",", "\t"]))
def test_cells_that_were_written_are_read(records: list[tuple[str, str, str]], delimiter: str) -> None:
    columns = ("left", "right", "note")
    writer = DelimitedWriter(columns[:2], columns[2:], delimiter)
    rows = [PairRow(0, dict(zip(columns, record, strict=True))) for record in records]
    content = writer.head() + writer.encode(
        FileChunk(rows, Position(0, 0)), [record[2:] for record in records]
    )
    # The standard reader agrees, and so does ours.
    text = io.StringIO(content.decode(), newline="")
    assert [tuple(row) for row in csv.reader(text, delimiter=delimiter, strict=True)] == [columns, *records]
    found = read(lambda: DelimitedReader(io.BytesIO(content), len(content), PairCells(), delimiter))
    assert [tuple(row.record.values()) for row in found] == records
    lines = content.decode().split("\n")
    for row in found:
        assert lines[row.line - 1].startswith(('"', row.record["left"][:1]))


@given(st.lists(st.binary(max_size=12).filter(lambda line: b"\n" not in line)))
def test_no_bytes_stop_the_reading_of_cells(lines: list[bytes]) -> None:
    content = b"left,right\n" + b"".join(line.replace(b'"', b"") + b"\n" for line in lines) + b"Cat,Dog\n"
    rows = read(lambda: DelimitedReader(io.BytesIO(content), None, PairCells(), ","))
    assert (rows[-1].left, rows[-1].right, rows[-1].error) == ("Cat", "Dog", None)
    assert rows[-1].line == len(lines) + 2


@given(st.lists(st.text('",ab\n', max_size=8)))
def test_every_line_with_an_open_quote_is_given_back(parts: list[str]) -> None:
    content = ("left,right\n" + "".join(parts)).encode()
    rows = read(lambda: DelimitedReader(io.BytesIO(content), None, PairCells(), ","))
    good = [row for row in rows if row.error is None]
    assert all(set(row.record) == {"left", "right"} for row in good)
    assert [row.line for row in rows] == sorted({row.line for row in rows})


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (b'Cat,"Dog\n', "never closed"),
        (b"Cat\rDog,Dog\n", "carriage return"),
        (b'"Cat"s,Dog\n', "follows a closing quote"),
        (b"C\xff,Dog\n", "byte 0xff at 2 is not UTF-8: save the file as UTF-8"),
    ],
)
def test_what_is_wrong_with_cells_is_said_in_plain_words(row: bytes, said: str) -> None:
    (found,) = read(lambda: DelimitedReader(io.BytesIO(b"left,right\n" + row), None, PairCells(), ","))
    assert said in (found.error or "")


@pytest.mark.parametrize("form", [Format.CSV, Format.JSONL, Format.PARQUET])
def test_a_column_is_not_scored_with_itself(form: Format, tmp_path: Path) -> None:
    source = tmp_path / "pairs"
    if form is Format.PARQUET:
        pq.write_table(pa.table({"a": ["Cat"]}), source)
    else:
        source.write_bytes(b"a,b\n" if form is Format.CSV else b'{"a": "Cat"}\n')
    said = "--left and --right both name the column 'a'"
    with pytest.raises(PairsError, match=said), reading(source, form, PairCells("a", "a"), form):
        pass


json_values: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | cells,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(cells, inner, max_size=2),
    max_leaves=4,
)


@given(st.lists(st.dictionaries(cells, json_values, max_size=3)))
def test_objects_that_were_written_are_read(records: list[dict[str, Any]]) -> None:
    records = [{"left": "a", "right": 1, **record} for record in records]
    content = msgspec.json.Encoder().encode_lines(records)
    rows = read(lambda: JSONLinesReader(io.BytesIO(content), len(content), PairCells()))
    assert [row.record for row in rows] == records
    assert [row.line for row in rows] == list(range(1, len(records) + 1))


@given(st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line), max_size=5))
def test_no_bytes_stop_the_reading_of_objects(lines: list[bytes]) -> None:
    content = (
        b"".join(line + b"\n" for line in [b"{}", *lines]).replace(b"\xff\xfe", b"").replace(b"\xfe\xff", b"")
    )
    content = b'{"left": "a", "right": "b"}\n' + content + b'{"left": "Cat", "right": "Dog"}\n'
    rows = read(lambda: JSONLinesReader(io.BytesIO(content), None, PairCells()))
    assert (rows[-1].left, rows[-1].right, rows[-1].error) == ("Cat", "Dog", None)


@pytest.mark.parametrize("line", ["not json", '{"left": "Cat", "left": "Dog"}', '{"left": "Cat", '])
def test_what_is_no_object_is_kept_as_text(line: str) -> None:
    lines = b'{"left": "a", "right": "b"}\n' + line.encode() + b"\r\n"
    first, second = read(lambda: JSONLinesReader(io.BytesIO(lines), None, PairCells()))
    assert (first.unread, second.unread) == (None, line)


def test_what_no_column_has_is_kept_as_text() -> None:
    lines = b'left,right\nCat,Dog\nCat\nCat,Dog,"Bi\nrd"\nCat,"Dog'
    rows = read(lambda: DelimitedReader(io.BytesIO(lines), None, PairCells(), ","))
    assert [row.unread for row in rows] == [None, None, 'Cat,Dog,"Bi\nrd"', 'Cat,"Dog']


def test_half_a_character_is_said_to_be() -> None:
    lines = b'{"left": "a", "right": "b"}\n{"left": "Dog", "right": "\\ud800"}\n'
    _, row = read(lambda: JSONLinesReader(io.BytesIO(lines), None, PairCells()))
    assert "surrogate pair" in (row.error or "")


def test_objects_nested_too_deeply_are_said_to_be() -> None:
    lines = b'{"left": "a", "right": "b"}\n' + b'{"left": ' + b"[" * 5000 + b"\n"
    _, row = read(lambda: JSONLinesReader(io.BytesIO(lines), None, PairCells()))
    assert row.error == "is nested too deeply"


def test_a_long_line_is_cut_and_its_place_is_kept() -> None:
    content = b"short\n" + b"x" * (3 * LONGEST) + b"\nlast"
    lines = Lines(io.BytesIO(content))
    assert next(lines) == b"short\n"
    assert len(next(lines)) == LONGEST + 1
    assert (lines.offset, lines.number) == (len(content) - len(b"last"), 3)
    assert next(lines) == b"last"
    assert lines.offset == len(content)


def test_lines_can_be_given_back() -> None:
    lines = Lines(io.BytesIO(b"\xef\xbb\xbfa\nb\nc\nd\n"))
    assert next(lines) == b"a\n"
    lines.mark()
    taken = [next(lines), next(lines), next(lines)]
    lines.give_back(taken[1:])
    assert (lines.offset, lines.number) == (7, 3)
    assert list(lines) == taken[1:]
    assert Position(lines.offset, lines.number) == Position(11, 5)


@pytest.mark.parametrize("begins", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_a_workbook_is_called_one(tmp_path: Path, begins: bytes) -> None:
    file = tmp_path / "pairs.csv"
    file.write_bytes(begins + b"\xff\xfe\nCat,Dog\n")
    with (
        pytest.raises(PairsError, match="workbook of a spreadsheet: save it as CSV UTF-8"),
        reading(file, Format.CSV, PairCells(), Format.CSV),
    ):
        pass


def test_of_names_that_differ_in_capitals_alone_none_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("Left,LEFT,Right\nCat,Cat,Dog\n")
    said = r"no column 'left', only .* --right\. Several are called so, but for capitals\.$"
    with (
        pytest.raises(PairsError, match=said),
        reading(file, Format.CSV, PairCells(), Format.CSV),
    ):
        pass
