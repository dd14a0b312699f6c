"""Files of pairs in Parquet, scored over HTTP: as ``wort score`` scores them, and whatever they hold."""

from __future__ import annotations

import gzip
import io
import itertools
import struct
import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import msgspec
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.files import CSV, PARQUET, TSV
from app.batch.files.parquet import PROVENANCE, ParquetReader, ParquetStream
from app.batch.files.parquet_bounds import PartCounts, checked
from app.batch.files.rows import PairCells
from app.batch.results import ConceptRowScorer
from app.batch.scoring import run
from app.errors import FileTooLarge
from app.web.responses.streaming import LINES
from tests.app.api.test_api_problems import problem
from tests.app.batch.test_batch import Recorder, job
from tests.support.served import serving, toy_app, toy_term_model
from tests.wikis.toy import TITLES

LIMIT = 1 << 20
PAIRS = [*itertools.combinations(TITLES, 2), ("Catt", "Dog"), ("Mouse", "Cat"), (None, "Dog")]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    folder = tmp_path_factory.mktemp("files")
    terms = toy_term_model(folder / "terms.json", "made up")
    return toy_app(folder, max_file=LIMIT, term_model=terms, concurrency=2)


@pytest.fixture(scope="module")
def http(toy: FastAPI) -> Iterator[httpx.Client]:
    with serving(toy) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def send(
    http: httpx.Client, content: bytes, accept: str = "*/*", kind: str = PARQUET, **query: Any
) -> httpx.Response:
    headers = {"Content-Type": kind, "Accept": accept}
    return http.post("/v1/relatedness/files", content=content, params=query, headers=headers)


def pairs(times: int = 1, **columns: Any) -> pa.Table:
    rows = PAIRS * times
    plain = {"left": [row[0] for row in rows], "right": [row[1] for row in rows]}
    return pa.table(plain | {name: [value] * len(rows) for name, value in columns.items()})


