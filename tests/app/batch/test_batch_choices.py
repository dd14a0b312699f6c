"""Files whose ambiguous sides are resolved: the choice is told in columns of its own, and only if asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from app.batch.files.formats import Format, format_of
from app.batch.results import ConceptRowScorer, TermRowScorer
from app.batch.scoring import ScoringJob, run
from app.cli import main
from app.scoring.concepts import Scorer
from app.scoring.naming.references import MentionReference
from tests.app.batch.test_batch import Recorder
from tests.app.batch.test_batch_resume import Stopped, Stopper
from tests.conftest import ROOT
from tests.support.served import toy_files

SIDES = ("left_matched", "right_matched")

MOUSE = ("House mouse", "Computer mouse")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return toy_files(tmp_path_factory.mktemp("choices"))


@pytest.fixture(scope="module")
def scorer(files: tuple[Path, Path]) -> Scorer:
    return Scorer.open(*files)


PAIRS: Sequence[tuple[Any, Any]] = [
    ("Mouse", "Computer"),
    ("Cat", {"mention": "mouse"}),
    ({"mention": "cat", "context": "a pet"}, "Dog"),
    ("Mouse", "Mouse"),
    ("Felis catus", "Dog"),
    ("Mouse", "No such thing"),
    ("Keyboard", "Piano"),
]


def job(source: Path, output: Path) -> ScoringJob:
    forms = format_of(source) or Format.JSONL, format_of(output) or Format.JSONL
    return ScoringJob(source=source, output=output, source_format=forms[0], output_format=forms[1])


def write(folder: Path) -> Path:
    source = folder / "pairs.jsonl"
    source.write_text("".join(json.dumps({"left": left, "right": right}) + "\n" for left, right in PAIRS))
    return source


def answered(scorer: Scorer, folder: Path, ambiguous: Any) -> list[dict[str, Any]]:
    output = folder / f"{ambiguous}.jsonl"
    run(job(write(folder), output), ConceptRowScorer(scorer, ambiguous), Recorder())
    return [json.loads(line) for line in output.read_text().splitlines()]


def test_the_choice_is_that_of_the_scorer(scorer: Scorer, tmp_path: Path) -> None:
    rows = answered(scorer, tmp_path, "resolve")
    pairs = [
        tuple(MentionReference(**_text(s)) if isinstance(s, dict) else s for s in pair) for pair in PAIRS
    ]
    results = scorer.score([(left, right) for left, right in pairs], ambiguous="resolve")
    for row, result in zip(rows, results, strict=True):
        assert (row["score"], row["status"]) == (result.score, result.status)
        for name, side in (("left", result.resolved.left), ("right", result.resolved.right)):
            assert row[f"{name}_title"] == (side.title if side.status == "ok" else None)
            assert row[f"{name}_matched"] == side.matched
            assert row[f"{name}_prior"] == side.prior
            titles = row[f"{name}_alternatives"]
            assert (titles.split("|") if titles else []) == [other.title for other in side.alternatives]
    mouse = rows[0]
    assert (mouse["left_title"], mouse["left_alternatives"]) == MOUSE[::-1]
    assert (mouse["left_matched"], mouse["left_prior"], mouse["error"]) == ("sense", 0.5, None)
    assert [row["status"] for row in rows] == [
        *("ok", "ok", "ok", "identical", "ok"),
        *("unknown", "ambiguous"),
    ]


def _text(side: dict[str, str]) -> dict[str, str]:
    return {"text" if key == "mention" else key: value for key, value in side.items()}


def test_without_being_asked_nothing_is_chosen_nor_added(scorer: Scorer, tmp_path: Path) -> None:
    rows = answered(scorer, tmp_path, "report")
    statuses = ["ambiguous", "ambiguous", "ok", "ambiguous", "ok", "unknown", "ambiguous"]
    assert [row["status"] for row in rows] == statuses
    assert "'Mouse' may mean 'House mouse' or 'Computer mouse'" in rows[0]["error"]
    assert set(rows[0]) == {"left", "right", *ConceptRowScorer.columns}
    assert not set(ConceptRowScorer.columns) & set(ConceptRowScorer.choices)


def test_priors_are_numbers_where_columns_have_types(scorer: Scorer, tmp_path: Path) -> None:
    output = tmp_path / "out.parquet"
    run(job(write(tmp_path), output), ConceptRowScorer(scorer, "resolve"), Recorder())
    table = pq.read_table(output)
    assert table["left_prior"].to_pylist() == [0.5, None, 1.0, 0.5, None, None, None]
    types = {str(table.schema.field(f"{side}_prior").type) for side in ("left", "right")}
    assert types == {"double"}
    assert str(table.schema.field("left_alternatives").type) == "string"


def test_another_way_with_the_ambiguous_begins_anew(scorer: Scorer, tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "out.csv"
    source.write_text("left,right\n" + "Mouse,Cat\n" * 10_000)
    with pytest.raises(Stopped):
        run(job(source, output), ConceptRowScorer(scorer, "report"), Stopper(1))
    watcher = Recorder()
    counts = run(job(source, output), ConceptRowScorer(scorer, "resolve"), watcher)
    assert watcher.resumed is None
    assert counts == {"ok": 10_000}


def test_the_command(
    files: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "out.jsonl"
    snapshot, model = map(str, files)
    named = ["--snapshot", snapshot, "--model", model, "--ambiguous", "resolve"]
    arguments = ["wort", "score", str(write(tmp_path)), "-o", str(output), *named]
    monkeypatch.setattr("sys.argv", arguments)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert json.loads(output.read_text().splitlines()[0])["left_title"] == MOUSE[1]
    said = capsys.readouterr().err
    assert "4 ok, 1 identical, 1 unknown, 1 ambiguous" in said
    sides = [row[side] for row in map(json.loads, output.read_text().splitlines()) for side in SIDES]
    assert f"wort: of {sides.count('sense')} names with several senses, one was chosen" in said
    monkeypatch.setattr("sys.argv", [*arguments, "--terms"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "always chosen" in capsys.readouterr().err


def test_every_column_of_a_choice_is_documented() -> None:
    page = (ROOT / "docs" / "scoring-files.md").read_text()
    assert all(f"`{column}`" in page for column in (*ConceptRowScorer.choices, *TermRowScorer.columns))
