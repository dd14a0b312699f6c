"""Files of pairs, scored: every format in and out, bad rows, and what the columns hold."""

from __future__ import annotations

import csv
import datetime
import io
import json
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.batch.files.formats import STANDARD, Format, format_of
from app.batch.files.rows import PairRow, Position, Reader
from app.batch.results import ConceptRowScorer, explained
from app.batch.scoring import ScoringJob, run
from app.errors import OutputExists, PairsError
from app.scoring.concepts import Scorer
from features.catalogue import OF_WORT
from tests.support.served import page_id, toy_scorer
from tests.wikis.toy import TITLES

EXPLANATION = explained(OF_WORT)


class Recorder:
    """A watcher that remembers."""

    def __init__(self) -> None:
        self.bad: list[tuple[int, str]] = []
        self.positions: list[Position] = []
        self.resumed: Position | None = None

    def begin(self, reader: Reader, resumed: Position | None) -> None:
        self.resumed = resumed

    def bad_row(self, row: PairRow, reason: str) -> None:
        self.bad.append((row.line, reason))

    def advance(self, position: Position, counts: Counter[str]) -> None:
        self.positions.append(position)


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("batch"))


def job(source: Path, output: Path, **options: Any) -> ScoringJob:
    forms = {"source_format": format_of(source), "output_format": format_of(output)}
    return ScoringJob(source=source, output=output, **{**forms, **options})


def scored(
    scorer: Scorer, folder: Path, content: bytes, name: str = "pairs.csv", **options: Any
) -> tuple[list[dict[str, str]], Recorder]:
    """The rows of the CSV that comes of ``content``, and what was reported."""
    source, output = folder / name, folder / "scored.csv"
    source.write_bytes(content)
    recorder = Recorder()
    counts = run(job(source, output, **options), ConceptRowScorer(scorer), recorder)
    rows = list(csv.DictReader(io.StringIO(output.read_text(), newline="")))
    assert counts == Counter(row[options.get("prefix", "") + "status"] for row in rows)
    assert [path.name for path in folder.glob("scored.csv.*")] == ["scored.csv.provenance.json"]
    return rows, recorder


def test_every_row_is_kept_and_answered(scorer: Scorer, tmp_path: Path) -> None:
    content = b"id,left,right,note\n1,Cat,Dog,a\n2,Felis catus,Cat,\n3,Mouse,Cat,\n4,Catt,Dog,d\n5,[x],Dog,\n"
    rows, recorder = scored(scorer, tmp_path, content)
    assert list(rows[0]) == [
        "id",
        "left",
        "right",
        "note",
        "score",
        "status",
        "left_title",
        "right_title",
        "error",
    ]
    assert [row["status"] for row in rows] == ["ok", "identical", "ambiguous", "unknown", "invalid"]
    assert float(rows[0]["score"]) == scorer.score([("Cat", "Dog")])[0].score
    assert [row["score"] for row in rows[1:]] == ["1.0", "", "", ""]
    assert [row["note"] for row in rows] == ["a", "", "", "d", ""]
    assert (rows[1]["left_title"], rows[1]["right_title"], rows[1]["error"]) == ("Cat", "Cat", "")
    assert rows[2]["error"] == "left 'Mouse' may mean 'House mouse' or 'Computer mouse'"
    assert rows[3]["error"].startswith("left 'Catt' is no concept of the snapshot")
    assert rows[3]["left_title"] == ""
    assert rows[3]["right_title"] == "Dog"
    assert recorder.bad == [(6, "left '[x]' cannot be a title")]


def test_an_explanation_adds_its_columns(scorer: Scorer, tmp_path: Path) -> None:
    rows, _ = scored(scorer, tmp_path, b"left,right\nCat,Dog\nCat,Cat\n", explain=True)
    (result,) = scorer.score([("Cat", "Dog")], explain=True)
    assert result.explanation is not None
    assert tuple(rows[0])[-len(EXPLANATION) :] == EXPLANATION
    for entry in result.explanation.contributions:
        assert float(rows[0][entry.feature]) == entry.value
        assert float(rows[0][f"{entry.feature} contribution"]) == entry.contribution
    assert float(rows[0]["raw"]) == result.explanation.raw
    assert {rows[1][name] for name in EXPLANATION} == {""}


FORMATS = list(Format)


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    match format_of(path):
        case Format.PARQUET:
            pq.write_table(pa.Table.from_pylist(rows), path)
        case Format.JSONL:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        case form:
            with path.open("w", newline="") as file:
                writer = csv.DictWriter(file, rows[0], delimiter="\t" if form is Format.TSV else ",")
                writer.writeheader()
                writer.writerows(rows)


