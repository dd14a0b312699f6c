"""What is looked at of a Parquet file before it is read is what Arrow says of it."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.batch.files.parquet_bounds import checked
from app.batch.files.thrift import DEPTH, CompactReader, NotThrift, Truncated


def written(**options: Any) -> bytes:
    sink = io.BytesIO()
    table = pa.table({"left": ["Cat"] * 1000, "number": range(1000), "part": [0.5] * 1000})
    pq.write_table(table, sink, row_group_size=300, data_page_size=500, write_batch_size=50, **options)
    return sink.getvalue()


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_footer_is_read_as_arrow_reads_it(version: str) -> None:
    content = written(data_page_version=version)
    known = pq.read_metadata(io.BytesIO(content))
    length = int.from_bytes(content[-8:-4], "little")
    footer = CompactReader(content[-8 - length : -8], 1 << 20).struct()
    assert footer[3] == known.num_rows
    assert [element[4].decode() for element in footer[2][1:]] == known.schema.names
    for at, group in enumerate(footer[4]):
        assert group[3] == known.row_group(at).num_rows
        for place, chunk in enumerate(group[1]):
            column = known.row_group(at).column(place)
            assert chunk[3][5] == column.num_values
            assert chunk[3][7] == column.total_compressed_size
            assert chunk[3][9] == column.data_page_offset
            assert chunk[3].get(11) == column.dictionary_page_offset


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_every_page_is_looked_at(version: str) -> None:
    content = written(data_page_version=version, use_dictionary=False)
    # Pages of a hundred rows, of three columns in groups of three hundred.
    assert sum(checked(io.BytesIO(content), 1 << 20)) == 3 * (3 + 3 + 3 + 1)
    folded = written(data_page_version=version, use_dictionary=True, column_encoding=None)
    # A page at the least and a dictionary, of each column in each group.
    assert sum(checked(io.BytesIO(folded), 1 << 20)) >= 3 * 4 * 2


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x15\x02\x05\x02\x04\x00", "stands twice"),
        (b"\x1c" * (DEPTH + 2), "nested too deeply"),
        (b"\x19\xf5\x64" + b"\x02" * 100 + b"\x00", "holds too much"),
        (b"\x1b\x00\x00", "type 11"),
        (b"\x1e\x00", "type 14"),
        (b"\x15\xff\xff\xff\xff\x7f\x00", "too large"),
        (b"\x16" + b"\xff" * 11 + b"\x00", "too long"),
    ],
)
def test_what_is_not_read(data: bytes, said: str) -> None:
    with pytest.raises(NotThrift, match=said):
        CompactReader(data, 90).struct()


@given(st.binary(max_size=200))
def test_any_bytes_are_a_struct_or_none(data: bytes) -> None:
    reader = CompactReader(data, 1000)
    try:
        reader.struct()
    except NotThrift:
        return
    assert 0 < reader.at <= len(data)
    with pytest.raises(Truncated):
        CompactReader(data[: reader.at - 1], 1000).struct()
