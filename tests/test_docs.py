"""The documents are held to the code."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

from tables.layout import TABLES

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def test_every_dependency_is_justified() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    names = {re.split(r"[\[<>=]", requirement)[0] for requirement in declared}
    text = (ROOT / "docs" / "dependencies.md").read_text()
    documented = re.findall(r"^\| ([a-z0-9-]+) \|", text, re.MULTILINE)
    assert set(documented) - {"package", "asset"} == names


def test_requirements_name_no_address() -> None:
    for path in ROOT.glob("requirements*.txt"):
        lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
        assert not any("://" in line or line.startswith("-") for line in lines), path


def test_links_between_documents_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_modules_that_documents_name_are_there() -> None:
    # The folders that begin with a dot are not the project's.
    modules = [path.as_posix() for path in chain(ROOT.glob("*.py"), ROOT.glob("[!.]*/**/*.py"))]
    for document in DOCUMENTS:
        for named in re.findall(r"`([\w/]+\.py)`", document.read_text()):
            assert any(path.endswith(f"/{named}") for path in modules), f"{document.name} names {named}"


def test_every_table_is_documented() -> None:
    page = (ROOT / "docs" / "tables.md").read_text()
    for table in TABLES:
        shape = f"{table.rows} × {table.columns}" if table.columns else table.rows
        line = f"| `{table.name}` | {shape} | {table.values or 'membership'} | {table.meaning} |"
        assert line in page, f"docs/tables.md lacks: {line}"
