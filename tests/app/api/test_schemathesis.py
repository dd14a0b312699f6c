"""The OpenAPI document holds: whatever is sent to its operations is answered as the document says.

Schemathesis makes requests of every operation, right ones and wrong ones, and compares each answer with what
is declared: its status, its media type, its headers, its schema, who may ask. No answer may be a fault of the
server.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.conftest import ROOT
from tests.support.patience import PATIENCE
from tests.support.served import serving

KEY = "a-key-for-these-tests"
KEYED = {"require_key": True, "admin_key": KEY}


def report(folder: Path, phases: str, examples: int, **settings: Any) -> str:
    """What Schemathesis reports of a server of the starter snapshot with some ``settings``.

    ``examples``: the most requests of its own making to one operation. They are the same each time.
    """
    settings["database"] = f"sqlite:///{folder / 'wort.sqlite'}"
    app = create_app(Settings(**settings), open_scorer(None, None))
    tests = ROOT / "tests"
    with serving(app) as address:
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(tests / "schemathesis.toml")),
            *("run", f"{address}/openapi.json", "--phases", phases, "--max-examples", str(examples)),
            *("--continue-on-failure", "--no-color", "--warnings", "off"),
            *(("--header", f"X-API-Key: {KEY}") if "admin_key" in settings else ()),
        ]
        environment = {**os.environ, "SCHEMATHESIS_HOOKS": str(tests / "support" / "schemathesis_hooks.py")}
        run = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE,
            check=False,
        )
        operations = sum(len(methods) for methods in app.openapi()["paths"].values())
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(rf"Selected: {operations}/{operations}\n +Tested: {operations}\n", run.stdout)
    return run.stdout


def generated(said: str) -> int:
    """How many requests were made."""
    found = re.search(r"(\d+) generated, \d+ passed", said)
    assert found is not None, said
    return int(found[1])


def test_every_operation_at_a_glance(tmp_path: Path) -> None:
    assert generated(report(tmp_path, "examples,fuzzing", 2)) > 40


@pytest.mark.slow
@pytest.mark.alone
def test_every_operation(tmp_path: Path) -> None:
    assert generated(report(tmp_path, "examples,coverage,fuzzing", 200)) > 2000


@pytest.mark.slow
@pytest.mark.alone
def test_every_operation_where_keys_are_required(tmp_path: Path) -> None:
    assert generated(report(tmp_path, "examples,coverage,fuzzing", 100, **KEYED)) > 2000
