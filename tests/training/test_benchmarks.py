"""Files of judgements: WORD's two layouts and pairs of other sources, sound and faulty."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.test_benchmarks_encoding import broken
from training.benchmarks.declared import Declaration
from training.benchmarks.judgements import Judgement, Split
from training.benchmarks.pairs import JudgementColumns
from training.benchmarks.read import read_benchmark, read_declared
from training.errors import BadRow, BenchmarkError, NotABenchmark

HEADER = b"source article URI,concept 1,concept 2,score,concept1 URI,concept2 URI,Train/Test\n"
WIKI = "http://en.wikipedia.org/wiki/"


def uri(title: str, encoded: bool = True) -> bytes:
    name = title.replace(" ", "_")
    return (WIKI + quote(name, safe="(),'/")).encode() if encoded else WIKI.encode() + broken(name)


def row(
    left: str, right: str, score: object, split: str, topic: str = "Fruit", encoded: bool = True
) -> bytes:
    """A row of the official file, its titles broken as there; its URIs sound if ``encoded``."""
    titles = [b'"%s"' % broken(title) if "," in title else broken(title) for title in (left, right)]
    uris = [b'"%s"' % uri(title, encoded) if "," in title else uri(title, encoded) for title in (left, right)]
    fields = [uri(topic, encoded), *titles, str(score).encode(), *uris, split.encode()]
    return b",".join(fields) + b"\r\n"


ROWS = (
    row("Apple", "Pear", 0.9, "Train"),
    row("Café", "Gustave Doré", 0.1, "Test"),
    row("Washington, D.C.", "Kraków", 0.25, "Train", topic="Café society"),
    row("Pear", "Apple (fruit)", 1, "Test", topic="Tea"),
)


@pytest.fixture
def word(tmp_path: Path) -> Path:
    path = tmp_path / "WORD.csv"
    path.write_bytes(HEADER + b"".join(ROWS))
    with pytest.raises(UnicodeDecodeError):
        path.read_text(encoding="utf-8")
    return path


def test_the_official_file(word: Path) -> None:
    benchmark = read_benchmark(word, "all")
    assert benchmark.judgements == (
        Judgement("Apple", "Pear", 0.9, "Fruit", 2),
        Judgement("Café", "Gustave Doré", 0.1, "Fruit", 3),
        Judgement("Washington, D.C.", "Kraków", 0.25, "Café society", 4),
        Judgement("Pear", "Apple (fruit)", 1.0, "Tea", 5),
    )
    assert benchmark.spellings == {}
    assert (benchmark.name, benchmark.other_split) == ("WORD.csv", 0)
    assert benchmark.checksum == hashlib.blake2b(word.read_bytes(), digest_size=32).hexdigest()


@pytest.mark.parametrize(("split", "lines"), [("train", [2, 4]), ("test", [3, 5])])
def test_its_splits(word: Path, split: Split, lines: list[int]) -> None:
    benchmark = read_benchmark(word, split)
    assert [judgement.line for judgement in benchmark.judgements] == lines
    assert benchmark.other_split == 2


def test_where_the_uris_are_broken_too_lost_letters_are_listed(word: Path) -> None:
    word.write_bytes(HEADER + row("Café", "Kraków", 0.5, "Train", topic="Gustave Doré", encoded=False))
    benchmark = read_benchmark(word, "train")
    (judgement,) = benchmark.judgements
    assert (judgement.left, judgement.right) == ("Café", "Krak\N{REPLACEMENT CHARACTER}w")
    assert judgement.topic == "Gustave Doré"
    assert list(benchmark.spellings) == [judgement.right]
    assert "Kraków" in benchmark.spellings[judgement.right]


def test_a_uri_that_lost_its_letters_is_not_believed(word: Path) -> None:
    spoilt = row("Café", "Pear", 0.5, "Train").replace(b"Caf%C3%A9", b"Caf?")
    word.write_bytes(HEADER + spoilt)
    assert read_benchmark(word, "train").judgements[0].left == "Café"


POISON = st.fixed_dictionaries(
    {
        "score": st.sampled_from(["nan", "-1e9", "1e999", "related", "", "0.5"]),
        "left": st.text(st.characters(codec="utf-8", exclude_characters='",\r\n'), max_size=8),
        "topic": st.sampled_from(["Fruit", "Poison", ""]),
    }
)


@given(st.lists(st.tuples(st.integers(0, 4), POISON), max_size=5))
def test_nothing_in_test_rows_reaches_training(tmp_path: Path, poison: list[tuple[int, Any]]) -> None:
    train_rows = [content for content in ROWS if content.rstrip().endswith(b"Train")]
    poisoned = list(ROWS)
    for place, fields in poison:
        poisoned.insert(place, row(fields["left"], "Pear", fields["score"], "Test", fields["topic"]))
    path = tmp_path / "WORD.csv"
    path.write_bytes(HEADER + b"".join(train_rows))
    clean = read_benchmark(path, "train")
    path.write_bytes(HEADER + b"".join(poisoned))
    read = read_benchmark(path, "train")
    assert read.other_split == len(poison) + 2
    assert read.spellings == clean.spellings
    as_read, as_clean = (
        [(pair.left, pair.right, pair.score, pair.topic) for pair in benchmark.judgements]
        for benchmark in (read, clean)
    )
    assert as_read == as_clean


def test_naming_columns_does_not_let_test_rows_in(word: Path) -> None:
    named = read_benchmark(word, "train", JudgementColumns("concept 1", "concept 2"))
    assert [judgement.line for judgement in named.judgements] == [2, 4]


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        (row("Apple", "Pear", "high", "Train"), "line 3: the score 'high' is not a number"),
        (row("Apple", "Pear", "nan", "Train"), "line 3: the score 'nan'"),
        (row("Apple", "Pear", 1, "Dev"), "line 3: Train/Test says 'Dev'"),
        (b"just,three,columns\n", "line 3: not the columns"),
        (b'"never closed,', "line 3: a quote is opened and never closed"),
    ],
)
def test_a_bad_row_of_the_official_file_is_named(word: Path, faulty: bytes, said: str) -> None:
    word.write_bytes(HEADER + ROWS[0] + faulty)
    with pytest.raises(BadRow, match=said) as caught:
        read_benchmark(word, "train")
    assert str(word) in str(caught.value)


def test_the_repaired_train_split(data_dir: Path) -> None:
    benchmark = read_benchmark(data_dir / "word" / "word_train.csv", "train")
    assert len(benchmark.judgements) == 12_969
    assert len({judgement.topic for judgement in benchmark.judgements}) == 82
    assert all(0.0 <= judgement.score <= 1.0 for judgement in benchmark.judgements)


# Pairs of other sources

TABLE = "left,right,score,topic\nApple,Pear,7.5,Fruit\n\n Tea ,Café,3,Drink\n"
JUDGEMENTS = (Judgement("Apple", "Pear", 7.5, "Fruit", 2), Judgement("Tea", "Café", 3.0, "Drink", 4))
JSON = (
    '{"left": "Apple", "right": "Pear", "score": 7.5, "topic": "Fruit"}\n\n\n'
    '{"left": "Tea", "right": "Café", "score": "3", "topic": "Drink", "more": []}\n'
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pairs.csv", TABLE),
        ("pairs.CSV", "\ufeff" + TABLE),
        ("pairs.tsv", TABLE.replace(",", "\t").replace("\n", "\r\n")),
        ("pairs.csv", TABLE.replace(",", ";")),
        ("pairs.csv", TABLE.replace(",", "\t")),
        ("pairs.jsonl", JSON.replace("\n\n\n", "\n\n")[:]),
        ("pairs.ndjson", JSON.replace("\n\n\n", "\n\n")),
    ],
)
def test_pairs_in_any_format(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_bytes(content.encode())
    read = read_benchmark(tmp_path / name, "all").judgements
    assert [(pair.left, pair.right, pair.score, pair.topic) for pair in read] == [
        (pair.left, pair.right, pair.score, pair.topic) for pair in JUDGEMENTS
    ]


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(TABLE, encoding="utf-8")
    assert read_benchmark(tmp_path / "pairs.csv", "all").judgements == JUDGEMENTS


def test_columns_that_are_asked_for_say_what_stands_between_cells(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right,score,a;b;c;d;e;f\nTea,Coffee,4.5,x\n")
    assert read_benchmark(tmp_path / "pairs.csv", "all").judgements == (
        Judgement("Tea", "Coffee", 4.5, None, 2),
    )


def test_word_may_have_semicolons(tmp_path: Path, word: Path) -> None:
    saved = tmp_path / "saved.csv"
    with word.open(newline="", encoding="latin-1") as read, saved.open("w", encoding="latin-1") as written:
        csv.writer(written, delimiter=";").writerows(csv.reader(read))
    assert read_benchmark(saved, "train").judgements == read_benchmark(word, "train").judgements


def test_columns_can_be_named_and_topics_missing(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("a,b,mean\nTea,Coffee,4.5\n")
    read = read_benchmark(tmp_path / "pairs.csv", "train", JudgementColumns("a", "b", "mean"))
    assert read.judgements == (Judgement("Tea", "Coffee", 4.5, None, 2),)


@pytest.mark.parametrize("name", ["train/test", "Train/Test ", " TRAIN/TEST"])
def test_a_mark_is_known_however_its_column_is_spelt(tmp_path: Path, name: str) -> None:
    table, lines = tmp_path / "pairs.csv", tmp_path / "pairs.jsonl"
    table.write_text(f"left,right,score,{name}\na,b,0.5,train\nc,d,poison,TEST\n")
    lines.write_text(f'{{"left": "a", "right": "b", "score": "poison", "{name}": "test"}}\n' * 2)
    read = read_benchmark(table, "train")
    assert (len(read.judgements), read.other_split) == (1, 1)
    with pytest.raises(NotABenchmark, match="has no train rows"):
        read_benchmark(lines, "train")
    declared = read_declared(Declaration(name="mine", files=("pairs.csv",)), table, "train")
    assert (len(declared.judgements), declared.other_split) == (1, 1)


def test_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("left,right,score,Train/Test,train/test\na,b,0.5,test,train\n")
    with pytest.raises(BadRow, match="two columns are named train/test"):
        read_benchmark(table, "train")
    with pytest.raises(BadRow, match="two columns are named train/test"):
        read_declared(Declaration(name="mine", files=("pairs.csv",)), table, "train")


def test_a_blank_topic_is_none(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("left,right,score,topic\na,b,0.5,one\nc,d,0.5, \n")
    assert [pair.topic for pair in read_benchmark(table, "all").judgements] == ["one", None]


def test_marks_are_heeded_in_any_file(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right,score,Train/Test\na,b,0.5,train\nc,d,poison,TEST\n")
    read = read_benchmark(tmp_path / "pairs.csv", "train")
    assert [pair.left for pair in read.judgements] == ["a"]
    assert read.other_split == 1
    with pytest.raises(BadRow, match="poison"):
        read_benchmark(tmp_path / "pairs.csv", "test")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("pairs.csv", b"left,right,score\nA,B,1\nC,D,high\n", "line 3: the score 'high'"),
        ("pairs.csv", b"left,right,score\nA,B,inf\n", "line 2: the score 'inf'"),
        ("pairs.csv", b"left;right;score\nA;B;0,5\n", "line 2: the score '0,5' .* Write decimals"),
        ("pairs.csv", b"left,right,score\nA,,1\n", "line 2: right is '' where a title belongs"),
        ("pairs.csv", b"left,right,score\nA,B\n", "line 2: not the columns"),
        ("pairs.csv", b"left,right,score\nA,B,1,2\n", "line 2: not the columns"),
        ("pairs.csv", b"left,right,score\nA,B,1\nCaf\xe9,B,1\n", "line 3: not UTF-8"),
        ("pairs.csv", b'left,right,score\n"A,B,1\n', "line 2: a quote is opened and never closed"),
        ("pairs.csv", b"left,right\rscore\nA,B,1\n", "line 1: a carriage return stands within a cell"),
        ("pairs.csv", b"left,right,score,Train/Test\nA,B,1,dev\n", "line 2: Train/Test says 'dev'"),
        ("pairs.jsonl", b'{"left": "A", "right": "B", "score": 1}\n{"left"\n', "line 2: not a JSON object"),
        ("pairs.jsonl", b'{"score": 1, "left": "A", "right": "\\ud800"}', "object .*surrogate pair"),
        ("pairs.jsonl", b'["A", "B", 1]\n', "line 1: not a JSON object"),
        ("pairs.jsonl", b'{"left": "A", "right": 7, "score": 1}\n', "line 1: right is 7"),
        ("pairs.jsonl", b'{"left": "A", "right": "B", "score": true}\n', "line 1: the score True"),
        ("pairs.jsonl", b'{"left": "A", "right": "B"}\n', "line 1: the score None"),
        ("pairs.jsonl", b'{"left": "\xff", "right": "B", "score": 1}\n', "line 1: not a JSON object"),
        ("pairs.jsonl", b"[" * 100_000, "line 1: not a JSON object"),
    ],
)
def test_a_bad_row_is_named_by_its_line(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadRow, match=said) as caught:
        read_benchmark(tmp_path / name, "all")
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "split", "said"),
    [
        ("pairs.csv", b"", "all", "has no column left, right, score; its columns are none"),
        ("pairs.csv", b"left,right,score\n", "all", "has no pairs"),
        (
            "pairs.csv",
            b"left,right,mean\nA,B,1\n",
            "all",
            "no column score; its columns are left, right, mean",
        ),
        (
            "pairs.csv",
            b"left|right|score\nA|B|1\n",
            "all",
            "That is one column: commas or semicolons or tabs have to stand between cells",
        ),
        ("pairs.tsv", b"left,right,score\nA,B,1\n", "all", "one column: tabs have to stand between cells"),
        ("pairs.csv", b"left,right,score\nA,B,1\n", "test", "has no test rows. Its column Train/Test"),
        ("pairs.jsonl", b"\n\n", "all", "has no pairs"),
        ("pairs.xlsx", b"PK", "all", r"ends in one of .csv, .tsv, .jsonl, .ndjson"),
        ("pairs.csv", None, "all", "cannot be read as a file of pairs: No such file"),
    ],
)
def test_a_file_that_is_none_is_refused(
    tmp_path: Path, name: str, content: bytes | None, split: Split, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(NotABenchmark, match=said) as caught:
        read_benchmark(tmp_path / name, split)
    assert name in str(caught.value)


def test_a_topic_column_that_was_named_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right,score\nA,B,1\n")
    with pytest.raises(NotABenchmark, match="no column subject"):
        read_benchmark(tmp_path / "pairs.csv", "all", JudgementColumns(topic="subject"))


@given(
    st.sampled_from(["f.csv", "f.tsv", "f.jsonl", "f.dat"]),
    st.sampled_from([b"", HEADER, b"left,right,score\n", b"left\tright\tscore\n"]),
    st.binary(max_size=200),
    st.sampled_from(["train", "test", "all"]),
)
def test_any_bytes_are_read_or_refused(
    tmp_path: Path, name: str, start: bytes, content: bytes, split: Split
) -> None:
    (tmp_path / name).write_bytes(start + content)
    try:
        assert read_benchmark(tmp_path / name, split).judgements
    except BenchmarkError as error:
        assert name in str(error)
