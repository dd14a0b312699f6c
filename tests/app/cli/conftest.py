"""What tests of the commands that answer one question share: a small wiki, a way to ask, and a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.app.cli.test_cli import wort
from tests.support.served import serving, toy_files, toy_term_model

TEXT = "Atheism is the rejection of belief in God;\nBuddhism is a religion without one.\n"

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    snapshot, _ = toy_files(folder)
    identity = json.loads((snapshot / "manifest.json").read_bytes())["id"]
    toy_term_model(folder / "terms.json", identity)
    return folder


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ask:
    """Runs the command line in this process: its exit code, and what it says on both outputs."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = wort(monkeypatch, arguments)
        said = capfd.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    app = create_app(Settings(), open_scorer(None, None))
    with serving(app) as address, httpx.Client(base_url=f"{address}/v1", timeout=120) as client:
        yield client


def toy(folder: Path, model: str = "model.json") -> list[str]:
    return ["--snapshot", str(folder / "snapshot"), "--model", str(folder / model)]
