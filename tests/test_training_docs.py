"""docs/training.md says what the code does: fields, columns, terms, transforms, options."""

from __future__ import annotations

import inspect
import re

import msgspec
import pytest

from app.cli.evaluate import evaluate
from app.cli.train import train
from models.model import Model
from models.transforms import TRANSFORMS
from tests.conftest import ROOT
from training.benchmarks import word
from training.benchmarks.pairs import DELIMITERS, JSON_LINES, WORD_TRAIN, Columns
from training.coverage import Coverage
from training.design import DESIGNS
from training.report import Report

TEXT = (ROOT / "docs" / "training.md").read_text()


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """What stands in backquotes in the first cell of each row of the tables of ``text``."""
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [name for cell in rows for name in re.findall(r"`([^`]+)`", cell)]


def test_fields() -> None:
    assert first_cells(section("The model file")) == [field.name for field in msgspec.structs.fields(Model)]
    assert first_cells(section("The report")) == [field.name for field in msgspec.structs.fields(Report)]
    for field in msgspec.structs.fields(Coverage):
        assert f"`{field.name}`" in section("The report")


def test_terms_and_transforms() -> None:
    text = section("Terms and transforms")
    assert first_cells(text) == [*DESIGNS, *TRANSFORMS]
    for transform in TRANSFORMS.values():
        assert f"| `{transform.name}` | {transform.formula} |" in text


def test_columns_and_formats() -> None:
    text = section("Files of judgements")
    columns = (*word.COLUMNS, *WORD_TRAIN.required, *Columns().required, Columns().topic)
    for name in (*columns, *DELIMITERS, *JSON_LINES):
        assert f"`{name}`" in text


@pytest.mark.parametrize("command", [train, evaluate])
def test_options_that_change_figures(command: object) -> None:
    general = {"output", "name", "resamples", "force", "quiet"}
    for name in inspect.signature(command).parameters:  # type: ignore[arg-type]
        if name not in general:
            assert f"--{name.replace('_', '-')}" in TEXT, name
