"""The layouts in which authors release benchmarks, sound and faulty."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.training.test_benchmarks import HEADER, ROWS
from training.benchmarks.declared import Declaration, shipped
from training.benchmarks.judgements import Judgement, Split
from training.benchmarks.read import read_any, read_declared
from training.errors import BadRow, BenchmarkError, NotABenchmark


def any_number(name: str) -> Declaration:
    """A shipped declaration that takes a file of any number of rows."""
    declaration = shipped()[name]
    return replace(declaration, rows=None, splits={})


def read(folder: Path, name: str, file: str, content: str | bytes) -> list[tuple[str, str, float]]:
    path = folder / file
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return [(pair.left, pair.right, pair.score) for pair in read_declared(any_number(name), path).judgements]


@pytest.mark.parametrize(
    ("name", "file", "content", "expected"),
    [
        (
            "wordsim353",
            "combined.csv",
            "Word 1,Word 2,Human (mean)\r\nsea,tide,7.5\r\n",
            ("sea", "tide", 7.5),
        ),
        (
            "wordsim353",
            "combined.tab",
            "Word 1\tWord 2\tHuman (mean)\nsea\ttide\t7.5\n",
            ("sea", "tide", 7.5),
        ),
        ("wordsim353", "EN-WS-353-ALL.txt", "sea\ttide\t7.5\r\n", ("sea", "tide", 7.5)),
        ("wordsim353-sim", "wordsim_similarity_goldstandard.txt", "sea\ttide\t7.5\n", ("sea", "tide", 7.5)),
        ("men", "MEN_dataset_natural_form_full", "sea tide 42.000000\n", ("sea", "tide", 42.0)),
        ("men", "MEN_dataset_lemma_form_full", "sea-n blue-j 42.000000\n", ("sea", "blue", 42.0)),
        ("mturk-287", "Mtruk.csv", "sea,tide,2.5\r\n", ("sea", "tide", 2.5)),
        ("mturk-771", "MTURK-771.csv", "sea,tide,2.5\n", ("sea", "tide", 2.5)),
        ("rg-65", "RG_word.txt", "sea\t\ttide\t\t3.1\n", ("sea", "tide", 3.1)),
        (
            "simlex-999",
            "SimLex-999.txt",
            "word1\tword2\tPOS\tSimLex999\tconc(w1)\tconc(w2)\tconcQ\tAssoc(USF)\tSimAssoc333\tSD(SimLex)\n"
            "sea\ttide\tN\t4.5\t4\t4\t2\t1.1\t0\t1.3\n",
            ("sea", "tide", 4.5),
        ),
        (
            "wire",
            "WiRe.csv",
            'srcWikiID,srcWikiTitle,dstWikiID,dstWikiTitle,relatedness\n1,"Flatbush,_Brooklyn",2,Zürich,7\n',
            ("Flatbush,_Brooklyn", "Zürich", 7.0),
        ),
        (
            "wikisim",
            "wikipediaSimilarity353.csv",
            "termA,idA,titleA,termB,idB,titleB,relatedness\nsea,1,Sea,tide,2,Tide,7.5\nsea,1,Sea,x,null,null,3\n",
            ("Sea", "Tide", 7.5),
        ),
        (
            "german-65",
            "wortpaare65.gold.pos.txt",
            "#Word1:Word2:Goldstandard:Pos1:Pos2\nMöwe:Meer:3.5:n:n\n",
            ("Möwe", "Meer", 3.5),
        ),
    ],
)
def test_released_layouts(
    tmp_path: Path, name: str, file: str, content: str, expected: tuple[str, str, float]
) -> None:
    assert read(tmp_path, name, file, content) == [expected]


def test_pairs_without_an_article_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "WikiSim-353.txt"
    header = "termA\tidA\tmatchA\ttermB\tidB\tmatchB\trelatedness\r\n"
    path.write_text(header + "sea\t1\tSea\ttide\t2\tTide\t0.5\r\nlad\tnull\tnull\tsea\t1\tSea\t0.1\r\n")
    benchmark = read_declared(replace(shipped()["wikisim"], rows=2), path)
    assert (len(benchmark.judgements), benchmark.absent) == (1, 1)


# WORD


def word(folder: Path, *rows: bytes) -> Path:
    path = folder / "WORD.csv"
    path.write_bytes(HEADER + b"".join(rows))
    return path


def test_word_has_exactly_its_splits(tmp_path: Path) -> None:
    declaration = replace(shipped()["word"], rows=4, splits={"train": 2, "test": 2})
    path = word(tmp_path, *ROWS)
    assert len(read_declared(declaration, path).judgements) == 4
    benchmark = read_declared(declaration, path, "train")
    assert ([pair.line for pair in benchmark.judgements], benchmark.other_split) == ([2, 4], 2)
    with pytest.raises(NotABenchmark, match="2 rows are marked Train, where word has 3"):
        read_declared(replace(declaration, splits={"train": 3, "test": 1}), path, "train")
    with pytest.raises(NotABenchmark, match=r"4 pairs, where word has exactly 19,276\. .*debating_data"):
        read_declared(shipped()["word"], path)


def test_word_of_other_columns_says_what_it_should_have(tmp_path: Path) -> None:
    path = tmp_path / "WORD.csv"
    path.write_text("left,right,score\na,b,1\n")
    with pytest.raises(NotABenchmark, match=r"source article URI.*it has left, right, score"):
        read_declared(shipped()["word"], path)


@given(
    score=st.sampled_from(["nan", "9", "", "x"]), side=st.text(st.characters(exclude_characters=',"\r\n\x00'))
)
def test_test_rows_of_a_declared_table_are_not_looked_at(tmp_path: Path, score: str, side: str) -> None:
    path = tmp_path / "mine.csv"
    declaration = Declaration(name="mine", files=("mine.csv",))
    rows = f"left,right,score,Train/Test\na,b,0.5,Train\n{side},c,{score},Test\n"
    path.write_text(rows, encoding="utf-8", newline="")
    benchmark = read_declared(declaration, path, "train")
    assert benchmark.judgements == (Judgement("a", "b", 0.5, None, 2),)
    assert benchmark.other_split == 1


# TR9856

LABELERS = [f"labeler{number}" for number in range(1, 23)]


def tr9856(*rows: list[str], columns: list[str] | None = None) -> bytes:
    table = [columns or ["topic", "term1", "term2", *LABELERS, "score"], *rows]
    return "\n".join(",".join(row) for row in table).encode("latin-1")


def votes(related: int, unrelated: int) -> list[str]:
    return ["Related"] * related + ["Unrelated"] * unrelated + ["null"] * (22 - related - unrelated)


def test_the_official_table_of_tr9856(tmp_path: Path) -> None:
    path = tmp_path / "TermRelatednessResults.csv"
    path.write_bytes(tr9856(["games", "café society", "video", *votes(3, 7), "0.3"]))
    (pair,) = read_declared(any_number("tr9856"), path).judgements
    assert pair == Judgement("café society", "video", 0.3, "games", 2)


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (
            tr9856(columns=["topic", "term1", "term2", "score"]) + b"\na,b,c,1",
            NotABenchmark,
            "4 columns where .* 26",
        ),
        (tr9856(columns=["t", "term1", "term2", *LABELERS, "score"]), NotABenchmark, "lacks topic"),
        (tr9856(["t", "a", "b", *votes(3, 7), "0.9"]), BadRow, "line 2: the score 0.9 .* 3 of 10"),
        (tr9856(["t", "a", "b", *votes(0, 0), "0.9"]), BadRow, "line 2: the score 0.9 .* 0 of 0"),
        (tr9856(["t", "a", "b", "maybe", *votes(3, 7)[1:], "0.3"]), BadRow, "labeler1 says 'maybe'"),
        (tr9856(["t", "a", "b", *votes(3, 7)]), BadRow, "line 2: 25 columns where there should be 26"),
        (tr9856(["t", "a", "b", *votes(3, 7), "x"]), BadRow, "line 2: the score 'x' is not a number"),
    ],
)
def test_a_faulty_table_of_tr9856(
    tmp_path: Path, content: bytes, error: type[BenchmarkError], said: str
) -> None:
    path = tmp_path / "TermRelatednessResults.csv"
    path.write_bytes(content)
    with pytest.raises(error, match=said):
        read_declared(any_number("tr9856"), path)


PAIR = {"term1": "sea", "term2": "tide", "value": 0.5, "values": [1, 0, None]}


@pytest.mark.parametrize(
    ("pairs", "topics", "said"),
    [
        ([PAIR | {"value": 0.75}], None, "line 1: the score 0.75 .* 1 of 2"),
        ([{"term1": "sea"}], None, "not a list of pairs"),
        ([PAIR | {"values": [10**400, 1]}], None, "not a list of pairs"),
        ([PAIR | {"values": [2, 0]}], None, "not a list of pairs"),
        ([PAIR], "term1\tterm2\tinferred_topic_key_terms\nsea\tmoon\tx\n", "line 1: .*'sea' and 'moon'"),
        ([PAIR], "term1\tterm2\tinferred_topic_key_terms\n", "1 pairs, and .* has 0"),
        ([PAIR], "term1\tterm2\n", "inferred_topics.tsv beside it: line 1 should name"),
        ([], None, "has no pairs"),
    ],
)
def test_faulty_json_of_tr9856(tmp_path: Path, pairs: list[object], topics: str | None, said: str) -> None:
    (tmp_path / "tr9856.json").write_text(json.dumps(pairs))
    if topics is not None:
        (tmp_path / "tr9856_inferred_topics.tsv").write_text(topics)
    with pytest.raises(BenchmarkError, match=said):
        read_declared(any_number("tr9856"), tmp_path / "tr9856.json")


def test_json_of_tr9856_without_topics(tmp_path: Path) -> None:
    assert read(tmp_path, "tr9856", "tr9856.json", json.dumps([PAIR])) == [("sea", "tide", 0.5)]


# LP50


def test_documents_as_their_authors_number_them(tmp_path: Path) -> None:
    texts = "Fifty documents\r\n\r\n1.\tThe sea.\r\n2.\tThe tide\xa3.\r\n3.\tA pear.\r\n"
    (tmp_path / "LeePincombeWelshDocuments.txt").write_bytes(texts.encode("latin-1"))
    ratings = "SubjectID,Document1,Document2,Similarity,Time\n1,2,1,4,9.1\n2,1,2,5,3.2\n2,3,1,1,2.0\n"
    assert read(tmp_path, "lp50", "LeePincombeWelshData.csv", ratings) == [
        ("The sea.", "The tide£.", 4.5),
        ("The sea.", "A pear.", 1.0),
    ]


@pytest.mark.parametrize(
    ("texts", "scores", "said"),
    [
        (None, "1,2,1", "texts of the documents are not beside it, in lee.cor"),
        ("one\ntwo", "1,3,1", "line 2: doc2 is '3'; the documents are 1 to 2"),
        ("one\ntwo", "1,x,1", "line 2: doc2 is 'x'"),
        ("one\ntwo", "1,2,6", "line 2: the score 6 is outside the range of lp50, 1 to 5"),
    ],
)
def test_faulty_documents(tmp_path: Path, texts: str | None, scores: str, said: str) -> None:
    if texts is not None:
        (tmp_path / "lee.cor").write_text(texts)
    with pytest.raises(BenchmarkError, match=said):
        read(tmp_path, "lp50", "LP50_averageScores.csv", f"doc1,doc2,average\n{scores}\n")


# KORE

KORE = "Sea\n\tTide\n\tFish\n\tPear\n\nApple Inc.\n\tIPod\n\tPear\n"


def test_rankings(tmp_path: Path) -> None:
    path = tmp_path / "rankedrelatedentities.txt"
    path.write_bytes(KORE.replace("\n", "\r\n").encode())
    rankings = read_any(replace(shipped()["kore"], rows=5), path)
    assert rankings.judgements == (
        Judgement("Sea", "Tide", 3.0, "Sea", 2),
        Judgement("Sea", "Fish", 2.0, "Sea", 3),
        Judgement("Sea", "Pear", 1.0, "Sea", 4),
        Judgement("Apple Inc.", "IPod", 2.0, "Apple Inc.", 7),
        Judgement("Apple Inc.", "Pear", 1.0, "Apple Inc.", 8),
    )
    with pytest.raises(NotABenchmark, match="5 ranked articles, where kore has exactly 420"):
        read_any(shipped()["kore"], path)
    with pytest.raises(NotABenchmark, match="kore holds rankings, not pairs"):
        read_declared(shipped()["kore"], path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("\tTide\n", "line 1: 'Tide' is ranked by no seed"),
        ("Sea\n\tTide\n\tTide\n", "line 3: 'Tide' is ranked a second time by 'Sea'"),
        ("Sea\n\tTide\nMoon\n\tSea\n\tSun\n", "line 1: 'Sea' ranks 1 articles"),
        ("Sea\n\tTide\n\tFish\nMoon", "line 4: 'Moon' ranks 0 articles"),
        ("", "has no rankings"),
    ],
)
def test_faulty_rankings(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "rankedrelatedentities.txt"
    path.write_text(content)
    with pytest.raises(BenchmarkError, match=said) as caught:
        read_any(replace(shipped()["kore"], rows=None), path)
    assert str(path) in str(caught.value)


# What is wrong is said with its line and what was expected


@pytest.mark.parametrize(
    ("name", "file", "content", "said"),
    [
        ("bird", "BiRD.txt", "pair\tterm1\nx\ty\n", "It lacks term2, term2: unigram or bigram, source"),
        ("bird", "BiRD.txt", "", "it has none. Is it the file that is declared"),
        ("men", "EN-MEN-TR-3k.txt", "sun\tsunlight\n", "line 1: 2 columns where there should be 3"),
        ("men", "EN-MEN-TR-3k.txt", "sun\tsunlight\t51\n", "line 1: the score 51 is outside .* men, 0 to 50"),
        ("men", "EN-MEN-TR-3k.txt", "sun\tmoon\t5\n\nsun\tstar\thigh\n", "line 3: the score 'high'"),
        ("men", "MEN_dataset_lemma_form_full", "sun moon-n 5\n", "line 1: left is 'sun', without a part of"),
        ("mturk-771", "MTURK-771.csv", "sun,,2\n", "line 1: right is '' where a term belongs"),
        ("mturk-771", "MTURK-771.csv", 'sun,"moon,2\n', "line 1: a quote is opened and never closed"),
        ("mturk-771", "MTURK-771.csv", 'sun,"moon"x,2\n', "line 1: text follows a closing quote"),
        ("simlex-999", "SimLex-999.txt", b"caf\xe9", r"line 1: not utf-8 \(byte 0xe9\)"),
        ("wire", "WiRe.csv", None, "cannot be read"),
    ],
)
def test_faults_are_said(
    tmp_path: Path, name: str, file: str, content: str | bytes | None, said: str
) -> None:
    path = tmp_path / file
    with pytest.raises(BenchmarkError, match=said) as caught:
        if content is None:
            read_declared(shipped()[name], path)
        else:
            read(tmp_path, name, file, content)
    assert str(path) in str(caught.value)


def test_json_lines_are_declared_by_their_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"left": "a", "right": "b", "score": 0.5, "about": "letters"}\n')
    declaration = Declaration(name="mine", files=("mine.jsonl",), topic="about")
    assert read_declared(declaration, path).judgements == (Judgement("a", "b", 0.5, "letters", 1),)
    path.write_text(f'{{"left": "a", "right": "b", "score": {10**400}}}\n')
    with pytest.raises(BadRow, match="line 1: the score 1000"):
        read_declared(declaration, path)
    path.write_text('{"left": "a", "right": 3, "score": 0.5}\n')
    with pytest.raises(BadRow, match="line 1: right is 3 where a title belongs"):
        read_declared(declaration, path)


FORMS = [(form, name) for name, one in shipped().items() for form in one.forms] + [
    (Declaration(name="mine", files=("mine.jsonl",)), "mine"),
    (Declaration(name="mine", files=("mine.csv",), encoding="utf-16"), "mine"),
]
HEADERS = {
    "": b"",
    "word": HEADER,
    "tr9856": tr9856() + b"\n",
    "tr9856-json": b'[{"term1": "a", "term2": "b", "value": 1, "values": [1]}',
}


@pytest.mark.parametrize("form", [form for form, _ in FORMS], ids=[name for _, name in FORMS])
@settings(max_examples=40)
@given(content=st.binary(max_size=120), headed=st.booleans(), split=st.sampled_from(["train", "test", "all"]))
def test_any_bytes_are_read_or_refused(
    tmp_path: Path, form: Declaration, content: bytes, headed: bool, split: Split
) -> None:
    form = replace(form, rows=None, splits={})
    path = tmp_path / Path(form.files[0]).name
    header = HEADERS.get(form.reader, (form.delimiter or ",").join(form.columns).encode() + b"\n")
    path.write_bytes((header if headed else b"") + content)
    (tmp_path / "lee.cor").write_bytes(content)
    (tmp_path / "tr9856_inferred_topics.tsv").write_bytes(content)
    try:
        if form.kind == "rankings":
            assert read_any(form, path).judgements
        else:
            assert read_declared(form, path, split).judgements
    except BenchmarkError as error:
        assert str(path) in str(error)
