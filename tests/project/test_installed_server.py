"""The server's distribution, installed beside a project and another that have packages of its names."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from app.serving.starter import model_path
from models.registry.registry import Registry
from tests.building.test_build import small_wiki
from tests.conftest import ROOT
from tests.support.dumps import write_dump
from tests.support.installed import (
    NAMES,
    OWNER,
    THEIRS,
    Environment,
    client_wheel,
    environment,
    namesake,
    package,
    project,
    server_wheel,
    starter_wheel,
)
from tests.support.judged import judgements, put_in_force, toy_wiki, write
from tests.support.patience import until
from tests.support.spark import needs_spark

# Each environment compiles anew.
pytestmark = pytest.mark.timeout(1800)

PAIRS = '{"left": "Atheism", "right": "Religion"}\n{"left": "Atheism", "right": "Television"}\n'
PAIR = {"pairs": [{"left": "Atheism", "right": "Religion"}]}
KEY = "a key that nobody guesses"
OWN = "wort_server/own-packages"
DUMP = "toywiki-20200203-pages-articles.xml"
LEFT_OUT = ("tfidf", "esa", "word_pairs", "word2vec", "anchors", "annotations", "comentions")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """The client's, the server's, the starter's, and somebody else's."""
    folder = tmp_path_factory.mktemp("wheels")
    return client_wheel(folder), server_wheel(folder), starter_wheel(folder), namesake(folder)


@pytest.fixture(scope="module")
def installed(wheels: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Client, server, starter and the other."""
    made = environment(tmp_path_factory.mktemp("server"))
    made.install(*wheels)
    return made


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project that is on the path, and the folder that commands are run in: it is as it was in the end."""
    folder = project(tmp_path_factory.mktemp("project"))
    yield folder
    for name in NAMES:
        assert {path.name for path in (folder / name).iterdir()} - {"__pycache__"} == {
            "__init__.py", "cli.py", "extract.py", "model.py", "resolution.py", "titles.py"
        }  # fmt: skip


def test_it_takes_one_name(wheels: tuple[Path, ...]) -> None:
    files = ZipFile(wheels[1]).namelist()
    (metadata,) = {name.split("/")[0] for name in files} - {"wort_server"}
    assert re.fullmatch(r"wort_server-[\d.]+\.dist-info", metadata)
    assert {f"{metadata}/licenses/LICENSE", f"{metadata}/licenses/NOTICE"} <= set(files)


def test_it_carries_all_that_the_checkout_has(wheels: tuple[Path, ...]) -> None:
    server, starter = (
        {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name} for wheel in wheels[1:3]
    )
    # Each without the other's.
    assert {name.rpartition("/")[0] for name in starter} == {f"{OWN}/snapshots/starter"}
    assert not any(name.startswith(f"{OWN}/snapshots/starter/") for name in server)
    there = [path for name in (*NAMES, "wort_server") for path in (ROOT / name).rglob("*") if path.is_file()]
    expected = {path.relative_to(ROOT).as_posix() for path in there if "__pycache__" not in path.parts}
    assert {name.removeprefix(f"{OWN}/") for name in server | starter} == expected


@pytest.mark.slow
def test_the_starter_can_be_left_out(wheels: tuple[Path, ...], beside: Path, tmp_path: Path) -> None:
    """Whoever brings a snapshot of his own does without; whoever names none is told what to install."""
    made = environment(tmp_path / "without")
    made.install(*wheels[:2])
    arguments = ("score", "-", "--format", "jsonl", "-o", "-")
    with pytest.raises(AssertionError, match="install the distribution wort-starter"):
        made.run(beside, "wort", *arguments, text=PAIRS)
    with ZipFile(wheels[2]) as archive:
        archive.extractall(tmp_path / "own")
    own = str(tmp_path / "own" / OWN / "snapshots" / "starter")
    assert "score" in made.run(beside, "wort", *arguments, text=PAIRS, WORT_SNAPSHOT=own)
    # In a process of somebody's own.
    with pytest.raises(AssertionError, match=r"NoStarter: .* install the distribution wort-starter"):
        made.run(tmp_path, "python", "-c", "import wort; wort.open()")
    code = f"import wort\nprint(wort.open({own!r}).relatedness('Atheism', 'Religion').score > 0.5)"
    assert made.run(tmp_path, "python", "-c", code) == "True\n"
    with pytest.raises(AssertionError, match="wort has a package 'app'"):
        made.run(beside, "python", "-c", code)


def test_it_scores_in_such_a_folder(installed: Environment, beside: Path) -> None:
    command = ("wort", "score", "-", "--format", "jsonl", "-o", "-")
    printed = installed.run(beside, *command, text=PAIRS)
    related, unrelated = map(json.loads, printed.splitlines())
    assert related["score"] > 0.5 > unrelated["score"]
    # Also without its script.
    assert installed.run(beside, "python", "-m", "wort_server", *command[1:], text=PAIRS) == printed


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_it_serves_in_such_a_folder(
    installed: Environment, beside: Path, tmp_path: Path, workers: int
) -> None:
    with installed.served(beside, tmp_path / "log", WORT_WORKERS=str(workers)) as served:
        assert len(served.workers()) == (0 if workers == 1 else workers)
        answer = httpx.post(f"{served.address}/v1/relatedness", json=PAIR, timeout=60)
        assert answer.json()["results"][0]["score"] > 0.5
        page = httpx.get(served.address, params={"left": "Atheism", "right": "Religion"}, timeout=60)
        assert page.status_code == 200
        # The client beside it, and all that the project has.
        code = f"import {', '.join(NAMES)}\nfrom wort import Client\n"
        code += f"print(Client({served.address!r}).relatedness('Atheism', 'Religion').score > 0.5, app.OWNER)"
        assert installed.run(beside, "python", "-c", code) == f"True {OWNER}\n"


@pytest.mark.slow
def test_it_retrains_in_such_a_folder(installed: Environment, beside: Path, tmp_path: Path) -> None:
    """In a process that the server starts, with the migrations that the registry needs."""
    snapshot = toy_wiki(tmp_path / "snapshot")
    pairs = write(tmp_path / "mine.csv", judgements(snapshot))
    settings = {"WORT_DATABASE": f"sqlite:///{tmp_path}/registry.sqlite", "WORT_ADMIN_KEY": KEY}
    installed.run(beside, "wort", "models", "add", str(model_path()), **settings)
    with Registry.open(settings["WORT_DATABASE"]) as registry:
        put_in_force(registry, snapshot, tmp_path)
    with (
        installed.served(beside, tmp_path / "log", **settings) as served,
        httpx.Client(base_url=served.address, headers={"Authorization": f"Bearer {KEY}"}, timeout=60) as http,
    ):
        begun = http.post(
            "/retrainings",
            params={"gate_pairs": "50", "who": "ann"},
            content=pairs.read_bytes(),
            headers={"Content-Type": "text/csv"},
        )
        assert begun.status_code == 202, begun.text
        path = begun.headers["Location"]
        until(lambda: http.get(path).json().get("state", "running") != "running", 600)
        assert http.get(path).json()["state"] == "promoted", http.get(path).text


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine", [(), pytest.param(("--engine", "spark"), marks=pytest.mark.slow)], ids=["local", "spark"]
)
def test_it_builds_in_such_a_folder(
    installed: Environment, beside: Path, tmp_path: Path, engine: tuple[str, ...]
) -> None:
    """In processes of a pool, or in the workers of Spark."""
    if engine:
        needs_spark()
    without = [option for stage in LEFT_OUT for option in ("--without", stage)]
    dump = write_dump(beside / DUMP, small_wiki(9))
    try:
        output = ("-o", str(tmp_path / "toy"), "--workers", "2", "--quiet")
        installed.run(beside, "wort", "build", DUMP, *without, *output, *engine)
    finally:
        dump.unlink()
    installed.run(beside, "wort", "verify", "--quiet", str(tmp_path / "toy"))


@pytest.mark.slow
@pytest.mark.parametrize("first", ["wort", "theirs"])
def test_it_and_a_namesake_stay_whole(wheels: tuple[Path, ...], tmp_path: Path, first: str) -> None:
    *ours, theirs = wheels
    made = environment(tmp_path)
    for wheel in (*ours, theirs) if first == "wort" else (theirs, *ours):
        made.install(wheel)
    with ZipFile(theirs) as archive:
        for name in archive.namelist():
            if name.startswith("features/"):
                assert (made.site / name).read_bytes() == archive.read(name), name
    assert made.run(tmp_path, "python", "-c", "import features; print(features.OWNER)") == f"{THEIRS}\n"
    made.run(tmp_path, "wort", "verify", "--quiet", str(made.site / OWN / "snapshots" / "starter"))
    # Neither does a removed wort take anything along.
    shutil.rmtree(made.site / "wort_server")
    assert made.run(tmp_path, "python", "-c", "import features.model; print(features.OWNER)") == f"{THEIRS}\n"


@pytest.mark.slow
def test_its_names_are_nobody_elses(installed: Environment, tmp_path: Path) -> None:
    """Where nobody else has them, as somebody has ``features``, an import finds none."""
    others = [name for name in NAMES if name != "features"]
    code = f"from importlib.util import find_spec\nprint([find_spec(name) for name in {others!r}])"
    assert installed.run(tmp_path, "python", "-c", code) == f"{[None] * len(others)}\n"


def test_a_name_that_is_taken_before_it_starts(installed: Environment, tmp_path: Path) -> None:
    package(tmp_path / "models", OWNER)
    (tmp_path / "sitecustomize.py").write_text("import models\n")
    with pytest.raises(AssertionError, match="wort: wort has a package 'models', and this process has"):
        installed.run(tmp_path, "wort", "--version")
