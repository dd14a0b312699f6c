"""The columns of the pair: found with blanks around their names, and refused where they hold no ids."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.batch.files.formats import Format, reading
from app.batch.files.rows import PairCells
from app.errors import PairsError

PAIR = PairCells("concept 1", " concept 2", "about", terms=True)


@pytest.mark.parametrize(
    ("form", "content"),
    [
        (Format.CSV, "concept 1 , concept 2, about\nCat,Dog,Pets\n"),
        (Format.CSV, "concept 1 ; concept 2; about\nCat;Dog;Pets\n"),
        (Format.TSV, "concept 1 \t concept 2\t about\nCat\tDog\tPets\n"),
        (Format.JSONL, '{"concept 1 ": "Cat", " concept 2": "Dog", " about": "Pets"}\n'),
        (Format.PARQUET, ""),
    ],
)
def test_blanks_around_names_do_not_matter(tmp_path: Path, form: Format, content: str) -> None:
    file = tmp_path / "pairs"
    if form is Format.PARQUET:
        pq.write_table(pa.table({"concept 1 ": ["Cat"], " concept 2": ["Dog"], " about": ["Pets"]}), file)
    else:
        file.write_text(content)
    with reading(file, form, PAIR, form) as reader:
        ((row,),) = (chunk.rows for chunk in reader.chunks())
    assert (row.left, row.right, row.context, row.error) == ("Cat", "Dog", "Pets", None)
    assert reader.columns == ("concept 1 ", " concept 2", " about"), "names are kept as they are written"


@pytest.mark.parametrize("terms", [False, True])
def test_blanks_around_names_are_none_of_what_is_said_of_them(tmp_path: Path, terms: bool) -> None:
    file = tmp_path / "pairs"
    file.write_text("left , Right\n,Dog\nCat,\n")
    with reading(file, Format.CSV, PairCells(terms=terms), Format.CSV) as reader:
        (rows,) = (chunk.rows for chunk in reader.chunks())
    assert [row.error for row in rows] == ["left is empty", "Right is empty"]


@pytest.mark.parametrize(
    ("form", "content"),
    [
        (Format.CSV, "Left,RIGHT ,Note\nCat,Dog,x\n"),
        (Format.CSV, "Left;Right;Note, and more\nCat;Dog;x\n"),
        (Format.TSV, "LEFT\tright\nCat\tDog\n"),
        (Format.JSONL, '{"Left": "Cat", "Right": "Dog"}\n'),
        (Format.PARQUET, ""),
        # Written so, it is meant; with other capitals it is another column.
        (Format.CSV, "left,Left,Right\nCat,Tea,Dog\n"),
    ],
)
def test_capitals_of_names_do_not_matter(tmp_path: Path, form: Format, content: str) -> None:
    file = tmp_path / "pairs"
    if form is Format.PARQUET:
        pq.write_table(pa.table({"Left": ["Cat"], "Right": ["Dog"]}), file)
    else:
        file.write_text(content)
    with reading(file, form, PairCells(), form) as reader:
        ((row,),) = (chunk.rows for chunk in reader.chunks())
    assert (row.left, row.right, row.error) == ("Cat", "Dog", None)


def test_a_name_that_is_written_exactly_so_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "pairs"
    file.write_text(" left,left,right\nCat,Dog,Tea\n")
    with reading(file, Format.CSV, PairCells(), Format.CSV) as reader:
        assert [row.left for chunk in reader.chunks() for row in chunk.rows] == ["Dog"]


@pytest.mark.parametrize(
    ("header", "pair", "said"),
    [
        (" left,left ,right", PairCells(), "no column 'left', only ' left', 'left ', 'right'"),
        ("left ,right", PairCells("left", "left "), "both name the column 'left'"),
    ],
)
def test_which_column_is_meant_is_never_guessed(
    tmp_path: Path, header: str, pair: PairCells, said: str
) -> None:
    file = tmp_path / "pairs"
    file.write_text(f"{header}\nCat,Dog\n")
    with pytest.raises(PairsError, match=said), reading(file, Format.CSV, pair, Format.CSV):
        pass


@pytest.mark.parametrize(
    ("form", "signs"), [(Format.CSV, "commas, semicolons or tabs"), (Format.TSV, "tabs")]
)
def test_a_sign_that_parts_no_cells_is_named(tmp_path: Path, form: Format, signs: str) -> None:
    file = tmp_path / "pairs"
    file.write_text("left|right\nCat|Dog\n")
    said = rf"only 'left\|right'\. Its cells are parted by \|: save it with {signs} between them\.$"
    with pytest.raises(PairsError, match=said), reading(file, form, PairCells(), form):
        pass
    # Beside another column it is a part of a name.
    file.write_text("left|right\tother\nCat|Dog\t1\n")
    with pytest.raises(PairsError, match="Name the two"), reading(file, form, PairCells(), form):
        pass


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (
            [12.0, None, 7.5],
            r"left holds double, numbers with decimals.* Row 2 has a gap\. .*\('Int64'\)",
        ),
        ([12.0, 7.5], r"Row 2 has 7\.5\. "),
        ([12.0, 13.0], r"page ids are integers\. Cast"),
    ],
)
def test_ids_that_are_floating_point_numbers_are_to_be_cast(
    tmp_path: Path, ids: list[float | None], said: str
) -> None:
    file = tmp_path / "pairs"
    pq.write_table(pa.table({"left": ids, "right": ["Dog"] * len(ids)}), file, row_group_size=1)
    with (
        pytest.raises(PairsError, match=said),
        reading(file, Format.PARQUET, PairCells(), Format.PARQUET),
    ):
        pass


def test_an_id_with_decimals_is_written_without() -> None:
    assert PairCells().row(1, {"left": 12.0, "right": "Dog"}).error == (
        "left is 12.0, and page ids are integers: write 12"
    )
    assert "write" not in str(PairCells().row(1, {"left": 1.5, "right": "Dog"}).error)
