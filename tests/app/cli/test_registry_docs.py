"""docs/models.md says what the registry and its commands do."""

from __future__ import annotations

import inspect
import re

import pytest

from app.cli.models import models
from models.protocol import TrainingSet
from models.registry.layout import METADATA, REVISION_TABLE
from models.registry.records import ModelVersion, Release, Run
from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "models.md").read_text()
COMMANDS = {
    command.name or command.callback.__name__: command.callback
    for command in models.registered_commands
    if command.callback is not None
}
ARGUMENTS = {"file", "first", "model", "name", "ref", "second"}


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize(
    ("record", "heading"),
    [(ModelVersion, "Of a version"), (Release, "Of a release"), (Run, "Of a retraining")],
)
def test_every_field(record: type[ModelVersion | Release | Run], heading: str) -> None:
    table = section("What is stored").split(heading)[1].split("\nOf a ")[0]
    cells = re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE)
    assert [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)] == list(
        record.__struct_fields__
    )
    if record is ModelVersion:
        assert all(f"`{name}`" in table for name in TrainingSet.__struct_fields__)


def test_every_command_and_option() -> None:
    text = section("Commands")
    rows = dict(re.findall(r"^\| `wort models (\w+)[^|]*` \| (.*) \|$", text, re.MULTILINE))
    assert set(rows) == set(COMMANDS)
    assert len(COMMANDS) == 9
    for name, callback in COMMANDS.items():
        for option in set(inspect.signature(callback).parameters) - ARGUMENTS:
            assert f"--{option.replace('_', '-')}" in text + section("Releases"), (name, option)


def test_every_table() -> None:
    for name in (*METADATA.tables, REVISION_TABLE):
        assert f"`{name}`" in section("SQLite and PostgreSQL")
