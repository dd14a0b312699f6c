"""Retraining on real judgements: WORD's train split on the starter snapshot."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from app.cli import command_line
from app.serving.starter import snapshot_path
from features.extract import extract
from models.shipped import path as shipped_file
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.declared import find, shipped
from training.benchmarks.read import read_declared
from training.coverage import topics_of
from training.design import DESIGNS
from training.fit import design_matrix, out_of_fold
from training.retraining.agreement import agreement
from training.retraining.validate import JudgedSet, validate

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _the_linear_model_ships(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tests are of it, since it takes a fraction of the time to fit."""
    if "compares_texts" not in request.node.name:
        monkeypatch.setattr("app.serving.starter.model_path", lambda: shipped_file("starter"))


def retrained(folder: Path, data: Path, *options: str | Path) -> dict[str, Any]:
    """The result of a retraining whose registry is in ``folder``."""
    command = ["retrain", "--database", f"sqlite:///{folder / 'r.sqlite'}", "--quiet", "--json"]
    result = CliRunner(env={"WORT_DATA_DIR": str(data)}).invoke(
        command_line(["retrain"]), [*command, *map(str, options)]
    )
    assert result.exit_code in {0, 1}, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def rows_of(data: Path) -> list[dict[str, str]]:
    with (data / "word" / "word_train.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_same_judgements_again_gain_nothing(data_dir: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    pairs = data_dir / "word" / "word_train.csv"
    found = retrained(tmp_path, data_dir, "--pairs", pairs, "--report", report)
    assert found["outcome"] == "refused"
    compared, before = found["comparisons"]
    assert (compared["part"], before["part"]) == ("own", "learnt")
    # The model in force, fitted again without each topic, is the candidate but for pairs that stand twice.
    assert compared["pairs"] > 4000
    assert compared["candidate"]["pearson"] == pytest.approx(compared["in_force"]["pearson"], abs=0.001)
    against = json.loads(report.read_text())["against"]
    assert (against["predictions"], against["refits"]) == ("held out", 82)
    # What its own training reported of it, out of fold.
    reported = json.loads(shipped_file("starter").read_text())["metrics"]["pearson"]
    assert compared["in_force"]["pearson"] == pytest.approx(reported, abs=0.002)


def test_the_model_that_compares_texts_is_held_out_too(data_dir: Path, tmp_path: Path) -> None:
    """Of ``wort-plus``, with the cosines of encoders that had not seen the topics."""
    report = tmp_path / "report.json"
    pairs = data_dir / "word" / "word_train.csv"
    found = retrained(tmp_path, data_dir, "--pairs", pairs, "--report", report)
    assert found["outcome"] == "refused"
    compared = found["comparisons"][0]
    assert compared["candidate"]["pearson"] == pytest.approx(compared["in_force"]["pearson"], abs=0.001)
    written = json.loads(report.read_text())
    assert (written["against"]["predictions"], written["against"]["refits"]) == ("held out", 10)
    assert written["cross_validation"]["kind"] == "encoder-folds"
    reported = json.loads(shipped_file("plus-starter").read_text())["metrics"]["pearson"]
    assert compared["in_force"]["pearson"] == pytest.approx(reported, abs=0.002)


def as_pairs(path: Path, rows: list[dict[str, str]], score: Callable[[float], float]) -> Path:
    """The rows as a file of pairs, each with what ``score`` makes of its score."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("left", "right", "score", "topic"))
        writer.writerows(
            (row["concept1"], row["concept2"], score(float(row["score"])), row["source_article"])
            for row in rows
        )
    return path


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 1.0])
def test_the_same_judgements_turned_round_are_refused(data_dir: Path, tmp_path: Path, share: float) -> None:
    draw = random.Random(1)
    pairs = as_pairs(
        tmp_path / "turned.csv",
        rows_of(data_dir),
        lambda score: round(1 - score, 2) if draw.random() < share else score,
    )
    found = retrained(tmp_path, data_dir, "--pairs", pairs, "--resamples", "10")
    assert found["outcome"] == "refused"
    failed = [check["name"] for check in found["gate"]["checks"] if not check["passed"]]
    if share > 0.5:
        assert failed[:2] == ["contradiction", "chance"]
        assert "contradict most of what the starter's model learnt from" in found["message"]
    if share == 1:
        assert "Pearson -1.0000 and Spearman -1.0000 over the 4,5" in found["message"]


def test_few_judgements_of_real_people_are_not_taken_for_a_contradiction(data_dir: Path) -> None:
    """WORD's rows drawn by topic: as they are, and as ten people, three, or one might have judged them."""
    declaration = shipped()["word-train"]
    path = find(declaration, data_dir)
    assert path is not None
    snapshot = Snapshot.open(snapshot_path())
    read = read_declared(declaration, path, "train")
    judged = validate([JudgedSet(read, True)], Resolver.open(snapshot)).judged
    topic, names = topics_of([row.topic for row in judged.rows])
    design = DESIGNS["default"]
    matrix = design_matrix(extract(snapshot, judged.left, judged.right), design)
    predicted = out_of_fold(matrix, judged.scores, topic, design.method)
    draw = np.random.default_rng(1)
    for size in (50, 100, 200, 500):
        for people in (None, 10, 3, 1):
            for _ in range(100):
                topics = draw.permutation(len(names))[: max(5, size // 20)]
                drawn = draw.permutation(np.flatnonzero(np.isin(topic, topics)))[:size]
                known = judged.scores[drawn]
                scores = known if people is None else draw.binomial(people, known) / people
                assert not agreement("own", "in-force", scores, predicted[drawn]).below_chance
                assert not agreement("own", "learnt", scores, known).below_chance


def test_a_part_of_what_is_known_does_not_pass_the_whole(data_dir: Path, tmp_path: Path) -> None:
    rows = rows_of(data_dir)
    topics = sorted({row["source_article"] for row in rows})[:30]
    part = as_pairs(
        tmp_path / "part.csv",
        [row for row in rows if row["source_article"] in topics],
        lambda score: score,
    )
    alone = retrained(tmp_path, data_dir, "--pairs", part)
    assert alone["outcome"] == "refused"
    assert [check["name"] for check in alone["gate"]["checks"] if not check["passed"]] == ["better", "ranks"]
    joined = retrained(tmp_path, data_dir, "--pairs", part, "--with-benchmark", "word-train")
    # With the base set it is nearly what is in force, and no worse.
    own, base, before = joined["comparisons"]
    assert (own["part"], base["part"], before["part"]) == ("own", "base", "learnt")
    assert own["candidate"]["pearson"] > alone["comparisons"][0]["candidate"]["pearson"]
    assert own["candidate"]["pearson"] == pytest.approx(own["in_force"]["pearson"], abs=0.001)
    assert [check["name"] for check in joined["gate"]["checks"] if not check["passed"]] == ["better"]
