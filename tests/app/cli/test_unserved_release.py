"""A release that cannot be served, as the commands tell of it that answer from what is in force."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli.exit_codes import BAD_INPUT
from snapshots.manifest import MANIFEST
from tests.app.cli.test_cli import wort
from tests.support.promoted import ToyRegistry


def refused_second(folder: Path) -> ToyRegistry:
    """A registry whose release in force has no folder, and the one before it has."""
    registry = ToyRegistry(folder)
    registry.promote(registry.candidate(registry.snapshot("one"), 0.1))
    registry.promote(registry.candidate(registry.snapshot("one"), 0.2), folder=folder / "gone")
    return registry


def test_a_release_that_cannot_be_used_is_told_of_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORT_DATABASE", refused_second(tmp_path).url)
    code = wort(monkeypatch, ["compare", "Cat", "Dog", "--json"])
    said = capfd.readouterr()
    assert code == 0
    assert json.loads(said.out)["model"]["release"] == 1
    (line,) = said.err.splitlines()
    assert line.startswith("wort: release 2 cannot be used: ")
    assert line.endswith(". Release 1 answers instead.")


@pytest.mark.parametrize("command", ["mcp", "serve --port 0"])
def test_what_serves_tells_of_it_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.setenv("WORT_DATABASE", refused_second(tmp_path).url)
    monkeypatch.setattr("mcp.server.MCPServer.run", lambda *_: None)
    monkeypatch.setattr("uvicorn.Server.run", lambda _, sockets: [one.close() for one in sockets])
    assert wort(monkeypatch, command.split()) == 0
    lines = capfd.readouterr().err.splitlines()
    assert lines[0].startswith("wort: release 2 cannot be used: ")
    assert lines[0].endswith(". Release 1 answers instead.")
    assert lines[1:] == ["wort: this is release 1 of the registry, model toy@1"] * ("serve" in command)


@pytest.mark.parametrize("command", ["mcp", "serve --port 0", "compare Cat Dog"])
def test_that_none_can_be_served_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    registry = ToyRegistry(tmp_path)
    folder = registry.snapshot("one")
    registry.promote(registry.candidate(folder, 0.1))
    (folder / MANIFEST).write_text("{}")
    monkeypatch.setenv("WORT_DATABASE", registry.url)
    assert wort(monkeypatch, command.split()) == BAD_INPUT
    (line,) = capfd.readouterr().err.splitlines()
    assert line == (
        f"wort: release 1, the only one of {tmp_path / 'wort.sqlite'}, cannot be served: {folder / MANIFEST} "
        "is not a snapshot's manifest: it says no format. Copy the snapshot again or build it again, or name "
        "another folder. Promote another with `wort models promote`, or name --snapshot and --model."
    )