def read(path: Path) -> list[dict[str, Any]]:
    match format_of(path):
        case Format.PARQUET:
            rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
            return rows
        case Format.JSONL:
            return [json.loads(line) for line in path.read_text().splitlines()]
        case form:
            with path.open(newline="") as file:
                return list(csv.DictReader(file, delimiter="\t" if form is Format.TSV else ","))


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("source_format", FORMATS)
def test_any_format_to_any_other(
    scorer: Scorer, tmp_path: Path, source_format: Format, output_format: Format
) -> None:
    pairs = [(left, right) for left in TITLES for right in TITLES]
    rows = [
        {"left": left, "right": right, "note": f'{number}\t"ä,\n{left}'}
        for number, (left, right) in enumerate(pairs)
    ]
    source, output = tmp_path / f"pairs.{source_format}", tmp_path / f"out.{output_format}"
    write(source, rows)
    run(job(source, output), ConceptRowScorer(scorer), Recorder())
    answered = read(output)
    results = scorer.score(pairs)
    assert [{name: row[name] for name in rows[0]} for row in answered] == rows
    assert [float(row["score"]) for row in answered] == [result.score for result in results]
    assert [row["status"] for row in answered] == [result.status for result in results]
    assert [row["left_title"] for row in answered] == [left for left, _ in pairs]
    assert {row["error"] for row in answered} <= {"", None}


def test_page_ids_are_numbers_and_titles_are_text(scorer: Scorer, tmp_path: Path) -> None:
    rows = [{"left": page_id("Cat"), "right": page_id("Dog")}]
    for form, title in ((Format.JSONL, "Cat"), (Format.PARQUET, "Cat"), (Format.CSV, None)):
        source, output = tmp_path / f"pairs.{form}", tmp_path / f"{form}.jsonl"
        write(source, rows)
        run(job(source, output), ConceptRowScorer(scorer), Recorder())
        assert read(output)[0]["left_title"] == title, form


def test_parquet_keeps_its_types(scorer: Scorer, tmp_path: Path) -> None:
    table = pa.table(
        {
            "left": pa.array(["Cat", None, "Mouse"]).dictionary_encode(),
            "right": pa.array(["Dog", "Cat", "Cat"], pa.large_string()),
            "when": pa.array([1, 2, None], pa.timestamp("ns", "UTC")),
            "price": pa.array([1, 2, 3], pa.int32()).cast(pa.decimal128(12, 2)),
            "tags": pa.array([["a"], [], None]),
        }
    )
    source, output = tmp_path / "pairs.parquet", tmp_path / "out.parquet"
    pq.write_table(table, source)
    recorder = Recorder()
    run(job(source, output), ConceptRowScorer(scorer), recorder)
    answered = pq.read_table(output)
    assert answered.select(table.column_names).equals(
        table.set_column(0, "left", table["left"].cast("string"))
    )
    assert answered.schema.field("score").type == pa.float64()
    assert answered.column("status").to_pylist() == ["ok", "invalid", "ambiguous"]
    assert recorder.bad == [(2, "left is empty")]
    run(job(source, tmp_path / "out.jsonl"), ConceptRowScorer(scorer), Recorder())
    first = read(tmp_path / "out.jsonl")[0]
    assert (first["price"], first["tags"]) == ("1.00", ["a"])
    assert first["when"].startswith("1970-01-01 00:00:00.000000001")


