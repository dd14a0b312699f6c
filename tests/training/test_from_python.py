"""The lines for Python in docs/training.md and docs/evaluation.md, run on the toy wiki as in a notebook."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from snapshots.snapshot import Snapshot
from tests.conftest import ROOT
from tests.support.judged import TOPICS, judgements, toy_wiki, write
from training.evaluation.columns import Sampling
from training.progress import NoProgress
from training.terms.design import TERM_DESIGNS
from training.terms.train import train_term_model


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the names of both pages are bound to once their lines have run."""
    folder = tmp_path_factory.mktemp("notebook")
    write(folder / "pairs.csv", judgements(toy_wiki(folder / "SNAPSHOT")))
    names: dict[str, Any] = {"folder": folder}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for page in ("training.md", "evaluation.md"):
            text = (ROOT / "docs" / page).read_text().split("\n## From Python\n")[1].split("\n## ")[0]
            (lines,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
            exec(lines, names)
    names["written"] = json.loads((folder / "report.json").read_text())
    names["saved"] = json.loads((folder / "model.json").read_text())
    return names


def test_a_model_is_trained_and_saved(notebook: dict[str, Any]) -> None:
    assert notebook["saved"]["name"] == "mine"
    assert notebook["saved"]["trained_on"]["topics"] == TOPICS


def test_a_model_is_judged(notebook: dict[str, Any]) -> None:
    written = notebook["written"]
    assert (written["model"], written["pairs"]) == ("mine", 66)
    assert written["rejected"][0]["name"] == "PMI2"
    assert written["ablation"]
    assert written["learners"][0]["learner"] == "linear"
    (row,) = notebook["board"].rows
    assert row.seen == ("mine",)


def test_a_model_of_terms_is_trained(notebook: dict[str, Any]) -> None:
    steps: list[str] = []

    class Told(NoProgress):
        def begin(self, label: str, unit: str = "") -> None:
            steps.append(label)

    snapshot = Snapshot.open(notebook["folder"] / "SNAPSHOT")
    trained = train_term_model(
        notebook["judgements"], snapshot, TERM_DESIGNS["tr9856"], "words", Sampling(10), Told()
    )
    assert (trained.model.name, steps) == ("words", ["leaving folds out"])
    assert trained.report.predictions == "out-of-fold"
