"""The leaderboard as the documents show it: the figures of a board, in tables."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.leaderboard import main, tables
from benchmarks.report import read_report
from tests.support.toy_reports import board, entries, row
from training.evaluation.leaderboard import of_feature, other_model
from training.evaluation.report import Leaderboard, LeaderboardFigures


def several() -> Leaderboard:
    """Two benchmarks, of which the second has too few covered pairs; models, baselines and two features."""
    judged = entries(
        ("concept model", "mine", 0.7),
        (other_model("yours"), "yours", 0.6),
        ("best feature", "ESA", 0.5),
        ("random", "random", 0.0),
        (of_feature("ESA"), "ESA", 0.5),
        (of_feature("TEXT"), "TEXT", 0.4),
    )
    many = msgspec.structs.replace(
        row(),
        covered=LeaderboardFigures(30, judged),
        all_pairs=LeaderboardFigures(40, judged),
        seen=("yours", "TEXT"),
    )
    few = msgspec.structs.replace(
        many,
        benchmark="few",
        covered=LeaderboardFigures(9, judged),
        all_pairs=LeaderboardFigures(9, judged[2:]),
    )
    return msgspec.structs.replace(board(), rows=(many, few))


def test_measures_stand_beside_each_other_and_those_that_saw_the_pairs_are_marked() -> None:
    found = {table.name: table for table in tables(several())}
    of_pearson = found["covered-pearson"]
    assert of_pearson.columns == ("benchmark", "pairs", "mine", "yours", "best feature", "random")
    assert of_pearson.rows == [
        (
            "`toy`",
            "30 of 40",
            "0.700 [0.650, 0.740]",
            "0.600* [0.550, 0.640]",
            "ESA 0.500 [0.450, 0.540]",
            "−0.050 to 0.040",
        )
    ]
    of_spearman = found["covered-spearman"]
    assert of_spearman.rows[0][2] == "0.600 [0.550, 0.640]"


def test_features_have_tables_of_their_own() -> None:
    found = {table.name: table for table in tables(several())}
    assert found["features-covered-pearson"].columns == ("feature", "`toy`")
    assert found["features-covered-pearson"].rows == [
        ("ESA", "0.500 [0.450, 0.540]"),
        ("TEXT", "0.400* [0.350, 0.440]"),
    ]


def test_a_board_becomes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "board.json").write_bytes(several().json())
    main(tmp_path / "board.json", tmp_path / "leaderboard.json")
    assert "0.700" in capsys.readouterr().out
    report = read_report(tmp_path / "leaderboard.json")
    assert report.subject.startswith(several().snapshot)
    assert len(report.tables) == 8