def test_objects_may_differ_from_line_to_line(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    source.write_text(
        '{"left": "Cat", "right": "Dog", "a": {"b": [1]}}\n\n{"right": "Cat", "left": "Dog", "c": null}\n'
        '{"left": "Cat"}\n{"left": "Cat", "right": true}\n{"left": "Cat", "right": "Dog", "score": 3}\n'
        'nonsense\n["Cat", "Dog"]\n{"left": "Cat", "right": "Dog"}'
    )
    recorder = Recorder()
    run(job(source, tmp_path / "out.jsonl"), ConceptRowScorer(scorer), recorder)
    rows = read(tmp_path / "out.jsonl")
    assert [row["status"] for row in rows] == ["ok", "ok", *["invalid"] * 5, "ok"]
    assert rows[0]["a"] == {"b": [1]}
    assert rows[1]["c"] is None
    assert '"score":3}' in rows[4]["error"]
    assert [line for line, _ in recorder.bad] == [4, 5, 6, 7, 8]
    assert recorder.bad[0][1] == "right is empty"
    assert recorder.bad[1][1] == "right is neither a title nor a page id"
    assert recorder.bad[2][1] == "has a key 'score', which the answer needs"
    assert "JSON" in recorder.bad[3][1]
    assert recorder.bad[4][1] == "cannot be read as a JSON object: Expected `object`, got `array`"

    recorder = Recorder()
    run(job(source, tmp_path / "out.csv"), ConceptRowScorer(scorer), recorder)
    table = read(tmp_path / "out.csv")
    assert table[0]["a"] == '{"b":[1]}'
    assert table[1]["status"] == "invalid"
    assert '"c":null}' in table[1]["error"]
    assert (3, "has a key 'c', which the first object has not") in recorder.bad


@pytest.mark.parametrize(
    ("content", "statuses", "bad"),
    [
        (b"\xef\xbb\xbfleft,right\r\nCat,Dog\r\n", ["ok"], []),
        (b"left,right\nCat,Dog", ["ok"], []),
        (b"left,right\n\nCat,Dog\n\n", ["ok"], []),
        (b'left,right\n"Cat\n",Dog\n"Felis ""catus""",Dog\n', ["ok", "unknown"], []),
        (b'left,right\n"a\nb\nc",Dog\nCat\nCat,Dog\n', ["unknown", "invalid", "ok"], [5]),
        (b"left,right\nParis, Texas,Dog\nCat,Dog\n", ["invalid", "ok"], [2]),
        (b"left,right\n,Dog\n  ,Dog\nCat,\n", ["invalid"] * 3, [2, 3, 4]),
        (b'left,right\n"Cat,Dog\nCat,Dog\nDog,Cat\n', ["invalid", "ok", "ok"], [2]),
        (b'left,right\n"Cat" x,Dog\nCat,Dog\n', ["invalid", "ok"], [2]),
        (b"left,right\n" + b"x" * (2 << 20) + b",Dog\nCat,Dog\n", ["invalid", "ok"], [2]),
        (b"left,right\n" + b"x" * 200_000 + b",Dog\nCat,Dog\n", ["invalid", "ok"], [2]),
        (b"left,right,note\nCat,Dog," + b"x" * 200_000 + b"\nCat,Dog,\n", ["ok", "ok"], []),
        (
            b'left,right\n"' + (b"x" * 1000 + b"\n") * 1200 + b'",Dog\nCat,Dog\n',
            ["invalid"] * 1201 + ["ok"],
            list(range(2, 1203)),
        ),
        (b"left,right\nCat\x00,Dog\nCat,Dog\n", ["invalid", "ok"], [2]),
        (b"left,right\n", [], []),
        (b"left,right", [], []),
    ],
)
def test_rows_as_they_come(
    scorer: Scorer, tmp_path: Path, content: bytes, statuses: list[str], bad: list[int]
) -> None:
    rows, recorder = scored(scorer, tmp_path, content)
    assert [row["status"] for row in rows] == statuses
    assert [line for line, _ in recorder.bad] == bad
    assert all(row["error"] for row in rows if row["status"] == "invalid")


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (b"", "pairs.csv", "empty"),
        (b"\n\n", "pairs.csv", "empty"),
        (b"a,b\nCat,Dog\n", "pairs.csv", "'a', 'b'"),
        (b"left|right\nCat|Dog\n", "pairs.csv", r"'left\|right'"),
        (b"left,left,right\n", "pairs.csv", "'left' twice"),
        (b"left,right,score\n", "pairs.csv", "--prefix"),
        ("left,right\nCat,Dog\n".encode("utf-16"), "pairs.csv", "UTF-16"),
        (b'"left,right\n', "pairs.csv", "line 1"),
        (b'{"from": "Cat", "to": "Dog"}\n', "pairs.jsonl", "from, to"),
        (b"left,right\nCat,Dog\n", "pairs.parquet", "not Parquet"),
        (b"", "pairs.parquet", "not Parquet"),
    ],
)
def test_a_file_that_is_no_file_of_pairs(
    scorer: Scorer, tmp_path: Path, content: bytes, name: str, says: str
) -> None:
    source = tmp_path / name
    source.write_bytes(content)
    with pytest.raises(PairsError, match=says) as raised:
        run(job(source, tmp_path / "out.csv"), ConceptRowScorer(scorer), Recorder())
    assert str(source) in str(raised.value)
    assert not list(tmp_path.glob("out.csv*"))


