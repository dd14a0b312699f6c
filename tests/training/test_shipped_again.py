"""The shipped models of the starter come out again, with their figures, by the commands that made them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import command_line
from app.serving.starter import snapshot_path
from encoders.shipped import shipped_encoder
from models.shipped import path

pytestmark = pytest.mark.slow

WORD = ("--benchmark", "word-train")
TERMS_OF_TR9856 = ("--terms", "--benchmark", "tr9856")

COMMANDS: dict[str, tuple[str, ...]] = {
    "starter": (*WORD, "--name", "wort-starter"),
    "plus-starter": (*WORD, "--design", "plus", "--name", "wort-plus-starter"),
    "regression-starter": (*WORD, "--design", "plain", "--name", "wort-regression-starter"),
    "terms-starter": TERMS_OF_TR9856,
    "terms-regression-starter": (*TERMS_OF_TR9856, "--design", "tr9856"),
    "terms-plus-starter": ("--terms", *WORD, "--design", "plus"),
}
"""As in ``deploy/shipped.mk``, without the folders."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_shipped_model_comes_out_again(name: str, data_dir: Path, tmp_path: Path) -> None:
    made = tmp_path / f"{name}.json"
    command = ["train", "--snapshot", str(snapshot_path()), "--data-dir", str(data_dir), *COMMANDS[name]]
    if "plus" in command:
        command += ["--encoder", str(shipped_encoder())]
    done = CliRunner().invoke(command_line(("train",)), [*command, "-o", str(made)])
    assert done.exit_code == 0, done.output
    again, shipped = (json.loads(file.read_text()) for file in (made, path(name)))
    del again["created"], shipped["created"]
    assert leaves(again) == pytest.approx(leaves(shipped), abs=1e-6)


def leaves(value: object, at: str = "") -> dict[str, object]:
    """What stands in a model's file, each by where it stands."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        return {where: leaf for key, part in parts for where, leaf in leaves(part, f"{at}/{key}").items()}
    return {at: value}
