"""Files of pairs of free terms, scored by the machinery that scores pairs of concepts."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app.batch.files.formats import Format
from app.batch.results import ConceptRowScorer, TermRowScorer
from app.batch.scoring import run
from app.cli import main
from app.errors import PairsError
from app.scoring.model_kinds import load_term_model
from app.scoring.terms import TermScorer
from app.serving.starter import open_scorer
from features.terms.catalogue import TERM_FEATURE_NAMES
from features.terms.extract import TermPair
from tests.app.batch.test_batch import Recorder, job, read, write
from tests.support.served import page_id, toy_scorer, toy_term_model
from tests.wikis.sense_wiki import build_senses

ROWS: list[dict[str, Any]] = [
    {"left": "jaguar", "right": "python", "context": "forest and leopards", "n": 1},
    {"left": "jaguar", "right": "python", "context": "the engine and the road", "n": 2},
    {"left": "jaguar", "right": "python", "context": "", "n": 3},
    {"left": "leopard qwxyz", "right": "engine", "context": None, "n": 4},
    {"left": "qwxyz", "right": "engine", "context": None, "n": 5},
    {"left": "leopard", "right": "Leopard", "context": None, "n": 6},
    {"left": "leopard " * 50, "right": "engine", "context": None, "n": 7},
    {"left": " ", "right": "engine", "context": None, "n": 8},
]
STATUSES = ["ok", "ok", "ok", "ok", "unknown", "identical", "invalid", "invalid"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("terms")
    snapshot = build_senses(folder)
    return snapshot.folder, toy_term_model(folder / "terms.json", snapshot.id)


@pytest.fixture(scope="module")
def scorer(files: tuple[Path, Path]) -> TermScorer:
    snapshot, model = files
    return TermScorer.open(open_scorer(snapshot, None), load_term_model(model))


@pytest.mark.parametrize("output_format", list(Format))
@pytest.mark.parametrize("source_format", list(Format))
def test_any_format_to_any_other(
    scorer: TermScorer, tmp_path: Path, source_format: Format, output_format: Format
) -> None:
    source, output = tmp_path / f"terms.{source_format}", tmp_path / f"out.{output_format}"
    write(source, ROWS)
    recorder = Recorder()
    assert run(job(source, output), TermRowScorer(scorer), recorder) == Counter(STATUSES)
    answered = read(output)
    results = scorer.score([TermPair(row["left"], row["right"], row["context"]) for row in ROWS])
    assert [row["status"] for row in answered] == STATUSES
    scores = [None if row["score"] in ("", None) else float(row["score"]) for row in answered]
    assert scores == [result.score for result in results]
    assert [int(row["n"]) for row in answered] == [row["n"] for row in ROWS]
    assert [row["left_sense"] for row in answered[:2]] == ["Jaguar (animal)", "Jaguar (car)"]
    assert answered[3]["left_unknown"] == "qwxyz"
    assert answered[4]["error"] == "left 'qwxyz' has no word that the snapshot knows"
    assert answered[6]["error"] == "left has more than 255 characters"
    assert [line for line, _ in recorder.bad] == ([7, 8] if source_format in ("jsonl", "parquet") else [8, 9])


def test_an_explanation_adds_its_columns(scorer: TermScorer, tmp_path: Path) -> None:
    source, output = tmp_path / "terms.csv", tmp_path / "out.csv"
    of_words = ROWS[3]  # does not name two concepts, which another model explains
    write(source, [of_words, ROWS[0]])
    run(job(source, output, explain=True), TermRowScorer(scorer), Recorder())
    (result, _) = scorer.score(
        [TermPair(*(of_words[name] for name in ("left", "right", "context")))] * 2, True
    )
    assert result.explanation is not None
    first = read(output)[0]
    assert list(first)[-1] == "raw"
    assert float(first["raw"]) == result.explanation.raw
    assert [float(first[name]) for name in TERM_FEATURE_NAMES] == [
        entry.value for entry in result.explanation.contributions
    ]


def test_a_context_may_be_missing_or_have_another_name(scorer: TermScorer, tmp_path: Path) -> None:
    source = tmp_path / "terms.csv"
    source.write_text("left,right,topic\njaguar,python,the engine and the road\n")
    run(job(source, tmp_path / "without.csv"), TermRowScorer(scorer), Recorder())
    run(job(source, tmp_path / "with.csv", context="topic"), TermRowScorer(scorer), Recorder())
    without, within = (float(read(tmp_path / name)[0]["score"]) for name in ("without.csv", "with.csv"))
    assert without == scorer.score([TermPair("jaguar", "python")])[0].score
    assert within == scorer.score([TermPair("jaguar", "python", "the engine and the road")])[0].score
    assert without != within
    with pytest.raises(PairsError, match="no column 'about', which --context names"):
        run(job(source, tmp_path / "out.csv", context="about"), TermRowScorer(scorer), Recorder())


def test_a_term_is_a_text(scorer: TermScorer, tmp_path: Path) -> None:
    source = tmp_path / "terms.jsonl"
    source.write_text(
        '{"left": 5, "right": "jaguar"}\n{"left": {"id": 5}, "right": "jaguar"}\n'
        '{"left": "jaguar", "right": "python", "context": ["road"]}\n'
    )
    recorder = Recorder()
    run(job(source, tmp_path / "out.jsonl"), TermRowScorer(scorer), recorder)
    assert recorder.bad == [
        (1, "left is not a text"),
        (2, "left is not a text"),
        (3, "context is not a text"),
    ]


def test_the_command(
    files: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    snapshot, model = map(str, files)
    source, output = tmp_path / "terms.csv", tmp_path / "out.csv"
    write(source, ROWS)
    command = ["wort", "score", str(source), "-o", str(output), "--terms", "--snapshot", snapshot]
    monkeypatch.setattr("sys.argv", [*command, "--model", model])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert "8 rows: 4 ok, 1 identical, 1 unknown, 0 ambiguous, 2 invalid" in capsys.readouterr().err
    with output.open(newline="") as file:
        assert [row["status"] for row in csv.DictReader(file)] == STATUSES
    # A model that was trained on another snapshot is told of.
    monkeypatch.setattr("sys.argv", [*command, "--force", "--quiet"])
    with pytest.raises(SystemExit):
        main()
    assert "was trained on snapshot enwiki" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["wort", "score", str(source), "--context", "context"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2


def test_a_concept_may_be_an_object_in_lines_of_json(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    scorer = toy_scorer(tmp_path / "toy")
    source, output = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    named = [{"id": page_id("Cat")}, {"title": "Cat"}, "Cat", page_id("Cat"), {"mention": "cat"}]
    named.append({"id": None, "title": "Cat", "mention": None, "context": None})
    wrong: list[dict[str, Any]] = [{"id": "7"}, {"id": 7, "title": "Cat"}, {}, {"name": "Cat"}, {"id": True}]
    wrong += [{"mention": "cat", "id": 7}, {"title": "Cat", "context": "pet"}, {"mention": 7}]
    wrong += [{"id": None}, {"title": "Cat", "name": None}]
    lines = [json.dumps({"left": concept, "right": {"title": "Dog"}}) for concept in (*named, *wrong)]
    source.write_text("\n".join(lines))
    recorder = Recorder()
    run(job(source, output), ConceptRowScorer(scorer), recorder)
    rows = read(output)
    assert {row["score"] for row in rows[: len(named)]} == {scorer.score([("Cat", "Dog")])[0].score}
    assert [row["left"] for row in rows[: len(named)]] == named
    reason = 'left is an object and not {"id": …}, {"title": …} or {"mention": …}'
    assert recorder.bad == [(number, reason) for number in range(len(named) + 1, len(lines) + 1)]
