"""The help of every command, however deep it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import typer
from typer.testing import CliRunner

from app.cli import command_line


def _paths(app: typer.Typer, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for command in app.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        yield (*path, name.replace("_", "-"))
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from _paths(group.typer_instance, (*path, str(group.name)))


PATHS = list(_paths(command_line()))


def test_there_are_groups_within_groups() -> None:
    assert ("dataset", "select", "word") in PATHS
    assert len(PATHS) > 30


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_a_flag_is_shown_without_a_value(path: tuple[str, ...]) -> None:
    shown = CliRunner(env={"COLUMNS": "200"}).invoke(command_line(), [*path, "--help"])
    assert shown.exit_code == 0, shown.output
    assert "--help" in shown.output
    assert "bool" not in shown.output


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_values_are_named_plainly(path: tuple[str, ...]) -> None:
    shown = CliRunner(env={"COLUMNS": "200"}).invoke(command_line(), [*path, "--help"]).output
    for of_python in ("<str>", "<path>", "<int", "<float", "list[", "<FileText>", "<=", "{"):
        assert of_python not in shown, of_python


def test_arguments_are_called_as_the_texts_call_them() -> None:
    shown = CliRunner(env={"COLUMNS": "200"}).invoke(command_line(), ["related", "--help"]).output
    assert "wort related [OPTIONS] CONCEPT " in shown
    assert "NUMBER from 1 to 100" in shown
