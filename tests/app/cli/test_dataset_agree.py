"""``wort dataset agree``: from judgements to a report, a page, and a benchmark."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.cli.exit_codes import exit_code
from app.errors import OutputExists
from datasets.agreement.judgements import Judgements
from tests.datasets.agreement.judged import panel
from training.benchmarks.declared import load
from training.benchmarks.read import read_declared
from training.errors import BadRow, NotABenchmark, TooFewPairs


def wort(*arguments: str | Path) -> Result:
    """Run the command; errors that have an exit code are raised."""
    result = CliRunner().invoke(command_line(["dataset"]), ["dataset", "agree", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def table(folder: Path, judgements: Judgements, sides: bool = True) -> Path:
    """Judgements as a file; pairs of every fifth item share a side with those beside it."""
    path = folder / "judgements.csv"
    lines = ["annotator,left,right,topic,judgement" if sides else "annotator,item,judgement"]
    for annotator, item, value in zip(judgements.annotator, judgements.item, judgements.value, strict=True):
        what = f"one {item},other {item},topic {item % 3}" if sides else f"item {item}"
        lines.append(f"annotator {annotator},{what},{value:g}")
    path.write_text("\n".join(lines) + "\n")
    return path


def report(*arguments: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(wort(*arguments, "--json").stdout)
    return found


def values(found: dict[str, Any]) -> dict[str, float]:
    return {one["name"]: one["value"] for one in found["measures"]}


def test_binary_judgements_become_a_benchmark(tmp_path: Path) -> None:
    said = panel(0, items=120, annotators=9)
    path, scores = table(tmp_path, said), tmp_path / "scores.csv"
    shown = wort(path, "--kind", "binary", "-o", scores, "--sides", "terms", "--language", "en").stdout
    assert "1,080 judgements (binary) by 9 annotators of 120 items." in shown
    assert "Krippendorff's alpha, nominal" in shown
    assert f"{scores}: 120 scores, declared in scores.toml." in shown
    assert max(map(len, shown.splitlines()[:-1])) <= 100
    declaration = load(tmp_path / "scores.toml")
    read = read_declared(declaration, scores)
    assert (read.kind, read.language, read.low, read.high) == ("terms", "en", 0, 1)
    assert [one.score for one in read.judgements] == pytest.approx(said.means(), abs=1e-5)
    assert read.judgements[4].topic == "topic 1"
    with pytest.raises(OutputExists):
        wort(path, "--kind", "binary", "-o", scores)
    wort(path, "--kind", "binary", "-o", scores, "--force")


def test_the_report_as_json_and_as_a_page(tmp_path: Path) -> None:
    path, page = table(tmp_path, panel(1, items=150, annotators=8)), tmp_path / "report.html"
    found = report(path, "--kind", "binary", "--html", page)
    assert (found["annotators"], found["items"], found["judgements"]) == (8, 150, 1200)
    measured = values(found)
    assert 0 < measured["Cohen's kappa, mean"] < 1
    assert measured["split halves"] < measured["split halves, Spearman–Brown"]
    assert [one["judgements"] for one in found["curve"]] == [1, 2, 3, 4, 8, 16, 24]
    assert found["needed"] > 8
    html = page.read_text()
    assert html.count("<svg") >= 4
    assert "<script" not in html
    for name in measured:
        assert name.replace("'", "&#39;") in html


def test_the_filter_leaves_out_who_agrees_too_little(tmp_path: Path) -> None:
    said = panel(2, items=100, annotators=9, noise=0.5).matrix()
    said[:, 3] = np.random.default_rng(0).integers(0, 2, 100)
    path = table(tmp_path, Judgements.of_matrix(said))
    found = report(path, "--kind", "binary", "--filter")
    assert found["filtered"]["annotators"] == 8
    (out,) = [one for one in found["of_annotators"] if one["out"]]
    assert (out["annotator"], out["out"]) == ("annotator 3", "kappa")
    assert "WORD's filter left out 1 of 9 annotators and 0 of 100 items." in " ".join(
        wort(path, "--kind", "binary", "--filter").stdout.split()
    )
    with pytest.raises(TooFewPairs, match="Lower"):
        wort(path, "--kind", "binary", "--filter", "--minimum-judgements", "20")


def test_graded_judgements_have_a_scale(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    truth = rng.uniform(0, 4, size=(60, 1))
    said = Judgements.of_matrix(np.clip(np.round(truth + rng.normal(0, 0.7, (60, 5))), 0, 4))
    path = table(tmp_path, said)
    found = report(path, "--kind", "graded", "--low", "0", "--high", "4")
    assert (found["low"], found["high"]) == (0, 4)
    measured = values(found)
    assert measured["Krippendorff's alpha, nominal"] < measured["Krippendorff's alpha, interval"]
    assert measured["Krippendorff's alpha, interval"] == pytest.approx(
        measured["Cohen's kappa, mean, weighted by squares"], abs=0.05
    )
    with pytest.raises(NotABenchmark, match="scale"):
        wort(path, "--kind", "graded", "--low", "1")
    scores = tmp_path / "scores.tsv"
    wort(path, "--kind", "graded", "--high", "4", "-o", scores)
    assert load(tmp_path / "scores.toml").high == 4


def answers(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    strength = rng.normal(size=24)
    rows = ["annotator,item1,item2,item3,item4,best,worst"]
    for _ in range(48):
        shown = rng.choice(24, 4, replace=False)
        for annotator in range(6):
            seen = strength[shown] + rng.gumbel(size=4) / 3
            chosen = *shown, shown[seen.argmax()], shown[seen.argmin()]
            rows.append(",".join([f"a{annotator}", *(f"p{place}" for place in chosen)]))
    path = folder / "answers.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_answers_of_best_worst_scaling(tmp_path: Path) -> None:
    path = answers(tmp_path)
    found = report(path, "--kind", "best-worst")
    measured = values(found)
    assert measured["split halves"] > 0.8
    assert measured["counting and Bradley–Terry"] > 0.9
    assert "answers a tuple" in wort(path, "--kind", "best-worst").stdout
    with pytest.raises(NotABenchmark, match="both sides"):
        wort(path, "--kind", "best-worst", "-o", tmp_path / "scores.csv")
    items = tmp_path / "items.csv"
    rows = [f"p{place},left {place},right {place}" for place in range(24)]
    items.write_text("\n".join(["item,left,right", *rows]) + "\n")
    wort(path, "--kind", "best-worst", "--items", items, "-o", tmp_path / "scores.csv")
    assert len(read_declared(load(tmp_path / "scores.toml"), tmp_path / "scores.csv").judgements) == 24


def test_annotators_with_little_in_common_are_said_to_be_so(tmp_path: Path) -> None:
    path = table(tmp_path, panel(0, items=10, annotators=4), sides=False)
    assert "No two annotators have 50 items in common; --overlap" in wort(path, "--kind", "binary").stdout
    assert "No two annotators" not in wort(path, "--kind", "binary", "--overlap", "5").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--kind", "graded", "--filter"], "binary"),
        (["--kind", "binary", "--low", "0"], "graded"),
        (["--kind", "binary", "-o", "scores.xlsx"], ".tsv"),
        ([], "--kind"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, arguments: list[str], says: str) -> None:
    result = wort(table(tmp_path, panel(0, items=5, annotators=3)), *arguments)
    assert result.exit_code == 2
    assert says in re.sub(r"\x1b\[[\d;]*m", "", result.stderr)


def test_faulty_files_end_with_the_code_of_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "judgements.csv"
    path.write_text("annotator,item,judgement\nAnn,x,perhaps\n")
    with pytest.raises(BadRow, match="line 2") as raised:
        wort(path, "--kind", "binary")
    assert exit_code(raised.value) == 3
    with pytest.raises(FileNotFoundError):
        wort(tmp_path / "none.csv", "--kind", "binary")


def test_names_do_not_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    rows = [{"annotator": f"\x1b[2J{who}", "item": what, "judgement": 1} for who in "ab" for what in "xyz"]
    path.write_text("\n".join(map(json.dumps, rows)))
    shown = wort(path, "--kind", "binary").stdout
    assert "\x1b" not in shown
    assert "\\x1b[2Ja" in shown
