"""Tables without a header, tables with semicolons, and what is written beside an output."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.batch.files.delimited import DelimitedReader
from app.batch.files.formats import Format, reader_of, reading
from app.batch.files.rows import PairCells, PairRow, Position, Reader
from app.batch.results import ConceptRowScorer
from app.batch.scoring import ScoringJob, provenance_path, run
from app.errors import OutputUnusable, PairsError
from app.scoring.concepts import Scorer
from tests.support.served import toy_scorer

SEPARATORS = ",;\t"
cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff\r"), max_size=6)
cells |= st.text('";,\n ab', min_size=1, max_size=6)


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("headless"))


class Nobody:
    """Is told how it goes, and does not listen."""

    def begin(self, reader: Reader, resumed: Position | None) -> None: ...

    def bad_row(self, row: PairRow, reason: str) -> None: ...

    def advance(self, position: Position, counts: Counter[str]) -> None: ...


def score(scorer: Scorer, source: Path, output: Path, **options: Any) -> Counter[str]:
    forms = (Format(source.suffix[1:]), Format(output.suffix[1:]))
    return run(ScoringJob(source, output, *forms, **options), ConceptRowScorer(scorer), Nobody())


def table(rows: list[list[str]], delimiter: str) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def test_a_table_without_a_header(scorer: Scorer, tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    source.write_bytes(b"\n\nCat,Dog,a note\nCat,Cat,\n")
    assert score(scorer, source, output, header=False) == {"ok": 1, "identical": 1}
    first, *rows = csv.reader(io.StringIO(output.read_text()))
    (expected,) = scorer.score([("Cat", "Dog")])
    assert first[:4] == ["left", "right", "column 3", "score"]
    assert rows[0][:4] == ["Cat", "Dog", "a note", str(expected.score)]
    assert [row[:2] for row in rows] == [["Cat", "Dog"], ["Cat", "Cat"]]
    output.unlink()
    score(scorer, source, output, header=False, left="source", right="target")
    assert output.read_text().startswith("source,target,column 3,score,")


@pytest.mark.parametrize("content", [b"Cat,Dog\n", b"Cat;Dog\n", b"Cat,Cat\n"])
def test_a_header_that_is_none_is_noticed(tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "pairs.csv"
    source.write_bytes(content)
    for missing, noticed in ((PairCells(), True), (PairCells(header=False), False)):
        try:
            with reading(source, Format.CSV, missing, Format.CSV) as reader:
                assert reader.columns == ("left", "right")
                assert not noticed
        except PairsError as error:
            assert noticed
            assert "If that is a pair and the file has no header, add --no-header." in str(error)
    # A header that names one of the two is one.
    source.write_bytes(b"left,other\n")
    with (
        pytest.raises(
            PairsError, match=r"no column 'right', only 'left', 'other'\. Name the two with [^.]*\.$"
        ),
        reading(source, Format.CSV, PairCells(), Format.CSV),
    ):
        pass


def test_one_cell_is_no_pair() -> None:
    with pytest.raises(PairsError, match="no column 'right'"):
        reader_of(io.BytesIO(b"Cat\n"), Format.CSV, PairCells(header=False))


def test_semicolons_are_read_and_written(scorer: Scorer, tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    source.write_bytes(b'\xef\xbb\xbfleft;"right";note\r\nCat;Dog;"a;b"\r\n')
    score(scorer, source, output)
    (row,) = csv.DictReader(io.StringIO(output.read_text("utf-8-sig")), delimiter=";")
    assert output.read_bytes().startswith(b"\xef\xbb\xbfleft;right;note;")
    # What is written so is read again.
    assert reader_of(io.BytesIO(output.read_bytes()), Format.CSV, PairCells()).columns[0] == "left"
    (expected,) = scorer.score([("Cat", "Dog")])
    assert row["score"] == str(expected.score)
    assert row["note"] == "a;b"
    # Another format has its own.
    for form, delimiter in (("tsv", "\t"), ("jsonl", None)):
        other = tmp_path / f"other.{form}"
        score(scorer, source, other)
        line = other.read_text().splitlines()[0]
        assert line.startswith("\ufeff") == (form == "tsv")
        line = line.removeprefix("\ufeff")
        assert (
            line.startswith('{"left":"Cat"') if delimiter is None else line.startswith("left\tright\tnote\t")
        )


def test_a_table_of_tabs_is_read_whatever_it_is_called(scorer: Scorer, tmp_path: Path) -> None:
    content = b"left\tright\tnote\nCat\tDog\ta, b\n"
    named, misnamed = tmp_path / "named.tsv", tmp_path / "misnamed.csv"
    for source in (named, misnamed):
        source.write_bytes(content)
    (expected,) = scorer.score([("Cat", "Dog")])
    # A CSV is written as it was read, and what was no CSV with commas.
    for source, form, delimiter in (
        (misnamed, "csv", "\t"),
        (misnamed, "tsv", "\t"),
        (named, "tsv", "\t"),
        (named, "csv", ","),
    ):
        output = tmp_path / f"{source.stem}-scored.{form}"
        score(scorer, source, output)
        (row,) = csv.DictReader(io.StringIO(output.read_text()), delimiter=delimiter)
        assert row["score"] == str(expected.score)
        assert row["note"] == "a, b"


HEADLESS = [
    (b"Cat;Dog;1,5\nCat;Piano;2,25\n", ";"),
    (b"Cat;Dog;1,5\n", ";"),
    (b"Cat;Dog;1,5\nCat;Piano;\n", ";"),
    (b"Cat;Dog;;\nCat;Piano;1,5;2,5\n", ";"),
    (b"Paris, Texas;Cat\nLock, Stock;Dog\n", ";"),
    (b"Cat;Dog;one, two, three\nCat;Piano;four\n", ";"),
    (b"Cat,Dog,x;y\nCat,Piano,z\n", ","),
    (b"Cat,Dog,1;5\nCat,Piano,2;5\n", ","),
    (b"101,102\n103,104\n", ","),
    (b"101;102\n103;104\n", ";"),
    (b"Cat, Dog\nCat, Piano\n", ","),
    (b'"Cat;Dog",Piano\n"Cat;Cat",Dog\n', ","),
    (b'"Paris, Texas";"1,5"\n"Lock, Stock";"2,5"\n', ";"),
    (b"Cat;Dog\nCat\nPiano;Dog;x\n", ";"),
    (b"Cat,Dog\nCat\nPiano,Dog,x\n", ","),
    (b'Cat;Dog;1,5\n"Cat;Dog;never closed\n' * 30, ";"),
    (b"\n\nCat;Dog;1,5\n", ";"),
    (b"Cat\n", ","),
    (b"Cat\tDog\n", "\t"),
    (b"Paris, Texas\tCat; Dog\nLock, Stock\tDog; Cat\n", "\t"),
    (b"Cat,Dog,x\ty\nCat,Piano,z\n", ","),
]
"""Tables without a header, and what stands between their cells."""


@pytest.mark.parametrize(("content", "separator"), HEADLESS)
def test_what_stands_between_cells_where_no_header_says_so(content: bytes, separator: str) -> None:
    reader = DelimitedReader(io.BytesIO(content), None, PairCells(header=False), SEPARATORS)
    assert reader.delimiter == separator
    # Nothing is lost of what was looked at.
    first = next(row for chunk in reader.chunks() for row in chunk.rows)
    line = content.lstrip(b"\n").splitlines()[0].decode()
    (cells,) = csv.reader([line], delimiter=separator)
    assert list(first.record.values()) == cells


@pytest.mark.parametrize("header", [True, False])
@given(rows=st.lists(st.tuples(cells, cells), min_size=1), separator=st.sampled_from(SEPARATORS))
def test_whatever_separates_the_cells_are_the_same(
    rows: list[tuple[str, str]], separator: str, header: bool
) -> None:
    pair = PairCells(header=header)
    # Without a header, which of them it is cannot be known where the first row has several.
    others = set(SEPARATORS) - {separator}
    if not header and any(other in cell for cell in rows[0] for other in others):
        return
    if not header and not any(cell.strip() for cell in rows[0]):
        return
    head = [["left", "right"]] if header else []
    content = table([*head, *map(list, rows)], separator)

    def read(start: Position | None = None) -> list[tuple[str, ...]]:
        reader = DelimitedReader(io.BytesIO(content), None, pair, SEPARATORS)
        assert reader.delimiter == separator
        return [tuple(row.record.values()) for chunk in reader.chunks(start, rows=1) for row in chunk.rows]

    expected = [row for row in rows if table([list(row)], separator) != b"\n"]
    assert read() == expected
    # And from behind the first row on.
    first = next(DelimitedReader(io.BytesIO(content), None, pair, SEPARATORS).chunks(rows=1), None)
    if first is not None:
        assert read(first.after) == expected[1:]


def test_the_names_that_were_unknown_most_often_are_kept(scorer: Scorer) -> None:
    rows = ConceptRowScorer(scorer)
    pairs = [("Catt", "Dog"), ("Dogg", "Catt"), ("Mouse", "Cat"), ("Cat", "CATT")]
    list(rows.of([PairRow(line, {}, left, right) for line, (left, right) in enumerate(pairs)], False))
    assert rows.most_unknown(1) == [("Catt", 3, ("Cat",))]
    assert rows.unknown == 2
    # "Mouse" means several, which is another trouble.
    assert [(each.name, each.sides) for each in rows.most_unknown(9)] == [("Catt", 3), ("Dogg", 1)]


def test_what_scored_an_output_stands_beside_it(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_bytes(b"left,right\nCat,Dog\nCatt,Dog\n")
    for form in ("csv", "tsv", "jsonl"):
        output = tmp_path / f"scored.{form}"
        score(scorer, source, output)
        facts = json.loads((tmp_path / f"scored.{form}.provenance.json").read_text())
        assert facts["model"] == {"name": "toy", "trained_on": scorer.snapshot.id}
        assert facts["snapshot"]["id"] == scorer.snapshot.id
        assert facts["snapshot"]["attribution"] == scorer.snapshot_info.attribution
        assert facts["rows"] == {"ok": 1, "unknown": 1}
        assert facts["wort"] == version("wort-server")
    # Parquet says it itself.
    output = tmp_path / "scored.parquet"
    score(scorer, source, output)
    assert json.loads(pq.read_schema(output).metadata[b"wort"])["model"]["name"] == "toy"
    assert not provenance_path(output).exists()


def test_a_folder_in_its_place_is_refused_before_anything_is_scored(scorer: Scorer, tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    source.write_bytes(b"left,right\nCat,Dog\n")
    provenance_path(output).mkdir()
    with pytest.raises(OutputUnusable, match=r"scored\.csv\.provenance\.json"):
        score(scorer, source, output)
    assert not output.exists()
