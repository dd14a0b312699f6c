"""docs/training.md and docs/evaluation.md say what the code does: fields, columns, designs, options."""

from __future__ import annotations

import inspect
import re

import msgspec
import pytest

from app.cli.evaluate import evaluate
from app.cli.train import train
from models.additive import TRANSFORMS
from models.linear import LinearModel
from tests.conftest import ROOT
from training.benchmarks import word
from training.benchmarks.pairs import DELIMITERS, JSON_LINES, WORD_TRAIN, JudgementColumns
from training.coverage import Coverage
from training.design import DESIGNS
from training.evaluation.deciles import Decile
from training.evaluation.report import Leaderboard, LeaderboardRow, Report
from training.statistics.significance import Difference
from training.terms.design import TERM_DESIGNS

TEXT = (ROOT / "docs" / "training.md").read_text()
EVALUATION = (ROOT / "docs" / "evaluation.md").read_text()


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """What stands in backquotes in the first cell of each row of the tables of ``text``."""
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [name for cell in rows for name in re.findall(r"`([^`]+)`", cell)]


def test_fields() -> None:
    assert first_cells(section("The model file")) == [
        field.encode_name for field in msgspec.structs.fields(LinearModel)
    ]
    of_report, of_board = (
        EVALUATION.split("\n### As JSON\n")[1].split("\n## ")[0].split("And the leaderboard:")
    )
    assert first_cells(of_report) == [field.name for field in msgspec.structs.fields(Report)]
    assert first_cells(of_board) == [field.name for field in msgspec.structs.fields(Leaderboard)]
    for struct, text in (
        (Coverage, of_report),
        (Difference, of_report),
        (Decile, of_report),
        (LeaderboardRow, of_board),
    ):
        for field in msgspec.structs.fields(struct):
            assert f"`{field.name}`" in text, field.name


def test_designs_and_transforms() -> None:
    text = section("Addends and transforms")
    assert first_cells(text) == [*DESIGNS, *TRANSFORMS]
    for transform in TRANSFORMS.values():
        assert f"| `{transform.name}` | {transform.formula} |" in text


def test_columns_and_formats() -> None:
    text = section("Files of judgements")
    columns = (*word.COLUMNS, *WORD_TRAIN.required, *JudgementColumns().required, JudgementColumns().topic)
    for name in (*columns, *DELIMITERS, *JSON_LINES):
        assert f"`{name}`" in text


def test_designs_of_terms() -> None:
    assert re.findall(r"^\| ([\w-]+) \| ", section("Models of terms"), re.MULTILINE) == list(TERM_DESIGNS)


@pytest.mark.parametrize(("command", "text"), [(train, TEXT), (evaluate, EVALUATION)])
def test_options_that_change_figures(command: object, text: str) -> None:
    general = {"output", "name", "resamples", "force", "quiet"}
    for name in inspect.signature(command).parameters:  # type: ignore[arg-type]
        if name not in general:
            assert f"--{name.replace('_', '-')}" in text, name
