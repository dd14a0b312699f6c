"""docs/agreement.md shows what the command really does, and every option that it has."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import command_line
from app.cli.dataset.agree import agree
from datasets.agreement.alpha import krippendorff_alpha
from datasets.agreement.correlation import between_annotators, fisher_mean, with_the_rest
from datasets.agreement.enough import judgements_needed, reliability_curve
from datasets.agreement.kappa import category_counts, fleiss_kappa, pairwise
from datasets.agreement.reading import read_judgements
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "agreement.md").read_text()


def block(start: str) -> str:
    """The block of the page that begins so."""
    (found,) = re.findall(rf"^```\w*\n({re.escape(start)}.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("fruit.csv").write_text(block("annotator,left"))
    return tmp_path


def test_the_example(example: Path) -> None:
    _, *arguments = block("wort dataset agree").split()
    result = CliRunner().invoke(command_line(["dataset"]), arguments)
    assert result.exit_code == 0, result.output
    assert (example / "scores.csv").read_text() == block("left,right,score")


def test_the_example_from_python(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = block("from pathlib")
    exec(code, {})
    assert capsys.readouterr().out.strip() == code.rpartition("# ")[2].strip()


def test_every_option_is_there() -> None:
    options = PAGE.split("## Options")[1]
    for name in inspect.signature(agree).parameters:
        if name != "judgements":
            assert f"--{name.rstrip('_').replace('_', '-')}" in options, name


def row(start: str) -> str:
    (found,) = re.findall(rf"^\| {re.escape(start)}.*\| ([^|]*) \|$", PAGE, re.MULTILINE)
    return str(found)


def short(*numbers: float) -> str:
    return "; ".join(f"{number:.3f}".lstrip("0") for number in numbers)


def test_figures_of_tr9856(data_dir: Path) -> None:
    path = data_dir / "tr9856" / "tr9856.json"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    judgements, _ = read_judgements(path, "binary")
    fleiss, alpha = fleiss_kappa(category_counts(judgements)), krippendorff_alpha(judgements, "nominal")
    assert row("TR9856: Fleiss' kappa") == short(fleiss, alpha)
    curve = reliability_curve(judgements, (10,))
    said = PAGE.split("## How many judgements")[1]
    for one in curve[:4]:
        assert f"{one.predicted:.3f}" in said
        assert one.measured == pytest.approx(one.predicted, abs=2e-3)
    assert f"give {curve[-1].predicted:.3f}" in said.replace("\n", " ")
    assert judgements_needed(curve, 0.9) == 12
    assert "0.9 takes twelve" in said


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("wordsim353_set1.json", "WordSim-353, 13 raters of 153"),
        ("wordsim353_set2.json", "WordSim-353, 16 raters of 200"),
    ],
)
def test_figures_of_wordsim(data_dir: Path, name: str, start: str) -> None:
    path = data_dir / "term_pairs" / name
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    judgements, _ = read_judgements(path, "graded")
    assert row(start) == short(
        fisher_mean(pairwise(between_annotators(judgements))),
        fisher_mean(with_the_rest(judgements)),
        krippendorff_alpha(judgements, "interval"),
    )
