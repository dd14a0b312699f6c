"""Environments with the wheels of this checkout in them, and projects that have names of wort's."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from tests.conftest import ROOT
from tests.support.patience import until
from tests.support.processes import Served, answers

NAMES = (
    "app",
    "building",
    "datasets",
    "encoders",
    "features",
    "jit",
    "measures",
    "models",
    "papers",
    "snapshots",
    "training",
    "wiki",
)
"""The packages of the server that a project may have packages of the same name beside."""

THEIRS = "somebody else"
OWNER = "the project"
"""What each package of the project says whose it is."""


class Environment(NamedTuple):
    """A virtual environment in ``folder``; ``scratch`` is for what its processes keep."""

    folder: Path
    scratch: Path

    @property
    def site(self) -> Path:
        """Where packages are installed."""
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    def install(self, *wheels: Path) -> None:
        """Install wheels, without what they depend on."""
        python = self.folder / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check"]
        # What is lent to the environment may hold this checkout's own distributions.
        options = ["--no-index", "--no-deps", "--ignore-installed"]
        subprocess.run([*pip, "install", *options, *map(str, wheels)], check=True)

    def variables(self, project: Path, **settings: str) -> dict[str, str]:
        """The environment of a process of somebody who works on ``project`` and has it on the path."""
        kept = {"PYTHONPATH": str(project), "NUMBA_CACHE_DIR": str(self.scratch / "numba")}
        return {**os.environ, **kept, **settings}

    def command(self, *arguments: str) -> list[str]:
        """A command of this environment: ``wort`` or ``python``."""
        return [str(self.folder / "bin" / arguments[0]), *arguments[1:]]

    def run(self, project: Path, *arguments: str, text: str | None = None, **settings: str) -> str:
        """What a command prints that is run in the folder ``project``. It must end well."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=project,
            env=self.variables(project, **settings),
            input=text,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def served(self, project: Path, log: Path, **settings: str) -> Iterator[Served]:
        """``wort serve``, run in the folder ``project``, once it answers."""
        with (
            log.open("w") as written,
            subprocess.Popen(
                self.command("wort", "serve", "--port", "0"),
                cwd=project,
                env=self.variables(project, **settings),
                stdout=subprocess.PIPE,
                stderr=written,
                text=True,
            ) as process,
        ):
            assert process.stdout is not None
            try:
                said = process.stdout.readline().split()
                assert said, log.read_text()
                served = Served(said[-1], process, log)
                until(lambda: answers(f"{served.address}/ready"), 600)
                yield served
            finally:
                process.terminate()


def built(source: Path, into: Path, kind: str = "wheel") -> Path:
    """The wheel or the ``sdist`` of the project in the folder ``source``, built into a new folder."""
    into.mkdir(parents=True)
    build = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (made,) = into.iterdir()
    return made


def client_wheel(folder: Path) -> Path:
    """The wheel of the client, built in ``folder``."""
    return built(ROOT / "wort", folder / "client")


def server_wheel(folder: Path) -> Path:
    """The wheel of the server, built in ``folder``."""
    return built(ROOT, folder / "server")


def starter_wheel(folder: Path) -> Path:
    """The wheel of the starter snapshot, built in ``folder``."""
    return built(ROOT / "deploy" / "starter", folder / "starter")


def namesake(folder: Path) -> Path:
    """The wheel of somebody else's, with a package of the same name as one of wort's."""
    source = folder / "namesake-source"
    package(source / "features", THEIRS)
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "features"\nversion = "3.10"\n'
    )
    return built(source, folder / "namesake")


def environment(folder: Path, needed: frozenset[str] | None = None) -> Environment:
    """A fresh environment. What the wheels need is lent from that of the tests: all of it, or ``needed``."""
    venv.create(folder / "environment", symlinks=True)
    made = Environment(folder / "environment", folder)
    if needed is None:
        # As paths, so that whatever else stands in those folders of this checkout is not followed.
        lent = [entry for entry in sys.path if Path(entry).name == "site-packages"]
        (made.site / "lent.pth").write_text("".join(f"{entry}\n" for entry in lent))
        return made
    for name in sorted(_with_what_they_need(needed)):
        for entry in _entries(distribution(name)):
            (made.site / entry.name).symlink_to(entry)
    return made


def _with_what_they_need(names: frozenset[str]) -> set[str]:
    """Distributions, with all that they depend on."""
    found: set[str] = set()
    pending = set(names)
    while pending:
        name = pending.pop()
        found.add(name)
        declared = map(Requirement, distribution(name).requires or ())
        wanted = [each for each in declared if each.marker is None or each.marker.evaluate({"extra": ""})]
        pending |= {each.name for each in wanted} - found
    return found


def _entries(of: Distribution) -> set[Path]:
    """The folders and files that a distribution has at the top of its site."""
    site = Path(str(of.locate_file("")))
    return {site / file.parts[0] for file in of.files or () if file.parts[0] not in {"..", "__pycache__"}}


def package(folder: Path, owner: str) -> None:
    """A package whose modules have the names of some of wort's, and say whose they are."""
    for name in ("__init__", "cli", "resolution", "extract", "model", "titles"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.py").write_text(f"OWNER = {owner!r}\n")


def project(folder: Path) -> Path:
    """A project that has a package of each name, in ``folder``."""
    for name in NAMES:
        package(folder / name, OWNER)
    return folder
