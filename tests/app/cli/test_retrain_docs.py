"""docs/retraining.md says what the code does."""

from __future__ import annotations

import inspect
import re
from typing import get_args

import msgspec

from app.api.retrainings import ACCEPTED, router
from app.cli.retrain import retrain
from app.settings import Settings
from tests.conftest import ROOT
from training.evaluation.report import Report
from training.retraining.gate import Gate
from training.retraining.report import RetrainReport
from training.retraining.validate import LEAST_FOLDS, LEAST_PAIRS, TREATMENTS
from wort.schemas.retrainings import State

TEXT = (ROOT / "docs" / "retraining.md").read_text()


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """What stands in backquotes in the first cell of each row of the tables of ``text``."""
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [name for cell in rows for name in re.findall(r"`([^`]+)`", cell)]


def test_findings_and_treatments() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", section("What is found in the data"), re.MULTILINE)
    assert dict(rows) == TREATMENTS
    assert f"At least {LEAST_PAIRS} distinct pairs" in TEXT
    assert LEAST_FOLDS == 5


def test_the_gate() -> None:
    gate = Gate()
    text = section("The gate")
    for figure in (gate.least_pairs, gate.margin, gate.p, gate.error, gate.base_loss):
        assert str(figure) in text


def test_options() -> None:
    hidden = {"as_json", "run"}
    given = {name for name in inspect.signature(retrain).parameters if name not in hidden}
    documented = set(first_cells(section("Options")))
    assert {f"--{name.replace('_', '-')}" for name in given} | {"--json"} <= documented


def test_routes_and_states() -> None:
    text = section("Over HTTP")
    for route in router(Settings()).routes:
        for method in route.methods:  # type: ignore[attr-defined]
            if method == "GET":
                assert f"| `GET /v1{route.path}` |" in text  # type: ignore[attr-defined]
    assert [cell for cell in first_cells(text) if " " not in cell] == list(get_args(State))
    for kind in ACCEPTED:
        assert f"`{kind}`" in text


def test_fields_of_the_report() -> None:
    own = [field.name for field in msgspec.structs.fields(RetrainReport)]
    base = {field.name for field in msgspec.structs.fields(Report)}
    assert first_cells(section("The report")) == [name for name in own if name not in base]