def written(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def read(answer: httpx.Response) -> pa.Table:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == PARQUET
    table = pq.read_table(io.BytesIO(answer.content))
    assert int(answer.headers["wort-rows"]) == table.num_rows
    return table


TYPED = pairs(
    n=1, day=date(2026, 1, 2), price=Decimal("1.50"), octets=b"\xff", text="x" * 50, none=None, flag=True
).append_column("dictionary", pa.array(["a"] * len(PAIRS)).dictionary_encode())
TYPED = TYPED.append_column("view", pa.array(["a"] * len(PAIRS), pa.string_view()))
TYPED = TYPED.append_column("large", pa.array(["a"] * len(PAIRS), pa.large_string()))


@pytest.mark.parametrize("explain", [False, True])
@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_the_answer_is_the_table_that_wort_score_writes(
    http: httpx.Client, toy: FastAPI, tmp_path: Path, compression: str, version: str, explain: bool
) -> None:
    source, output = tmp_path / "pairs.parquet", tmp_path / "scored.parquet"
    content = written(TYPED, compression=compression, data_page_version=version, row_group_size=20)
    source.write_bytes(content)
    scorer = ConceptRowScorer(toy.state.source.current.scorer)
    run(job(source, output, explain=explain), scorer, Recorder())
    answered = read(send(http, content, explain=explain))
    assert answered.equals(pq.read_table(output))
    metadata = pq.read_schema(io.BytesIO(send(http, content).content)).metadata
    assert metadata[PROVENANCE] == msgspec.json.encode(scorer.provenance)


@pytest.mark.parametrize("kind", [CSV, TSV, LINES])
def test_the_answer_comes_in_the_form_that_is_accepted(http: httpx.Client, kind: str) -> None:
    content = written(pairs(n=3))
    answer = send(http, content, f"{PARQUET};q=0.5, {kind}")
    assert answer.headers["content-type"].partition(";")[0] == kind
    # And back: what a table has no types for is text.
    back = read(send(http, answer.content, PARQUET, kind, prefix="again_"))
    assert back["again_score"].to_pylist() == read(send(http, content))["score"].to_pylist()
    assert back["left"].to_pylist()[:-1] == [row[0] for row in PAIRS][:-1]


def test_page_ids_free_terms_and_gzip(http: httpx.Client) -> None:
    ids = pa.table({"left": [101, 103], "right": [102, 101]})
    assert set(read(send(http, written(ids)))["status"].to_pylist()) <= {"ok", "unknown"}
    terms = pa.table({"left": ["cat mouse"], "right": ["dog"], "context": ["pets"]})
    assert read(send(http, written(terms), terms=True))["score"].to_pylist()[0] is not None
    packed = http.post(
        "/v1/relatedness/files",
        content=gzip.compress(written(pairs())),
        headers={"Content-Type": PARQUET, "Content-Encoding": "gzip"},
    )
    assert read(packed).equals(read(send(http, written(pairs()))))


def test_files_that_polars_writes(http: httpx.Client) -> None:
    frame = polars.DataFrame(pairs(300)).with_row_index("n").with_columns(name=polars.col("n").cast(str))
    sink = io.BytesIO()
    frame.write_parquet(sink)
    assert read(send(http, sink.getvalue())).num_rows == 300 * len(PAIRS)


def test_an_empty_file_has_the_columns_of_any(http: httpx.Client) -> None:
    empty = read(send(http, written(pairs().slice(0, 0))))
    assert (empty.num_rows, empty.column_names) == (0, read(send(http, written(pairs()))).column_names)


def test_chunks_and_row_groups_end_by_their_bytes() -> None:
    content = written(pairs(100), row_group_size=1_000)
    reader = ParquetReader(io.BytesIO(content), PairCells(), False, most=LIMIT, chunk_bytes=1 << 10)
    stream = ParquetStream(reader.columns, {"score": float}, reader.schema, group_bytes=1 << 12)
    chunks = list(reader.chunks())
    assert len(chunks) > 5
    sent = stream.head()
    for chunk in chunks:
        sent += stream.encode(chunk, [(0.5,)] * len(chunk.rows))
    file = pq.ParquetFile(io.BytesIO(sent + stream.foot()))
    assert 5 < file.metadata.num_row_groups < len(chunks)
    table = file.read()
    assert table.drop_columns(["score"]).equals(pairs(100))
    assert table["score"].to_pylist() == [0.5] * table.num_rows


def test_without_the_extra_it_says_which_to_install(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pyarrow", None)
        for answer in (send(http, written(pairs())), send(http, b"left,right\n", PARQUET, CSV)):
            assert "wort-server[parquet]" in problem(answer, "unsupported-media-type")["detail"]
        assert send(http, b"left,right\nCat,Dog\n", kind=CSV).status_code == 200
    assert send(http, written(pairs())).status_code == 200


def bombs() -> Iterator[tuple[str, bytes]]:
    """Small files that would become large ones."""
    rows = 5_000_000
    cat = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), rows), ["Cat"])
    yield "rows", written(pa.table({"left": cat, "right": cat}))
    yield "page", written(pa.table({"left": ["x" * 50_000_000], "right": ["Cat"]}), compression="zstd")
    long = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), 10_000), ["x" * 900_000])
    ten = pa.repeat(pa.scalar("Cat"), 10_000)
    yield "texts", written(pa.table({"left": ten, "right": ten, "long": long}), compression="zstd")
    wide = pa.DictionaryArray.from_arrays(
        pa.repeat(pa.scalar(0, pa.int32()), 10_000), pa.array([b"x" * 9_000], pa.binary(9_000))
    )
    yield "fixed", written(pa.table({"left": ten, "right": ten, "wide": wide}), compression="zstd")


def crumbled() -> Iterator[tuple[str, bytes]]:
    """Small files of very many parts."""
    many = {f"c{number}": [1] for number in range(500)}
    yield "columns", written(pa.table({"left": ["Cat"], "right": ["Dog"]} | many), write_statistics=False)
    yield "groups", written(pairs(40), row_group_size=1, write_statistics=False, compression="none")
    yield (
        "pages",
        written(pairs(100), data_page_size=1, write_batch_size=1, use_dictionary=False, compression="none"),
    )


BOMBS, CRUMBLED = dict(bombs()), dict(crumbled())

POOLS: list[pa.MemoryPool] = []
"""Kept to the end: what Arrow had of a pool goes back to it whenever Python collects it."""


