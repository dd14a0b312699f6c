"""``docs/adding-a-feature.md`` is followed, word by word, in a copy of the sources; and there it is."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import httpx
import numpy as np
import pytest

from app.serving.starter import open_scorer
from tests.building.test_build import small_wiki
from tests.conftest import ROOT
from tests.support.dumps import write_dump
from tests.support.installed import NAMES
from tests.support.patience import PATIENCE

PAGE = ROOT / "docs" / "adding-a-feature.md"
PAIRS = [("Atheism", "Religion"), ("Atheism", "Philosophy"), ("Physics", "Religion")]


def blocks() -> list[str]:
    """The pieces of code of the page's example, in their order."""
    example = PAGE.read_text(encoding="utf-8").partition("## For example")[2]
    return [dedent(block) for block in re.findall(r"^ *```python\n(.*?)^ *```$", example, re.M | re.S)]


def append(source: Path, tuple_named: str, element: str) -> None:
    """Put an element at the end of a tuple of a module."""
    text = source.read_text(encoding="utf-8")
    start = re.search(rf"^{tuple_named}: .* = \(\n", text, re.M)
    assert start is not None, f"{source} has no {tuple_named}"
    end = text.index("\n)\n", start.end()) + 1
    source.write_text(f"{text[:end]}{element.rstrip()},\n{text[end:]}", encoding="utf-8")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, to which the page's example was done."""
    copy = tmp_path_factory.mktemp("sources")
    for name in (*NAMES, "wort", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "starter"))
    (copy / "snapshots" / "starter").symlink_to(ROOT / "snapshots" / "starter")
    table, stage, element, row = blocks()
    append(copy / "snapshots" / "layout.py", "TABLES", table)
    (copy / "building" / "stages" / "embeddings.py").write_text(stage, encoding="utf-8")
    build = copy / "building" / "build.py"
    append(build, "STAGES", element)
    imported = build.read_text(encoding="utf-8").replace(
        "    concepts,\n", "    concepts,\n    embeddings,\n", 1
    )
    build.write_text(imported, encoding="utf-8")
    append(copy / "features" / "catalogue.py", "FEATURES", row)
    return copy


def run(sources: Path, *arguments: str, text: str | None = None) -> str:
    environment = os.environ | {"PYTHONPATH": str(sources)}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=sources, env=environment, input=text, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def wort(sources: Path, *arguments: str, text: str | None = None) -> str:
    return run(sources, "-m", "app.cli", *arguments, text=text)


def titles_of(sources: Path, snapshot: str) -> list[str]:
    shown = f"print(*Snapshot.open({snapshot!r}).concept_titles, sep='\\n')"
    return run(sources, "-c", f"from snapshots.snapshot import Snapshot\n{shown}").splitlines()


@pytest.fixture(scope="module")
def built(sources: Path) -> Path:
    """A snapshot of a small wiki, built by the copy, and a model that was trained on it."""
    dump = write_dump(sources / "toywiki-20200203-pages-articles.xml", small_wiki())
    without = [option for stage in ("word2vec",) for option in ("--without", stage)]
    wort(sources, "build", str(dump), "-o", "toy", "--quiet", *without)
    wort(sources, "verify", "--quiet", "toy")
    titles = titles_of(sources, "toy")
    chance = np.random.default_rng(3)
    with (sources / "pairs.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("left", "right", "score", "topic"))
        for number in range(120):
            left, right = chance.choice(len(titles), 2, replace=False)
            rows.writerow((titles[left], titles[right], round(float(chance.random()), 2), f"t{number % 6}"))
    trained = ("--pairs", "pairs.csv", "--design", "all", "--resamples", "10", "--quiet")
    wort(sources, "train", "--snapshot", "toy", "-o", "model.json", *trained)
    return sources


@pytest.mark.slow
def test_the_reference_has_it(sources: Path) -> None:
    run(sources, "-m", "features.reference", "docs/features.md")
    assert "### EMBEDDING" in (sources / "docs" / "features.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_models_of_before_score_as_they_did(sources: Path) -> None:
    asked = "".join(f"{json.dumps({'left': left, 'right': right})}\n" for left, right in PAIRS)
    options = ("--snapshot", str(ROOT / "snapshots" / "starter"), "--format", "jsonl", "-o", "-", "--quiet")
    scored = wort(sources, "score", "-", *options, text=asked).splitlines()
    expected = [result.score for result in open_scorer(None, None).score(PAIRS)]
    assert [json.loads(line)["score"] for line in scored] == expected


@pytest.mark.slow
def test_it_is_built_cut_trained_scored_and_served(built: Path) -> None:
    model = json.loads((built / "model.json").read_text(encoding="utf-8"))
    assert "EMBEDDING@1" in model["features"]
    assert any(term["feature"] == "EMBEDDING" and term["weight"] != 0 for term in model["terms"])
    wort(built, "excerpt", "toy", "-o", "small", "--concepts", "4")
    wort(built, "verify", "--quiet", "small")
    shapes = (
        "from snapshots.snapshot import Snapshot\nprint(Snapshot.open('small').array('embeddings').shape)"
    )
    assert run(built, "-c", shapes) == "(4, 64)\n"
    command = [sys.executable, "-m", "app.cli", "serve", "--snapshot", "small", "--model", "model.json"]
    environment = os.environ | {"PYTHONPATH": str(built)}
    with subprocess.Popen(
        [*command, "--port", "0"], cwd=built, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[-1]
            left, right, *_ = titles_of(built, "small")
            body = {"pairs": [{"left": left, "right": right}], "explain": True, "features": True}
            answer = httpx.post(f"{address}/v1/relatedness", json=body, timeout=PATIENCE).json()
        finally:
            server.terminate()
    (result,) = answer["results"]
    assert result["status"] == "ok"
    added = {entry["feature"]: entry for entry in result["explanation"]["contributions"]}
    assert added["EMBEDDING"]["value"] == result["features"]["EMBEDDING"] != 0.0
    total = result["explanation"]["intercept"] + sum(entry["contribution"] for entry in added.values())
    assert total == pytest.approx(result["explanation"]["raw"])
