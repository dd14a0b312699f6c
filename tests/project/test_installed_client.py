"""The client's distribution, installed alone into a project that has packages of the server's names."""

from __future__ import annotations

import re
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import ROOT
from tests.support.installed import NAMES, Environment, built, client_wheel, environment, project
from tests.support.served import serving, toy_app

DECLARED = tomllib.loads((ROOT / "wort" / "pyproject.toml").read_text())["project"]["dependencies"]
NEEDED = frozenset(re.split("[<>=]", requirement)[0] for requirement in DECLARED)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return client_wheel(tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The client, what it declares to need, and nothing else."""
    made = environment(tmp_path_factory.mktemp("client"), NEEDED)
    made.install(wheel)
    return made


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(toy_app(tmp_path_factory.mktemp("toy"))) as url:
        yield url


def test_it_works_in_a_project_with_such_packages(installed: Environment, toy: str, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from wort import Client, Reference, Unresolved\n"
        f"with Client({toy!r}) as client:\n"
        "    assert client.relatedness('Cat', Reference(title='Dog'), explain=True).score is not None\n"
        "    assert len(list(client.stream([('Cat', 'Dog'), ('Cat', 'Mouse')]))) == 2\n"
        "    try:\n"
        "        client.related('Mouse')\n"
        "    except Unresolved as error:\n"
        "        assert error.side.candidates\n"
        f"assert not {set(NAMES)!r} & set(sys.modules)\n"
        f"for name in {NAMES!r}:\n"
        "    print(__import__(name).OWNER)\n"
    )
    printed = installed.run(project(tmp_path / "project"), "python", "-c", code)
    assert printed.splitlines() == ["the project"] * len(NAMES)


def test_it_says_what_computes_without_a_server(installed: Environment, tmp_path: Path) -> None:
    code = (
        "import wort\n"
        "try:\n"
        "    wort.open()\n"
        "except ModuleNotFoundError as error:\n"
        "    print(error.name, error)\n"
    )
    printed = installed.run(tmp_path, "python", "-c", code)
    assert printed.startswith(
        "wort_server wort.open() computes in this process, with the distribution wort-server"
    )
    assert "Install wort-server, and wort-starter" in printed


def test_it_loads_nothing_that_it_does_not_say(installed: Environment, tmp_path: Path) -> None:
    """Each module of it, in an environment that has what it declares alone."""
    modules = sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in (ROOT / "wort").rglob("*.py")
    )
    assert "wort.schemas.relatedness" in modules
    installed.run(tmp_path, "python", "-c", f"import {', '.join(modules)}")


def test_it_takes_one_name(wheel: Path) -> None:
    files = ZipFile(wheel).namelist()
    (metadata,) = {name.split("/")[0] for name in files} - {"wort"}
    assert re.fullmatch(r"wort-[\d.]+\.dist-info", metadata)
    in_checkout = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "wort").rglob("*")
        if path.is_file() and path.suffix in {".py", ".typed"}
    }
    assert {name for name in files if not name.startswith(metadata)} == in_checkout


def test_its_source_distribution_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(built(ROOT / "wort", tmp_path / "sdist", "sdist")) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = built(source, tmp_path / "again")
    assert again.name == wheel.name
    with ZipFile(again) as made, ZipFile(wheel) as expected:
        assert {each.filename: each.CRC for each in made.infolist()} == {
            each.filename: each.CRC for each in expected.infolist()
        }


def test_its_licence_is_the_projects() -> None:
    assert (ROOT / "wort" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_server_asks_for_the_client_of_its_version() -> None:
    import wort

    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"wort=={wort.__version__}" in server["dependencies"]
