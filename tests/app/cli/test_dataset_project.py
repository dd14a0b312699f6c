"""``wort dataset project``: what an owner does from the terminal."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.cli.dataset.project import ExportFormat, ImportFormat, opened
from app.cli.exit_codes import exit_code
from datasets.annotation.errors import BadProject, NotProjects, UnknownLink, UnknownProject
from datasets.annotation.exchange.formats import EXPORTS, IMPORTS
from datasets.annotation.records import Answer
from tests.datasets.annotation.asked import new_key
from tests.support.dumps import write_dump
from training.errors import TooFewPairs
from wiki.page import RawPage

PAIRS = """pair,left,right,topic,gold,gold_note,left_url
1,Apple,Pear,fruit,,,https://en.wikipedia.org/wiki/Apple
2,Apple,Newton,physics,,,
3,Apple,Pear,fruit,,,
4,Cat,Dog,,yes,Both are pets.,
"""


@pytest.fixture(name="url")
def url_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'annotation.sqlite'}"
    monkeypatch.setenv("WORT_ANNOTATION", url)
    return url


@pytest.fixture(name="pairs")
def pairs_fixture(tmp_path: Path) -> Path:
    path = tmp_path / "fruit.csv"
    path.write_text(PAIRS)
    return path


def run(*arguments: object, answer: str | None = None) -> Result:
    """Run the command; errors that have an exit code are raised."""
    line = ["dataset", "project", *map(str, arguments)]
    result = CliRunner().invoke(command_line(["dataset"]), line, input=answer)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def told(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def judged(url: str, answers: int = 3) -> None:
    """One annotator answers everything by an invitation from the command line."""
    token = told("invite", 1)["address"].rpartition("/")[2]
    with opened(url) as projects:
        _, own = projects.begin(token, new_key())
        for at in range(answers):
            desk = projects.desk(own)
            if desk.state != "ask":
                break
            shown = desk.shown[0]
            projects.submit(own, shown.item, shown.turn, Answer(at % 2), new_key())


def test_from_a_file_to_judgements(url: str, pairs: Path, tmp_path: Path) -> None:
    made = run("create", pairs, "--wanted", "3", "--url", "https://wort.example/")
    address = made.stdout.strip()
    assert address.startswith("https://wort.example/annotation/project/")
    assert "project 1, fruit: 4 items" in made.stderr
    with opened(url) as projects:
        assert projects.access(address.rpartition("/")[2]).link.scope == "owner"
        names = [item.name for item in projects.items(1)]
    # A pair that stands there twice is judged twice.
    assert names == [
        "Apple – Pear (fruit)",
        "Apple – Newton (physics)",
        "Apple – Pear (fruit) #2",
        "Cat – Dog",
    ]
    for _ in range(3):
        judged(url)
    progress = told("show", 1)
    assert (progress["judgements"], progress["wanted"], progress["complete"]) == (9, 9, 3)
    assert [link["scope"] for link in progress["links"]] == ["owner", *["invitation"] * 3]
    assert all("digest" not in link for link in progress["links"])
    shown = run("show", 1).stdout
    assert "9 of 9 judgements; 3 of 3 items have all and 1 gold questions." in shown
    assert "in force" in shown
    table = tmp_path / "judgements.csv"
    run("export", 1, "-o", table)
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert len(rows) == 9
    assert {row["annotator"] for row in rows} == {f"annotator {number}" for number in (1, 2, 3)}
    page, scores = tmp_path / "report.html", tmp_path / "scores.csv"
    agreed = run("agree", 1, "--html", page, "-o", scores, "--overlap", "2").stdout
    assert "9 judgements (binary) by 3 annotators of 3 items." in agreed
    assert "<svg" in page.read_text()
    assert len(scores.read_text().splitlines()) == 4
    assert told("agree", 1)["judgements"] == 9
    loose = ("--filter", "--overlap", "2", "--others", "2", "--minimum-kappa", "-1")
    assert told("agree", 1, *loose)["filtered"]["of_annotators"] == 3
    with pytest.raises(TooFewPairs, match="leaves no annotator"):
        run("agree", 1, *loose, "--minimum-judgements", "4")
    found = run("list").stdout
    assert "fruit" in found
    assert [one["id"] for one in told("list")] == [1]


def test_what_was_judged_elsewhere_comes_in(url: str, pairs: Path, tmp_path: Path) -> None:
    run("create", pairs)
    other = tmp_path / "elsewhere.csv"
    other.write_text(
        "annotator,left,right,topic,judgement\nAnn,Apple,Newton,physics,yes\nBen,Apple,Newton,physics,\n"
    )
    assert "2 judgements were added, 0 were there" in run("import", 1, other).stdout
    assert "0 judgements were added, 2 were there" in run("import", 1, other).stdout
    out = tmp_path / "potato.jsonl"
    run("export", 1, "--format", "potato", "-o", out)
    assert len(out.read_text().splitlines()) == 2


def test_an_owner_changes_what_is_wanted_and_ends_it(url: str, pairs: Path) -> None:
    run("create", pairs)
    judged(url)
    assert "needs 3 judgements" in run("want", 1, 3).stdout
    assert told("show", 1)["project"]["settings"]["wanted"] == 3
    assert "closed" in run("close", 1).stdout
    assert told("list")[0]["closed"] is not None
    assert "open" in run("reopen", 1).stdout
    invited = told("invite", 1, "--note", "for Ann", "--expires", "2999-01-31")
    assert invited["state"].startswith("until 2999-02-01")
    token = invited["address"].rpartition("/")[2]
    run("withdraw", 1, invited["id"])
    with opened(url) as projects, pytest.raises(UnknownLink):
        projects.access(token)
    with pytest.raises(UnknownLink, match="already"):
        run("withdraw", 1, invited["id"])
    assert run("delete-annotator", 1, 1, answer="n\n").exit_code == 1
    assert "with 3 judgements" in run("delete-annotator", 1, 1, "--yes").stdout
    assert told("show", 1)["judgements"] == 0
    assert "is deleted" in run("delete", 1, answer="y\n").stdout
    assert told("list") == []


def test_tuples_of_pairs_and_of_terms(url: str, pairs: Path, tmp_path: Path) -> None:
    tuples = tmp_path / "tuples.csv"
    tuples.write_text("tuple,pair1,pair2,pair3,gold_best\n1,1,2,4,\n2,2,3,4,4\n")
    run("create", pairs, "--tuples", tuples, "--kind", "best-worst")
    terms = tmp_path / "terms.tsv"
    terms.write_text("item1\titem2\titem3\titem4\na\tb\tc\td\n")
    run("create", "--tuples", terms, "--kind", "best-worst", "--title", "Terms")
    with opened(url) as projects:
        first, second = projects.items(1)
        assert [asked.name for asked in first.asked] == [
            "Apple – Pear (fruit)",
            "Apple – Newton (physics)",
            "Cat – Dog",
        ]
        assert second.gold == Answer(best=2)
        assert [len(asked.sides) for asked in projects.items(2)[0].asked] == [1, 1, 1, 1]
        assert projects.project(1).settings.wanted == 8
    with pytest.raises(BadProject, match="dataset select tuples"):
        run("create", pairs, "--kind", "best-worst")
    tuples.write_text("tuple,pair1,pair2,pair3\n1,1,2,77\n")
    with pytest.raises(BadProject, match=r"tuples\.csv: line 2: .* number '77'"):
        run("create", pairs, "--tuples", tuples, "--kind", "best-worst")


def test_settings_are_those_that_were_asked_for(url: str, pairs: Path, tmp_path: Path) -> None:
    own = tmp_path / "guidelines.txt"
    own.write_text("Judge well.\n\nTake your time.\n")
    run(
        *("create", pairs, "--guidelines", own, "--kind", "graded", "--high", "6", "--language", "ar"),
        *("--gold-share", "0.1", "--repeat-share", "0.2", "--repeat-hours", "0.5", "--detail", "age"),
    )
    with opened(url) as projects:
        made = projects.project(1)
    assert made.guidelines == "Judge well.\n\nTake your time.\n"
    assert (made.settings.high, made.settings.repeat_after, made.direction) == (6, 1800, "rtl")
    assert made.settings.details == ("age",)
    with pytest.raises(BadProject, match="only graded"):
        run("create", pairs, "--high", "4")


def test_first_paragraphs_come_from_the_dump(url: str, pairs: Path, tmp_path: Path) -> None:
    texts = [("Apple", "''Apple'' is a fruit.\n\nIt grows."), ("Pear", "A pear is a fruit, too.")]
    pages = [RawPage(at, 0, title, None, text) for at, (title, text) in enumerate(texts, start=1)]
    dump = write_dump(tmp_path / "enwiki.xml.bz2", pages)
    made = run("create", pairs, "--dump", dump, "--quiet", "--sides", "concepts")
    assert "Newton has no article in the dump" in made.stderr
    with opened(url) as projects:
        left, right = projects.items(1)[0].asked[0].sides
    assert (left.gloss, right.gloss) == ("Apple is a fruit.", "A pear is a fruit, too.")
    assert left.url == "https://en.wikipedia.org/wiki/Apple"


def test_what_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pairs: Path) -> None:
    monkeypatch.delenv("WORT_ANNOTATION", raising=False)
    assert "WORT_ANNOTATION" in run("list").output
    url = f"sqlite:///{tmp_path / 'none.sqlite'}"
    with pytest.raises(NotProjects, match="project create") as error:
        run("list", "--database", url)
    assert exit_code(error.value) == 3
    run("create", pairs, "--database", url)
    with pytest.raises(UnknownProject, match="project list"):
        run("show", 7, "--database", url)
    empty = tmp_path / "empty.csv"
    for content, reason in (
        ("left,right\n", "no pairs"),
        ("left,other\na,b\n", "lacks a left or a right"),
        ("left,right\na\n", "line 2"),
        ("left,right,gold\na,b,perhaps\n", "no judgement"),
        ("left,right,left_url\na,b,javascript:alert(1)\n", "none of the web's"),
        ("left,right,gold\na,b,3\n", "from 0 to 1"),
    ):
        empty.write_text(content)
        with pytest.raises(BadProject, match=reason):
            run("create", empty, "--database", url)


@pytest.mark.parametrize(
    ("file", "count", "first"),
    [
        ("bird/BiRD.txt", 3345, ["access information", "information access"]),
        ("zesch_gurevych/wortpaare222.gold.pos.txt", 222, ["Abweichung", "sortieren"]),
        ("tr9856/tr9856.json", 9856, ["video", "violent video games"]),
        ("word/word_train.csv", 12969, None),
    ],
)
def test_data_sets_are_judged_anew_from_their_files(
    url: str, data_dir: Path, file: str, count: int, first: list[str] | None
) -> None:
    path = data_dir / file
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    assert f"{count:,} items" in run("create", path).stderr
    with opened(url) as projects:
        items = projects.items(1)
    assert len(items) == count
    assert first in (None, [side.name for side in items[0].asked[0].sides])


def test_the_formats_are_those_that_there_are() -> None:
    assert get_args(ExportFormat) == EXPORTS
    assert get_args(ImportFormat) == IMPORTS
    for command in ("export 1 -o -", "import 1 absent.csv"):
        arguments = ["dataset", "project", *command.split(), "--format", "nope"]
        assert CliRunner().invoke(command_line(["dataset"]), arguments).exit_code == 2
