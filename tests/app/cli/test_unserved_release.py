"""A release that cannot be served, as the commands that answer one question tell of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.cli.test_cli import wort
from tests.support.promoted import ToyRegistry


def test_a_release_that_cannot_be_used_is_told_of_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    registry = ToyRegistry(tmp_path)
    registry.promote(registry.candidate(registry.snapshot("one"), 0.1))
    registry.promote(registry.candidate(registry.snapshot("one"), 0.2), folder=tmp_path / "gone")
    monkeypatch.setenv("WORT_DATABASE", registry.url)
    code = wort(monkeypatch, ["compare", "Cat", "Dog", "--json"])
    said = capfd.readouterr()
    assert code == 0
    assert json.loads(said.out)["model"]["release"] == 1
    (line,) = said.err.splitlines()
    assert line.startswith("wort: release 2 cannot be used: ")
    assert line.endswith(". Release 1 answers instead.")
