"""Files of judgements, sound and faulty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasets.agreement.reading import (
    Kind,
    described,
    read_best_worst,
    read_items,
    read_judgements,
    with_items,
)
from training.errors import BadRow, NotABenchmark


def file(folder: Path, text: str, name: str = "judgements.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_row_a_judgement(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        "annotator,left,right,topic,judgement,seconds\n"
        "Ann,cat,dog,pets,related,3\n"
        'Bob,cat,dog,pets,0,2\n\nAnn,"cat, big",dog,pets,No,9\n'
        "Ann,cat,dog,pets,1,1\nBob,ant,bee,,,4\n",
    )
    judgements, unknown = read_judgements(path, "binary")
    assert unknown == 1
    assert judgements.annotators == ("Ann", "Bob")
    assert [item.name for item in judgements.items] == ["cat – dog (pets)", "cat, big – dog (pets)"]
    assert judgements.items[0][1:] == ("cat", "dog", "pets", None)
    assert judgements.value.tolist() == [1, 0, 0, 1]
    assert judgements.turn.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("j.csv", "Item;Annotator;Judgement;group\nx;7;2.5;NN\nx;8;4;NN\n"),
        ("j.tsv", "Item\tAnnotator\tJudgement\tgroup\nx\t7\t2.5\tNN\nx\t8\t4\tNN\n"),
        (
            "j.jsonl",
            '{"item": "x", "annotator": 7, "judgement": 2.5, "group": "NN"}\n'
            '{"item": "x", "annotator": 8, "judgement": 4, "group": "NN"}\n',
        ),
    ],
)
def test_other_formats(tmp_path: Path, name: str, text: str) -> None:
    judgements, _ = read_judgements(file(tmp_path, text, name), "graded")
    assert (judgements.annotators, judgements.value.tolist()) == (("7", "8"), [2.5, 4])
    assert judgements.items[0].group == "NN"


def test_lists_of_votes(tmp_path: Path) -> None:
    votes = [{"term1": "a", "term2": "b", "value": 5, "values": [4, None, 6.5]}]
    judgements, _ = read_judgements(file(tmp_path, json.dumps(votes), "raters.json"), "graded")
    assert judgements.annotators == ("1", "3")
    assert judgements.items[0][:3] == ("1", "a", "b")


def official(rows: list[list[str]]) -> str:
    header = ["term1", "term2", "topic", *(f"labeler{number}" for number in range(1, 23)), "score"]
    return "\n".join(",".join(row) for row in [header, *rows]) + "\n"


def test_tr9856_as_it_was_released(tmp_path: Path) -> None:
    rows = [
        ["a", "b", "t", "Related", "Unrelated", *["null"] * 20, "0.5"],
        ["a", "c", "t", *["null"] * 20, "Related", "Related", "1.0"],
    ]
    path = file(tmp_path, official(rows), "TermRelatednessResults.csv")
    judgements, _ = read_judgements(path, "binary")
    assert judgements.annotators == ("1", "2", "21", "22")
    assert [item[1:4] for item in judgements.items] == [("a", "b", "t"), ("a", "c", "t")]
    assert judgements.value.tolist() == [1, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "kind", "error", "says"),
    [
        ("annotator,item,judgement\nAnn,x,maybe\n", "binary", BadRow, "line 2: the judgement 'maybe'"),
        ("annotator,item,judgement\nAnn,x,1\nAnn,y,3\n", "binary", BadRow, "line 3.*--kind graded"),
        ("annotator,item,judgement\nAnn,x,good\n", "graded", BadRow, "line 2: .*not a number"),
        ("annotator,item,judgement\n,x,1\n", "binary", BadRow, "line 2: annotator is empty"),
        ("annotator,left,right,judgement\nAnn,x,,1\n", "binary", BadRow, "one side alone"),
        ("annotator,judgement\nAnn,1\n", "binary", NotABenchmark, "lacks the column item"),
        ("who,item,judgement\nAnn,x,1\n", "binary", NotABenchmark, "lacks the column annotator"),
        ("annotator,item\nAnn,x\n", "binary", NotABenchmark, "lacks the column judgement"),
        ("annotator,item,judgement\n", "binary", NotABenchmark, "no judgements"),
        ("", "binary", NotABenchmark, "no judgements"),
        ("annotator,item,judgement\nAnn,x\n", "binary", BadRow, "line 2"),
        ('annotator,item,judgement\nAnn,"x,1\n', "binary", BadRow, "never closed"),
        ("annotator,item,item,judgement\nAnn,x,x,1\n", "binary", BadRow, "two columns"),
        (
            "annotator,item,left,right,judgement\nAnn,1,a,b,1\nBob,1,a,c,1\n",
            "binary",
            BadRow,
            "line 3: .*another pair",
        ),
    ],
)
def test_faults_are_said_with_their_line(
    tmp_path: Path, text: str, kind: Kind, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=rf"judgements\.csv: .*{says}"):
        read_judgements(file(tmp_path, text), kind)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotABenchmark, match="ends in one of"):
        read_judgements(file(tmp_path, "x", "j.xlsx"), "binary")
    with pytest.raises(NotABenchmark, match="not a list of pairs"):
        read_judgements(file(tmp_path, "{}", "j.json"), "binary")
    latin = tmp_path / "judgements.csv"
    latin.write_bytes("annotator,item,judgement\nJosé,x,1\n".encode("latin-1"))
    with pytest.raises(BadRow, match="not UTF-8"):
        read_judgements(latin, "binary")


BEST_WORST = "Annotator,Item1,Item2,Item3,BestItem,WorstItem\n"


def test_answers_of_best_and_worst(tmp_path: Path) -> None:
    path = file(tmp_path, BEST_WORST + "Ann,a,b,c,b,c\nBob,c,b,a,b,a\nBob,d,b,a,d,a\n")
    answers = read_best_worst(path)
    assert (answers.annotators, len(answers), len(answers.tuples)) == (("Ann", "Bob"), 3, 2)
    assert [item.name for item in answers.items] == ["a", "b", "c", "d"]
    assert answers.scores().tolist() == pytest.approx([1 / 6, 5 / 6, 0.25, 1])
    unnamed = file(tmp_path, "item1,item2,item3,best,worst\na,b,c,a,b\n", "unnamed.csv")
    assert read_best_worst(unnamed).annotators == ("",)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("Ann,a,b,c,e,a\n", "line 2: best is 'e'"),
        ("Ann,a,b,c,a,a\n", "line 2: best and worst are the same"),
        ("Ann,a,b,b,a,b\n", "line 2: one item stands twice"),
        ("Ann,a,b,,a,b\n", "line 2: item3 is empty"),
        ("", "no answers"),
    ],
)
def test_faulty_answers(tmp_path: Path, rows: str, says: str) -> None:
    with pytest.raises((BadRow, NotABenchmark), match=says):
        read_best_worst(file(tmp_path, BEST_WORST + rows))
    with pytest.raises(NotABenchmark, match="item1, item2, item3"):
        read_best_worst(file(tmp_path, "annotator,item1,item2,best,worst\nA,a,b,a,b\n"))


def test_what_items_are_may_stand_in_a_table_of_its_own(tmp_path: Path) -> None:
    judgements, _ = read_judgements(file(tmp_path, "annotator,item,judgement\nAnn,x,1\n"), "binary")
    table = file(tmp_path, "item,left,right,topic\nx,cat,dog,pets\ny,a,b,\n", "items.csv")
    known = read_items(table)
    assert with_items(judgements, known).items == (("x", "cat", "dog", "pets", None),)
    del known["x"]
    with pytest.raises(NotABenchmark, match="'x'"):
        described(judgements.items, known)
    with pytest.raises(BadRow, match=r"line 3: .*another pair"):
        read_items(file(tmp_path, "item,left,right\nx,a,b\nx,a,c\n", "items.csv"))
    with pytest.raises(NotABenchmark, match="item, left and right"):
        read_items(file(tmp_path, "item,judgement\nx,1\n", "items.csv"))


@pytest.mark.parametrize("cell", [None, "", "null", "NaN"])
def test_who_does_not_know_says_nothing(tmp_path: Path, cell: Any) -> None:
    rows = [
        {"annotator": "Ann", "item": "x", "judgement": cell},
        {"annotator": "Ann", "item": "y", "judgement": 1},
    ]
    path = file(tmp_path, "\n".join(map(json.dumps, rows)), "j.jsonl")
    assert read_judgements(path, "binary").unknown == 1
