"""Files of pairs, scored over HTTP: as ``wort score`` scores them, and whatever they hold."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest
from fastapi import FastAPI
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.api import files
from app.api.files import rests_on
from app.batch.files.lines import LONGEST
from app.batch.results import ConceptRowScorer, Provenance, explained
from app.batch.scoring import run
from app.batch.streamed import rows_of
from app.scoring.batches import BatchSizes
from app.web.problems import LONGEST_DETAIL
from features.catalogue import OF_WORT
from tests.app.api.test_api_problems import problem
from tests.app.batch.test_batch import Recorder, job
from tests.support.served import serving, toy_app, toy_term_model
from tests.wikis.toy import TITLES

CSV, TSV, LINES = "text/csv", "text/tab-separated-values", "application/x-ndjson"
PAIRS = b"id,left,right\n1,Cat,Dog\n2,Felis catus,Cat\n3,Mouse,Cat\n4,Catt,Dog\n5,[x],Dog\n6,Cat\n"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    folder = tmp_path_factory.mktemp("files")
    terms = toy_term_model(folder / "terms.json", "made up")
    return toy_app(folder, max_file=1 << 21, term_model=terms, concurrency=2)


@pytest.fixture(scope="module")
def http(toy: FastAPI) -> Iterator[httpx.Client]:
    with serving(toy) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def send(http: httpx.Client, content: bytes, kind: str = CSV, **query: Any) -> httpx.Response:
    return http.post("/v1/relatedness/files", content=content, params=query, headers={"Content-Type": kind})


def rows(answer: httpx.Response, delimiter: str = ",") -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    found = list(csv.DictReader(io.StringIO(answer.text, newline=""), delimiter=delimiter))
    assert int(answer.headers["wort-rows"]) == len(found)
    return found


@pytest.mark.parametrize("explain", [False, True])
@pytest.mark.parametrize(
    ("kind", "ending", "content"),
    [
        (CSV, "csv", PAIRS),
        (TSV, "tsv", PAIRS.replace(b",", b"\t")),
        (LINES, "jsonl", b'{"left":"Cat","right":{"id":107},"n":1}\n\n{"left":"Mouse","right":"Cat"}\nx\n'),
    ],
)
def test_the_answer_is_the_file_that_wort_score_writes(
    http: httpx.Client, toy: FastAPI, tmp_path: Path, kind: str, ending: str, content: bytes, explain: bool
) -> None:
    source, output = tmp_path / f"pairs.{ending}", tmp_path / f"scored.{ending}"
    source.write_bytes(content)
    scorer = toy.state.source.current.scorer
    counts = run(job(source, output, explain=explain), ConceptRowScorer(scorer), Recorder())
    answer = send(http, content, kind, explain=explain)
    assert answer.content == output.read_bytes()
    assert answer.headers["content-type"].partition(";")[0] == kind
    assert int(answer.headers["wort-rows"]) == counts.total()
    assert ("PMI1_C" in answer.text) == explain


def test_headers_say_what_the_scores_rest_on(http: httpx.Client, toy: FastAPI) -> None:
    scorer = toy.state.source.current.scorer
    of_concepts = send(http, PAIRS).headers
    assert of_concepts["wort-model"] == quote(scorer.model.name)
    assert of_concepts["wort-snapshot"] == scorer.snapshot.id
    of_terms = send(http, PAIRS, terms=True).headers
    terms = toy.state.source.current.terms().model.name
    assert of_terms["wort-model"] == f"{quote(terms)}, {quote(scorer.model.name)}"


def test_a_name_that_no_header_may_have_is_encoded(toy: FastAPI) -> None:
    scorer = toy.state.source.current.scorer
    named = msgspec.structs.replace(scorer.model_info, name="mine, größer\r\n")
    told = rests_on(Provenance(named, scorer.snapshot_info))
    assert told["Wort-Model"] == "mine%2C%20gr%C3%B6%C3%9Fer%0D%0A"


def test_the_batches_of_a_file_are_the_file(http: httpx.Client, toy: FastAPI) -> None:
    content = b"left,right\n" + b"".join(f"{a},{b}\n".encode() for a in TITLES for b in TITLES)
    whole = send(http, content)
    assert len(rows(whole)) == len(TITLES) ** 2
    toy.state.batch_sizes = BatchSizes(pairs=7)
    assert send(http, content).content == whole.content
    together = http.post(
        "/v1/relatedness", json={"pairs": [{"left": a, "right": b} for a in TITLES for b in TITLES]}
    ).json()["results"]
    assert [float(row["score"]) for row in rows(whole)] == [result["score"] for result in together]


def test_a_chosen_sense_is_said_to_be_one(http: httpx.Client) -> None:
    content = b"left,right\nMouse,Cat\n"
    (reported,) = rows(send(http, content))
    assert (reported["status"], reported["score"]) == ("ambiguous", "")
    assert "left_matched" not in reported
    (chosen,) = rows(send(http, content, ambiguous="resolve"))
    assert chosen["status"] == "ok"
    assert chosen["left_title"] in {"House mouse", "Computer mouse"}
    assert (chosen["left_matched"], chosen["right_matched"]) == ("sense", "title")


def test_semicolons_tabs_and_no_header(http: httpx.Client) -> None:
    (known,) = rows(send(http, b"left,right\nCat,Dog\n"))
    (headless,) = rows(send(http, b"Cat,Dog\n", header=False))
    assert headless == known
    answer = send(http, b"left;right;n\nCat;Dog;1,5\n").text.splitlines()
    assert answer[0].startswith("left;right;n;score;")
    assert answer[1].startswith(f"Cat;Dog;1,5;{known['score']};")
    answer = send(http, b"left\tright\nCat\tDog\n").text.splitlines()
    assert answer[0].startswith("left\tright\tscore\t")


def test_a_table_is_written_plainly(http: httpx.Client) -> None:
    content = b'\xef\xbb\xbf"left";right;n\r\n\r\n"Cat";Dog;"1;5"\r\n'
    header, row = send(http, content).content.removesuffix(b"\n").split(b"\n")
    assert header.startswith(b"\xef\xbb\xbfleft;right;n;score;"), (
        "a spreadsheet reads its letters by the mark"
    )
    assert row.startswith(b'Cat;Dog;"1;5";0.')
    assert b"\r" not in header + row


def test_no_objects_are_no_rows(http: httpx.Client) -> None:
    headers = {"Content-Type": CSV, "Accept": LINES}
    none = http.post("/v1/relatedness/files", content=b"left,right\n", headers=headers).content
    answer = send(http, none, LINES)
    assert (none, answer.content) == (b"", b"")
    assert rows(answer) == []


def test_free_terms_with_a_context(http: httpx.Client) -> None:
    content = b"a,b,about\ncat mouse,dog,pets\nqqq,dog,\n"
    scored = rows(send(http, content, terms=True, left="a", right="b", context="about", prefix="w_"))
    body = {"pairs": [{"left": "cat mouse", "right": "dog", "context": "pets"}]}
    (plain,) = http.post("/v1/terms/relatedness", json=body).json()["results"]
    assert float(scored[0]["w_score"]) == plain["score"]
    assert scored[1]["w_status"] == "unknown"


@pytest.mark.parametrize(
    ("content", "query", "said"),
    [
        (b"", {}, "Line 1: the file is empty"),
        (b"left\nCat\n", {}, "no column 'right'"),
        (b"Cat,Dog\n", {}, "If that is a pair and the file has no header, add `header=false`."),
        (b"Cat\n", {"header": False}, "no column 'right'"),
        (b"a,b\n", {"left": "a"}, "Name the two with `left` and `right`"),
        (b"left,right,score\n", {}, "Put something before the names of the added columns with `prefix`"),
        (b"left,right,left\n", {}, "twice"),
        (b'left,right,"x\n', {}, "Line 1: a quote is opened and never closed"),
        ("left,right\n".encode("utf-16"), {}, "UTF-16"),
        (b"PAR1\x15\x04", {}, "It is Parquet: add `Content-Type: application/vnd.apache.parquet`."),
        (b"PK\x03\x04\xff\n", {}, "It is a workbook of a spreadsheet: save it as CSV UTF-8."),
        (b"left,right\n", {"terms": True, "context": "about"}, "'about', which `context` names"),
        (b"\x00\xff" * 5000, {}, "Line 1"),
        (b"x" * (LONGEST + 10) + b"\n", {}, "Line 1"),
        (b"a," * 200_000, {"left": "b"}, "twice"),
        (PAIRS, {"right": "left"}, "`left` and `right` both name the column 'left'"),
        (b'{"a": 1}\n', {"left": "a", "right": "a"}, ""),
        (PAIRS, {"prefix": "a\r\n"}, "`prefix` has a line end"),
        (PAIRS, {"prefix": "\0"}, "`prefix` has a line end"),
        (",".join(map(str, range(100_000))).encode(), {}, "no column 'left'"),
    ],
)
def test_a_file_that_is_none_of_pairs_is_said_to_be(
    http: httpx.Client, content: bytes, query: dict[str, Any], said: str
) -> None:
    detail = problem(send(http, content, **query), "unreadable-file")["detail"]
    assert said in detail
    assert len(detail) <= LONGEST_DETAIL + 2


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"lefft": "a"}, "There is no parameter lefft"),
        ({"explain": "perhaps"}, "In the address, “explain”: 'perhaps' is neither true nor false."),
        ({"left": ""}, "In the address, “left”: it is empty; leave it out, or give it a value."),
        ({"left": "x" * 1001}, "In the address, “left”: 1,001 characters are too many; 1,000 are the most."),
        ({"ambiguous": "guess"}, "“ambiguous”: 'guess' is not 'report' or 'resolve'."),
        ({"context": "about"}, "a context is for free terms"),
    ],
)
def test_a_query_that_cannot_be(http: httpx.Client, query: dict[str, str], said: str) -> None:
    assert said in problem(send(http, PAIRS, **query), "invalid-request")["detail"]


def test_a_column_may_be_called_by_a_whole_question(http: httpx.Client) -> None:
    asked = "Which of these two would you rather? " * 27
    file = f'"{asked.strip()}",right\nCat,Dog\n'.encode()
    assert send(http, file, left=asked.strip()).status_code == 200


def test_other_kinds_of_files_and_larger_ones(http: httpx.Client, toy: FastAPI) -> None:
    for kind in ("application/json", "text/plain", ""):
        problem(send(http, PAIRS, kind), "unsupported-media-type")
    assert (
        problem(send(http, b"left,right\n" + b"Cat,Dog\n" * (1 << 18)), "body-too-large")["limit"] == 1 << 21
    )
    assert toy.state.stream_workers.present == 0


def test_a_file_may_come_compressed(http: httpx.Client) -> None:
    headers = {"Content-Type": CSV, "Content-Encoding": "gzip"}
    answer = http.post("/v1/relatedness/files", content=gzip.compress(PAIRS), headers=headers)
    assert answer.content == send(http, PAIRS).content


def test_every_example_can_be_sent(http: httpx.Client) -> None:
    for kind, content in files.EXAMPLES.items():
        assert int(send(http, content.encode(), kind).headers["wort-rows"]) > 0


@pytest.mark.slow
def test_a_large_file_is_kept_on_the_disk_and_nowhere_after(
    http: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kept: list[int] = []

    def watched(file: Any, *others: Any) -> Any:
        kept.append(os.fstat(file.fileno()).st_size)
        return rows_of(file, *others)

    monkeypatch.setattr(files, "rows_of", watched)
    content = b"left,right\n" + b"Cat,Dog\n" * (files.IN_MEMORY // 8)
    assert len(content) > files.IN_MEMORY
    answer = send(http, content)
    assert kept == [len(content)]
    assert list(tmp_path.iterdir()) == []
    assert len(rows(answer)) == files.IN_MEMORY // 8


def test_where_there_is_no_room_for_a_file(
    http: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    refused = send(http, b"left,right\n" + b"Cat,Dog\n" * (files.IN_MEMORY // 8))
    assert int(refused.headers["retry-after"]) > 0
    assert str(tmp_path) not in refused.text
    problem(refused, "no-room")
    # A small one needs none.
    assert len(rows(send(http, PAIRS))) == 6


cells = st.text(st.characters(codec=None), max_size=12) | st.sampled_from(
    [*TITLES, "Mouse", '"', "\x00", "left"]
)
lines = st.lists(st.lists(cells, max_size=4), max_size=6)


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=300)
    | lines.map(lambda found: "\n".join(map(",".join, found)).encode("utf-8", "surrogatepass")),
    st.sampled_from([CSV, TSV, LINES]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["", "left,right\n", "left\tright\n", '{"left": "Cat", "right": "Dog"}\n']),
)
@example(b'{"left": "\\ud800", "right": "Cat"}', LINES, False, False, "")
@example(b'{"left": 1e400, "right": 99999999999999999999999}', LINES, False, False, "")
@example(b'{"left": "Cat", "right": "Dog", "score": 1}', LINES, True, False, "")
@example(b"Cat,\xff\xfe\nCat,Dog\r", CSV, True, False, "left,right\n")
@example(b'"Cat\nCat,Dog\n"x",Dog', CSV, False, True, "left,right\n")
def test_whatever_a_file_holds_it_is_answered(
    http: httpx.Client, content: bytes, kind: str, explain: bool, terms: bool, head: str
) -> None:
    answer = send(http, head.encode() + content, kind, explain=explain, terms=terms)
    assert answer.status_code in (200, 422), answer.text
    if answer.status_code == 422:
        problem(answer, "unreadable-file")
    elif kind == LINES:
        answered = [json.loads(line) for line in answer.text.splitlines()]
        assert len(answered) == int(answer.headers["wort-rows"])
        assert all("status" in row for row in answered)
    else:
        answered = rows(answer, "\t" if kind == TSV or "\t" in head else ",")
        assert all(row["status"] for row in answered)


def test_long_cells_are_rows_like_others(http: httpx.Client) -> None:
    long = "x" * 200_000
    answered = rows(send(http, f"left,right\n{long},Cat\nCat,Dog\n{long},{long}\n".encode()))
    assert [row["status"] for row in answered] == ["invalid", "ok", "invalid"]


def test_columns_of_an_explanation(http: httpx.Client) -> None:
    (row,) = rows(send(http, b"left,right\nCat,Dog\n", explain=True))
    assert list(row) == ["left", "right", *ConceptRowScorer.columns, *explained(OF_WORT)]
    parts = [float(row[f"{name} contribution"]) for name in OF_WORT]
    assert sum(parts, float(row["intercept"])) == float(row["raw"])


@pytest.mark.parametrize("has_parquet", [True, False])
def test_a_file_of_another_kind_is_told_which_are_read(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch, has_parquet: bool
) -> None:
    monkeypatch.setattr("app.api.files.has_parquet", lambda: has_parquet)
    answer = http.post("/v1/relatedness/files", content=b"x", headers={"Content-Type": "application/json"})
    assert answer.status_code == 415
    assert "Send a table (CSV) with `Content-Type: text/csv`, or a table (TSV) as" in answer.json()["detail"]
    assert ("arquet" in answer.json()["detail"]) == has_parquet
