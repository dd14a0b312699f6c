"""What is declared of the field's benchmarks, and of a person's own; the real files against it."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from tests.conftest import ROOT
from training.benchmarks.check import check
from training.benchmarks.declared import (
    DECLARATIONS,
    Declaration,
    declared_as,
    find,
    find_all,
    load,
    locate,
    named,
    sharing,
    shipped,
)
from training.benchmarks.read import read_declared
from training.errors import NotABenchmark

NAMES = tuple(shipped())
FIELD = {
    *("word", "word-train", "wikisim", "wikisim-411", "wire"),
    *("tr9856", "bird", "bird-abba", "wordsim353", "wordsim353-rel", "wordsim353-sim", "men"),
    *("mturk-287", "mturk-771", "rg-65", "mc-30", "simlex-999"),
    *("german-65", "german-350", "german-222", "lp50", "kore"),
}


def test_the_field_is_declared() -> None:
    assert set(NAMES) == FIELD
    assert {path.stem for path in DECLARATIONS.glob("*.toml")} == FIELD


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_open(name: str) -> None:
    declaration = shipped()[name]
    assert declaration.name == name
    for field in ("title", "version", "licence", "citation", "source", "rows", "language"):
        assert getattr(declaration, field), field
    for form in declaration.forms:
        assert not any(Path(file).is_absolute() for file in form.files)
        assert form.rows == declaration.rows
        if form.checksum is not None:
            assert re.fullmatch("[0-9a-f]{64}", form.checksum)
            assert form.first is not None
            assert form.last is not None
    assert sum(declaration.splits.values()) in {0, declaration.rows}


def test_the_documentation_has_them_all() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| `")]
    for name, declaration in shipped().items():
        (row,) = (row for row in rows if f"`{name}`" in row[1])
        names = re.findall("`([^`]+)`", row[1])
        assert row[2].replace(",", "").split(";")[names.index(name)].strip() == str(declaration.rows)
        if declaration.kind != "rankings":
            assert row[4].strip() == f"{declaration.low:g} to {declaration.high:g}"
    keys = {key for row in rows for key in re.findall("`([a-z]+)`", row[1])}
    assert set(Declaration.__struct_fields__) <= keys


# Pairs with an article on both sides, lowest and highest score: counted in the files with other tools.
REAL = {
    "word-train": (12_969, 0.0, 1.0),
    "wikisim": (314, 0.023, 1.0),
    "wikisim-411": (412, 0.0, 10.0),
    "tr9856": (9_856, 0.0, 1.0),
    "bird": (3_345, 0.026, 0.936),
    "bird-abba": (410, 0.283, 0.936),
    "wordsim353": (353, 0.23, 10.0),
    "wordsim353-rel": (252, 0.23, 8.81),
    "wordsim353-sim": (203, 0.23, 10.0),
    "men": (3_000, 0.0, 50.0),
    "mturk-771": (771, 1.0, 4.96),
    "rg-65": (65, 0.02, 3.94),
    "mc-30": (30, 0.08, 3.92),
    "german-65": (65, 0.0, 4.0),
    "german-350": (350, 0.0, 4.0),
    "german-222": (222, 0.142857143, 3.904761905),
    "lp50": (1_225, 1.0, 5.0),
}


def test_what_is_declared_to_share_pairs_shares_a_fifth_of_the_smaller_and_nothing_else_does(
    data_dir: Path,
) -> None:
    def pairs_of(name: str) -> set[frozenset[str]]:
        benchmark = read_declared(shipped()[name], locate(shipped()[name], data_dir))
        return {
            frozenset(side.replace("_", " ").lower() for side in (pair.left, pair.right))
            for pair in benchmark.judgements
        }

    pairs = {name: pairs_of(name) for name in REAL if shipped()[name].kind != "documents"}
    shared = {
        frozenset((one, other))
        for one, other in combinations(pairs, 2)
        if len(pairs[one] & pairs[other]) >= min(len(pairs[one]), len(pairs[other])) / 5
    }
    declared = {
        frozenset((one.name, other)) for one in shipped().values() for other in one.shares if one.name in REAL
    }
    assert shared == declared


def test_sharing_goes_both_ways() -> None:
    for one in shipped().values():
        for other in one.shares:
            assert {one.name, other} <= sharing(frozenset([one.name])) & sharing(frozenset([other]))
    assert sharing(frozenset()) == frozenset()
    for form in shipped()["tr9856"].forms:
        if form.checksum is not None:
            assert declared_as(form.checksum) == {"tr9856"}


@pytest.mark.parametrize("name", REAL)
def test_the_real_file_is_the_declared_one(data_dir: Path, name: str) -> None:
    declaration = shipped()[name]
    path = locate(declaration, data_dir)
    checked = check(declaration, path)
    assert checked.problems == ()
    assert not any("other bytes" in note for note in checked.notes)
    form = declaration.form(path)
    assert form.checksum is not None
    assert form.first is not None
    benchmark = read_declared(declaration, path)
    scores = [pair.score for pair in benchmark.judgements]
    assert (len(scores), min(scores), max(scores)) == pytest.approx(REAL[name])
    assert (benchmark.name, benchmark.kind, benchmark.language) == (
        name,
        declaration.kind,
        declaration.language,
    )
    assert (benchmark.low, benchmark.high) == (declaration.low, declaration.high)


def test_topics_of_tr9856_are_taken_from_beside_it(data_dir: Path) -> None:
    declaration = shipped()["tr9856"]
    pairs = read_declared(declaration, locate(declaration, data_dir)).judgements
    assert len({pair.topic for pair in pairs}) == 47
    assert pairs[0].topic == "violent video games; minors"
    assert len({term for pair in pairs for term in (pair.left, pair.right)}) == 2_457


def test_both_forms_of_lp50_have_the_same_scores(data_dir: Path) -> None:
    averages, ratings = (
        read_declared(shipped()["lp50"], data_dir / "documents" / name).judgements
        for name in ("LP50_averageScores.csv", "LP50_stats.csv")
    )
    assert [(pair.left, pair.right) for pair in averages] == [(pair.left, pair.right) for pair in ratings]
    assert [pair.score for pair in averages] == pytest.approx([pair.score for pair in ratings])


# A person's own


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_two_lines_are_enough(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right,score\nApple,Pear,0.75\n")
    declaration = named(str(written(tmp_path, 'name = "mine"\nfiles = ["pairs.csv"]\n')))
    found = find(declaration, None)
    assert found == tmp_path / "pairs.csv"
    benchmark = read_declared(declaration, found)
    (pair,) = benchmark.judgements
    assert (pair.left, pair.right, pair.score, pair.topic) == ("Apple", "Pear", 0.75, None)
    assert (benchmark.kind, benchmark.low, benchmark.high, benchmark.language) == ("concepts", 0, 1, None)
    assert benchmark.title == "mine"


def test_all_can_be_declared(tmp_path: Path) -> None:
    (tmp_path / "deutsch.dat").write_bytes("Bär|Stier|7|Tiere\n".encode("cp1252"))
    lines = [
        'name = "mine"\nfiles = ["deutsch.dat"]\nkind = "terms"\nlanguage = "de"\nencoding = "cp1252"',
        'columns = ["a", "b", "mean", "about"]\nheader = false\nleft = "a"\nright = "b"\nscore = "mean"',
        'topic = "about"\nlow = 1\nhigh = 7\nrows = 1\ndelimiter = "|"\nfirst = ["Bär", "Stier", 7.0]\n',
    ]
    declaration = load(written(tmp_path, "\n".join(lines)))
    checked = check(declaration, tmp_path / "deutsch.dat")
    assert (checked.rows, checked.problems) == (1, ())
    pair = read_declared(declaration, tmp_path / "deutsch.dat").judgements[0]
    assert (pair.left, pair.topic) == ("Bär", "Tiere")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('files = ["a.csv"]', "missing required field `name`"),
        ('name = "a"', "missing required field `files`"),
        ('name = "a"\nfiles = []', "length >= 1"),
        ('name = "a b"\nfiles = ["a.csv"]', "matching regex"),
        ('name = "a"\nfiles = ["a.csv"]\nlayuot = "word"', "unknown field `layuot`"),
        ('name = "a"\nfiles = ["a.csv"]\nlayout = "excel"', "Invalid enum value 'excel'"),
        ('name = "a"\nfiles = ["a.csv"]\nlow = 5\nhigh = 1', "scores from 5 to 1 are no range"),
        ('name = "a"\nfiles = ["a.csv"]\nkind = "rankings"', "holds concepts or terms, not rankings"),
        ('name = "a"\nfiles = ["a.csv"]\nlayout = "kore"', "holds rankings, not concepts"),
        ('name = "a"\nfiles = ["a.csv"]\nencoding = "klingon"', "Invalid enum value 'klingon'"),
        ('name = "a"\nfiles = ["a.csv"]\ndelimiter = "::"', "It is one character"),
        ('name = "a"\nfiles = ["a.csv"]\ncolumns = ["x", "y"]', "columns does not name left, right, score"),
        ('name = "a"\nfiles = ["a.csv"]\nrows = 0', "int` >= 1"),
        ('name = "a"\nfiles = ["a.csv"]\n[[alternates]]\nlow = 3', "missing required field `files`"),
        ('name = "a"\nfiles = ["a.csv"]\n[[alternates]]\nfiles = ["b"]\nlow = 3', "scores from 3 to 1"),
        ("name = ", "does not declare a benchmark"),
    ],
)
def test_a_declaration_that_cannot_be_says_why(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(NotABenchmark) as caught:
        load(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_bytes_that_are_no_text_and_no_file_at_all(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    for name in ("bad.toml", "none.toml"):
        with pytest.raises(NotABenchmark, match=name):
            load(tmp_path / name)


def test_an_unknown_name_is_answered_with_near_ones() -> None:
    with pytest.raises(NotABenchmark, match=r"No benchmark is called 'WordSim'.*wordsim353"):
        named("WordSim")


# Where files are


def own(*files: str) -> Declaration:
    return Declaration(name="mine", files=files, alternates=({"files": ["last.txt"]},))


def test_the_first_declared_file_wins_wherever_it_is(tmp_path: Path) -> None:
    declaration = own("sets/Pairs.csv", "pairs.csv")
    assert find(declaration, tmp_path) is None
    for name in ("last.txt", "deep/down/pairs.csv", "pairs.csv", "x/sets/pairs.CSV"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        assert find(declaration, tmp_path) == path
    assert find_all([declaration], tmp_path) == {"mine": tmp_path / "x/sets/pairs.CSV"}
    assert find(declaration, None) is None


def test_a_file_that_is_missing_is_named_with_its_source(tmp_path: Path) -> None:
    with pytest.raises(NotABenchmark) as caught:
        locate(shipped()["simlex-999"], tmp_path)
    for part in (str(tmp_path), "SimLex-999.txt", "https://fh295.github.io", "WORT_DATA_DIR"):
        assert part in str(caught.value)


def test_a_file_of_other_content_is_told_apart(tmp_path: Path) -> None:
    declaration = Declaration(
        name="mine", files=("a.csv",), first=("x", "y", 1.0), last=("p", "q", 0.5), checksum="0" * 64
    )
    (tmp_path / "a.csv").write_text("left,right,score\nx,y,1\np,q,0.25\n")
    checked = check(declaration, tmp_path / "a.csv")
    (problem,) = checked.problems
    assert "Its last record is 'p', 'q', 0.25; declared is 'p', 'q', 0.5" in problem
    assert "other bytes" in checked.notes[0]
    (tmp_path / "a.csv").write_text("left,right,score\nx,y,2\n")
    assert "outside the range of mine, 0 to 1" in check(declaration, tmp_path / "a.csv").problems[0]