def test_parquet_with_wrong_columns(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.parquet"
    pq.write_table(pa.table({"left": [1.5], "right": ["Cat"]}), source)
    with pytest.raises(PairsError, match="left holds double"):
        run(job(source, tmp_path / "out.csv"), ConceptRowScorer(scorer), Recorder())


def test_parquet_keeps_columns_of_any_type(scorer: Scorer, tmp_path: Path) -> None:
    others = {
        "bytes": pa.array([b"\xff"]),
        "map": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
        "structs": pa.array([[{"when": datetime.date(2001, 1, 15)}]]),
        "seconds": pa.array([1], pa.duration("s")),
    }
    table = pa.table({"left": ["Cat"], "right": ["Dog"], **others})
    source, output = tmp_path / "pairs.parquet", tmp_path / "out.parquet"
    pq.write_table(table, source)
    assert run(job(source, output), ConceptRowScorer(scorer), Recorder()) == {"ok": 1}
    assert pq.read_table(output).select(table.column_names).equals(table)
    for name in ("bytes", "map", "structs"):
        pq.write_table(table.select(["left", "right", name]), source)
        for ending in ("csv", "jsonl"):
            with pytest.raises(PairsError, match=f"column '{name}' holds .* only Parquet can keep"):
                run(job(source, tmp_path / f"out.{ending}"), ConceptRowScorer(scorer), Recorder())


def test_a_damaged_footer_is_bad_input(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.parquet"
    pq.write_table(pa.table({"left": ["Cat"], "right": ["Dog"]}), source)
    content = bytearray(source.read_bytes())
    footer = int.from_bytes(content[-8:-4], "little")
    content[-8 - footer : -8] = b"\xff" * footer
    source.write_bytes(content)
    with pytest.raises(PairsError, match="not Parquet, or damaged"):
        run(job(source, tmp_path / "out.csv"), ConceptRowScorer(scorer), Recorder())
    with pytest.raises(FileNotFoundError):
        run(job(tmp_path / "none.parquet", tmp_path / "out.csv"), ConceptRowScorer(scorer), Recorder())


def test_parquet_and_pipes(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_bytes(b"left,right\n")
    with pytest.raises(PairsError, match="written to a pipe"):
        run(job(source, STANDARD, output_format=Format.PARQUET), ConceptRowScorer(scorer), Recorder())
    with pytest.raises(PairsError, match="read from a pipe"):
        run(
            job(STANDARD, tmp_path / "out.csv", source_format=Format.PARQUET),
            ConceptRowScorer(scorer),
            Recorder(),
        )


def test_why_an_object_cannot_be_read_is_said(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(b'{"left": "Cat", "right": "Dog"}\n{"left": "Cat", "right": "Dog", "n": 1e400}\n')
    recorder = Recorder()
    run(job(source, tmp_path / "out.csv"), ConceptRowScorer(scorer), recorder)
    ((line, reason),) = recorder.bad
    assert (line, "out of range" in reason) == (2, True)


def test_no_objects_are_no_rows(scorer: Scorer, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(b"")
    run(job(tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"), ConceptRowScorer(scorer), Recorder())
    assert (tmp_path / "out.jsonl").read_bytes() == b""


def test_names_of_columns_can_be_chosen(scorer: Scorer, tmp_path: Path) -> None:
    content = b"concept 1,concept 2,score\nCat,Dog,0.4\n"
    columns = {"left": "concept 1", "right": "concept 2", "prefix": "wort_"}
    rows, _ = scored(scorer, tmp_path, content, **columns)
    assert rows[0]["score"] == "0.4"
    assert float(rows[0]["wort_score"]) == scorer.score([("Cat", "Dog")])[0].score


def test_an_output_is_not_overwritten_unasked(scorer: Scorer, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_bytes(b"left,right\nCat,Dog\n")
    output = tmp_path / "out.csv"
    output.write_text("precious")
    with pytest.raises(OutputExists):
        run(job(tmp_path / "pairs.csv", output), ConceptRowScorer(scorer), Recorder())
    assert output.read_text() == "precious"
    run(job(tmp_path / "pairs.csv", output), ConceptRowScorer(scorer), Recorder(), force=True)
    assert output.read_text().startswith("left,right,score")


def test_features_have_columns_of_their_own() -> None:
    assert len(set(EXPLANATION)) == 2 * len(OF_WORT) + 2


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(scorer: Scorer, tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        source = tmp_path / f"{rows}.csv"
        source.write_bytes(b"left,right,note\n" + b"Cat,Dog,a note on this pair\n" * rows)
        tracemalloc.start()
        run(job(source, tmp_path / f"{rows}.jsonl"), ConceptRowScorer(scorer), Recorder())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(5_000)
    assert peak(40_000) < 1.2 * peak(10_000)


def test_a_row_that_cannot_be_read_is_told_with_its_line_and_its_text(scorer: Scorer, tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    source.write_text('left,right,id\nCat,Dog,1\nCat,"Dog,2\nCat,Dog,3,4\n')
    run(job(source, output), ConceptRowScorer(scorer), Recorder())
    errors = [row["error"] for row in csv.DictReader(output.read_text().splitlines())]
    assert errors[0] == ""
    assert errors[1].startswith("line 3, 'Cat,\"Dog,2': a quote is opened")
    assert errors[2] == "line 4, 'Cat,Dog,3,4': has 4 cells where the header has 3"
