"""Reports of benchmarks: what is printed, kept, and shown in the documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pages import DOCS, filled
from benchmarks.report import Table, markdown, median_seconds, new_report, publish, read_report

TABLE = Table("pairs", "Pairs", ("what", "pairs/s", "times the floor"), [("typical", 73_211, 2.6)], "A note.")


def test_a_report_is_read_as_it_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = new_report("scoring", "enwiki", [TABLE], ["Left out: a peer."])
    publish(report, tmp_path / "results" / "scoring.json")
    assert read_report(tmp_path / "results" / "scoring.json") == report
    printed = capsys.readouterr().out
    assert "73,211" in printed
    assert "Left out: a peer." in printed
    assert f"{report.hardware.cores} cores" in printed


def test_a_document_shows_the_figures_of_the_results(tmp_path: Path) -> None:
    publish(new_report("scoring", "enwiki", [TABLE]), tmp_path / "scoring.json")
    asking = (
        "Before\n<!-- table scoring/pairs -->\nold\n<!-- end -->\n<!-- hardware scoring -->\n<!-- end -->\n"
    )
    shown = filled(asking, tmp_path)
    assert markdown(TABLE) in shown
    assert "old" not in shown
    assert "cores of" in shown
    assert filled(shown, tmp_path) == shown


def test_a_document_that_asks_for_what_is_not_there_is_refused(tmp_path: Path) -> None:
    publish(new_report("scoring", "enwiki", [TABLE]), tmp_path / "scoring.json")
    with pytest.raises(StopIteration):
        filled("<!-- table scoring/none -->\n<!-- end -->", tmp_path)
    with pytest.raises(FileNotFoundError):
        filled("<!-- table none/pairs -->\n<!-- end -->", tmp_path)


def test_the_documents_show_the_newest_results() -> None:
    for path in DOCS.glob("*.md"):
        assert filled(path.read_text()) == path.read_text(), f"{path.name}: run `python -m benchmarks.pages`"


def test_the_median_leaves_out_the_first_call() -> None:
    calls: list[int] = []
    assert median_seconds(lambda: calls.append(1), rounds=3, warm=2) >= 0
    assert len(calls) == 5
