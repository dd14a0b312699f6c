"""Tables that begin with a line such as ``sep=;``, and cells that are handed back as they came."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from app.errors import PairsError
from app.scoring.concepts import Scorer
from tests.app.batch.test_headless import score
from tests.support.served import toy_scorer


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("told"))


@pytest.mark.parametrize(
    ("first", "kept", "delimiter"),
    [
        (b"sep=;\r\n", b"sep=;\n", ";"),
        (b"SEP=,\n", b"SEP=,\n", ","),
        (b"sep=\t\n", b"sep=\t\n", "\t"),
        (b'"sep=|"\n', b'"sep=|"\n', "|"),
        (b"\xef\xbb\xbfsep=;\n", b"\xef\xbb\xbfsep=;\n", ";"),
    ],
)
@pytest.mark.parametrize("header", [True, False])
def test_what_a_line_tells_stands_between_cells(
    scorer: Scorer, tmp_path: Path, first: bytes, kept: bytes, delimiter: str, header: bool
) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    rows = ["left right note"] * header + ["Cat Dog x", "Cat Dog"]
    lines = "".join(row.replace(" ", delimiter) + "\r\n" for row in rows).encode()
    source.write_bytes(first + lines)
    assert score(scorer, source, output, header=header) == {"ok": 1, "invalid": 1}
    content = output.read_bytes()
    # A spreadsheet needs the line to read what is written as it reads what was sent.
    assert content.startswith(kept)
    _, names, one, other = content.removeprefix(b"\xef\xbb\xbf").decode().splitlines()
    assert names.split(delimiter)[3:5] == ["score", "status"]
    assert one.split(delimiter)[:3] == ["Cat", "Dog", "x"]
    assert f"line {3 + header}: has 2 cells" in other, "lines are those of the file"


def test_it_is_left_out_where_something_else_is_written(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_bytes(b"sep=;\nleft;right\nCat;Dog\n")
    for suffix in ("tsv", "jsonl"):
        output = tmp_path / f"scored.{suffix}"
        score(scorer, source, output)
        assert b"sep=" not in output.read_bytes()


def test_only_the_first_line_tells_it(scorer: Scorer, tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    source.write_bytes(b"left;right\nsep=;\nCat;Dog\n")
    assert score(scorer, source, output) == {"invalid": 1, "ok": 1}


def test_added_numbers_have_the_decimals_that_are_asked_for(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    for delimiter in ";,":
        rows = ["left right mean", "Cat Dog 7.5", "Cat Qqq 0", "Cat Cat 1.5"]
        source.write_text("\n".join(row.replace(" ", delimiter) for row in rows))
        written = {}
        for decimal in (".", ","):
            output = tmp_path / f"scored{delimiter}{decimal}.csv"
            score(scorer, source, output, decimal=decimal, explain=True)
            written[decimal] = list(csv.reader(output.read_text().splitlines(), delimiter=delimiter))
        names, *points = written["."]
        assert [row[:3] for row in written[","]] == [row.split() for row in rows], "cells stay as they came"
        for row, commas in zip(points, written[","][1:], strict=True):
            for name, value, other in zip(names[3:], row[3:], commas[3:], strict=True):
                number = name not in {"status", "left_title", "right_title", "error"}
                assert other == (value.replace(".", ",") if number else value), name
        assert written[","][1][3].startswith("0,"), "a score"
    with pytest.raises(PairsError, match="--decimal is for tables"):
        score(scorer, source, tmp_path / "scored.jsonl", decimal=",")


def test_decimal_commas_are_handed_back(scorer: Scorer, tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    source.write_bytes(b"left;right;mean;price\nCat;Dog;7,35;1.234,50\nCat;Mouse;0,3;007\n")
    score(scorer, source, output)
    cells = [line.split(";")[2:4] for line in io.StringIO(output.read_text())]
    assert cells == [["mean", "price"], ["7,35", "1.234,50"], ["0,3", "007"]]
