"""The wheel works in any folder: it carries the starter snapshot, its model and the page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content, as pip lays it out, away from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("wort-*.whl")
    site = folder / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(site),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return site


def run(installed: Path, folder: Path, *arguments: str, text: str | None = None) -> str:
    # The dependencies come from this environment, the project from the wheel.
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(installed)},
        input=text,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_the_wheel_that_runs(installed: Path, tmp_path: Path) -> None:
    for package in ("wiki", "tables", "features", "models", "training", "app", "wort"):
        printed = run(installed, tmp_path, "-c", f"import {package}; print({package}.__file__)")
        assert printed.startswith(str(installed)), package


def test_it_scores_in_any_folder(installed: Path, tmp_path: Path) -> None:
    pairs = '{"left": "Atheism", "right": "Religion"}\n{"left": "Atheism", "right": "Television"}\n'
    command = ["-m", "app.cli", "score", "-", "--format", "jsonl", "-o", "-"]
    related, unrelated = map(json.loads, run(installed, tmp_path, *command, text=pairs).splitlines())
    assert related["score"] > 0.5 > unrelated["score"]


def test_it_carries_what_the_page_needs(installed: Path) -> None:
    for name in (
        "app/pages/templates/base.html",
        "app/pages/static/page.css",
        "tables/starter/manifest.json",
        "models/shipped/starter.json",
        "models/registry/migrations/env.py",
        "models/registry/migrations/versions/v0001_models_releases_runs.py",
        "training/benchmarks/declarations/word.toml",
        "training/report_html/templates/report.html",
    ):
        assert (installed / name).is_file(), name
    (metadata,) = installed.glob("wort-*.dist-info")
    assert {"LICENSE", "NOTICE"} <= {path.name for path in (metadata / "licenses").iterdir()}