@pytest.mark.parametrize("name", BOMBS)
def test_what_would_unfold_to_too_much_is_refused(http: httpx.Client, name: str) -> None:
    assert len(BOMBS[name]) <= LIMIT
    ours = pa.default_memory_pool()
    watched = pa.proxy_memory_pool(ours)
    POOLS.append(watched)
    pa.set_memory_pool(watched)
    try:
        assert problem(send(http, BOMBS[name]), "body-too-large")["limit"] == LIMIT
    finally:
        pa.set_memory_pool(ours)
    assert watched.max_memory() < 4 * LIMIT
    # Of all of these, one alone is given to Arrow: how long its texts are is seen as they are read.
    assert (watched.max_memory() > 0) == (name == "texts")


@pytest.mark.parametrize(("name", "most"), [("columns", 400), ("groups", 3_000), ("pages", 1_000)])
def test_what_has_too_many_parts_is_refused(name: str, most: int) -> None:
    content = io.BytesIO(CRUMBLED[name])
    counts = PartCounts(columns=400, chunks=3_000, pages=1_000)
    with pytest.raises(FileTooLarge, match=name if name != "groups" else "row groups") as refused:
        list(checked(content, 1 << 30, counts))
    assert refused.value.limit == most
    assert sum(checked(content, 1 << 30)) > 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not Parquet"),
        (b"PAR1", "not Parquet"),
        (b"left,right\nCat,Dog\n", "not Parquet"),
        (b"PAR1" + struct.pack("<I", 1 << 31) + b"PAR1", "not Parquet"),
        (b"PAR1" + bytes(8) + struct.pack("<I", 4) + b"PAR1", "damaged"),
        (
            written(pa.table({"a": [1]})),
            "no column 'left' and no column 'right', only 'a'. Name the two with `left`",
        ),
        (written(pa.table({"left": [1.5], "right": ["a"]})), "The column left holds double"),
        (written(pairs(score=1)), "`prefix`"),
        (written(pairs(list=[1, 2])), "The column 'list' holds lists or structs"),
        (written(pairs(struct={"a": 1})), "The column 'struct' holds lists or structs"),
        (written(pa.table([["a"], ["b"], ["c"]], ["left", "right", "left"])), "'left' twice"),
        (
            written(pairs(), use_dictionary=False, column_encoding={"left": "DELTA_BYTE_ARRAY"}),
            "DELTA_BYTE_ARRAY, which is not read",
        ),
        (written(pairs(json="{}").cast(pa.schema([*pairs().schema, ("json", pa.json_())]))), "'json' holds"),
    ],
)
def test_what_is_no_file_of_pairs_is_said_to_be(http: httpx.Client, content: bytes, said: str) -> None:
    assert said in problem(send(http, content), "unreadable-file")["detail"]


def test_what_no_table_can_hold_is_refused_for_one(http: httpx.Client) -> None:
    content = written(pairs(octets=b"\xff"))
    assert read(send(http, content))["octets"].to_pylist()[0] == b"\xff"
    assert "only Parquet can keep" in problem(send(http, content, CSV), "unreadable-file")["detail"]


def test_bytes_that_are_no_text_are_said_to_be(http: httpx.Client) -> None:
    content = written(pairs(), compression="none").replace(b"Catt", b"\xff\xfe\xfd\xfc")
    assert "damaged after row" in problem(send(http, content), "unreadable-file")["detail"]


SOUND = [
    written(pairs(3, n=1), compression=compression, data_page_version=version, use_dictionary=folded)
    for compression, version, folded in itertools.product(
        ["none", "snappy", "zstd"], ["1.0", "2.0"], [True, False]
    )
]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(SOUND),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=4),
    st.booleans(),
    st.none() | st.floats(0, 1),
    st.sampled_from([PARQUET, CSV, LINES]),
    st.booleans(),
)
def test_damaged_files_are_answered(
    http: httpx.Client,
    content: bytes,
    flips: list[tuple[float, int]],
    tail: bool,
    cut: float | None,
    accept: str,
    terms: bool,
) -> None:
    found = bytearray(content)
    begin = int(len(found) * 0.4) if tail else 0
    for place, byte in flips:
        found[begin + int(place * (len(found) - begin))] = byte
    if cut is not None:
        del found[int(cut * len(found)) :]
    answer = send(http, bytes(found), accept, terms=terms)
    assert answer.status_code in (200, 413, 422), answer.text
    if answer.status_code == 200 and accept == PARQUET:
        read(answer)
    elif answer.status_code == 422:
        problem(answer, "unreadable-file")
