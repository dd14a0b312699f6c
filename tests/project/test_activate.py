"""``wort_server.activate``: computing in a process that is somebody else's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.installed import NAMES, OWNER, package
from wort_server import NAMES as ACTIVATED

WHERE = """
import wort_server
wort_server.activate({})
import measures, snapshots
print(snapshots.__path__[0])
"""
"""Activates, and says whose tables are imported then."""


def ran(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Python code that is run in a folder, as a notebook there is."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, check=False, capture_output=True, text=True
    )


def test_what_the_page_says() -> None:
    page = (ROOT / "docs" / "installing.md").read_text()
    ((code, printed),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert ran(ROOT.parent, code).stdout == printed


def test_it_makes_all_packages_known() -> None:
    assert set(ACTIVATED) == set(NAMES)


def test_where_nobody_else_has_such_names(tmp_path: Path) -> None:
    # A folder of data is no package.
    (tmp_path / "snapshots").mkdir()
    done = ran(tmp_path, f"{WHERE.format('')}\nwort_server.activate()")
    assert done.stdout == f"{ROOT / 'snapshots'}\n", done.stderr


def test_what_it_would_hide_is_refused(tmp_path: Path) -> None:
    package(tmp_path / "snapshots", OWNER)
    done = ran(tmp_path, WHERE.format(""))
    (last,) = done.stderr.splitlines()[-1:]
    assert last == (
        f"wort_server.NamesTaken: wort has a package 'snapshots', and would hide the one of "
        f"{tmp_path}/snapshots/__init__.py. If nothing here needs that one, call activate(shadow=True); else "
        "run wort in a process of its own, as the command wort does, and ask it through wort.Client."
    )
    assert ran(tmp_path, WHERE.format("shadow=True")).stdout == f"{ROOT / 'snapshots'}\n"


@pytest.mark.parametrize("kind", ["package", "module"])
def test_what_is_loaded_is_never_taken_for_ours(tmp_path: Path, kind: str) -> None:
    if kind == "package":
        package(tmp_path / "models", OWNER)
    else:
        (tmp_path / "models.py").touch()
    done = ran(tmp_path, f"import models\n{WHERE.format('shadow=True')}")
    said = f"wort has a package 'models', and this process has loaded another one, from {tmp_path}/models"
    assert said in done.stderr.splitlines()[-1]
