"""Retraining on real judgements: WORD's train split on the starter snapshot."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli import command_line

pytestmark = pytest.mark.slow


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
    (compared,) = found["comparisons"]
    # The model in force, fitted again without each topic, is the candidate but for pairs that stand twice.
    assert compared["pairs"] > 4000
    assert compared["candidate"]["pearson"] == pytest.approx(compared["in_force"]["pearson"], abs=0.001)
    against = json.loads(report.read_text())["against"]
    assert (against["predictions"], against["refits"]) == ("held out", 82)
    # What its own training reported of it, out of fold.
    assert compared["in_force"]["pearson"] == pytest.approx(0.7597, abs=0.002)


def test_a_part_of_what_is_known_does_not_pass_the_whole(data_dir: Path, tmp_path: Path) -> None:
    rows = rows_of(data_dir)
    topics = sorted({row["source_article"] for row in rows})[:30]
    part = tmp_path / "part.csv"
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("left", "right", "score", "topic"))
        for row in rows:
            if row["source_article"] in topics:
                writer.writerow((row["concept1"], row["concept2"], row["score"], row["source_article"]))
    alone = retrained(tmp_path, data_dir, "--pairs", part)
    assert alone["outcome"] == "refused"
    assert [check["name"] for check in alone["gate"]["checks"] if not check["passed"]] == ["better", "ranks"]
    joined = retrained(tmp_path, data_dir, "--pairs", part, "--with-benchmark", "word-train")
    # With the base set it is nearly what is in force, and no worse.
    own, base = joined["comparisons"]
    assert (own["part"], base["part"]) == ("own", "base")
    assert own["candidate"]["pearson"] > alone["comparisons"][0]["candidate"]["pearson"]
    assert own["candidate"]["pearson"] == pytest.approx(own["in_force"]["pearson"], abs=0.001)
    assert [check["name"] for check in joined["gate"]["checks"] if not check["passed"]] == ["better"]
