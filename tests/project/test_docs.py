"""The documents are held to the code."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

from markdown_it import MarkdownIt

from snapshots.layout import TABLES
from tests.conftest import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def declared(*groups: list[str]) -> set[str]:
    return {re.split(r"[\[<>=]", requirement)[0] for requirement in chain(*groups)}


def test_every_dependency_is_justified() -> None:
    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    client = tomllib.loads((ROOT / "wort" / "pyproject.toml").read_text())["project"]
    expected = {
        "The client": declared(client["dependencies"]),
        "The server": declared(server["dependencies"]),
        "Optional": declared(
            *(of for extra, of in server["optional-dependencies"].items() if extra != "dev")
        ),
        "Development": declared(server["optional-dependencies"]["dev"]),
    }
    _, *sections = (ROOT / "docs" / "dependencies.md").read_text().split("\n## ")
    documented = {
        section.partition("\n")[0]: re.findall(r"^\| ([a-z0-9-]+) \|", section, re.MULTILINE)
        for section in sections
    }
    for title, names in expected.items():
        assert set(documented[title]) - {"package"} == names, title


def test_what_runs_is_pinned() -> None:
    """With what the client needs, whose distribution is this project's and not pinned."""
    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    client = tomllib.loads((ROOT / "wort" / "pyproject.toml").read_text())["project"]
    extras = server["optional-dependencies"]
    # The encoder itself, too: models of terms that come with wort are calibrated to it.
    serves = declared(server["dependencies"], client["dependencies"], extras["encoder"]) - {"wort"}
    for name, needed in (
        ("requirements-serve.txt", serves),
        ("requirements.txt", serves | declared(extras["build"], extras["train"], extras["parquet"])),
    ):
        pinned = set(re.findall(r"^([a-z0-9-]+)(?:\[\S*\])?==", (ROOT / name).read_text(), re.MULTILINE))
        assert needed <= pinned, name
        assert "wort" not in pinned


def test_requirements_name_no_address() -> None:
    for path in ROOT.glob("requirements*.txt"):
        lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
        assert not any("://" in line or line.startswith("-") for line in lines), path


def test_links_between_documents_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_no_wrapped_line_begins_a_list_or_a_heading() -> None:
    # "(section 4.1 and Table", continued by "1)", would be a paragraph and a list.
    for document in DOCUMENTS:
        lines = document.read_text().splitlines()
        for token in MarkdownIt().parse("\n".join(lines)):
            if token.type in {"bullet_list_open", "ordered_list_open", "heading_open", "blockquote_open"}:
                assert token.map is not None
                begins = token.map[0]
                assert begins == 0 or not lines[begins - 1].strip(), f"{document.name}:{begins + 1}"


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
