"""The architecture, held by tests: who may import whom, and how large a file may grow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

ALLOWED: dict[str, set[str]] = {
    "measures": set(),
    "encoders": {"measures"},
    "jit": {"measures"},
    "models": {"measures"},
    "wiki": set(),
    "snapshots": {"jit", "measures", "wiki"},
    "building": {"encoders", "jit", "measures", "snapshots", "wiki"},
    "features": {"encoders", "jit", "measures", "snapshots"},
    "training": {"encoders", "features", "measures", "models", "snapshots"},
    "datasets": {"encoders", "features", "measures", "models", "snapshots", "training", "wiki"},
    "papers": {"encoders", "features", "measures", "models", "snapshots", "training"},
    "app": {"encoders", "features", "jit", "measures", "models", "snapshots", "training", "wort"},
    "app/annotation": {"app", "datasets", "models", "wort"},
    "app/cli": {
        *("app", "building", "datasets", "encoders", "features", "jit", "measures", "models"),
        *("papers", "snapshots", "training", "wiki", "wort"),
    },
    "wort": set(),
    "wort/schemas": set(),
    "wort_server": {"app"},
}
"""What each package may import of ours, besides itself; the deepest entry that matches a file holds."""

OURS = {package.split("/")[0] for package in ALLOWED}
SOURCES = sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path} has a relative import"
            yield node.module
            # What is imported from a package may be a module of it.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_way_to_import_a_module_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    for line in ("import app.cli", "from app import cli", "from app.cli import main"):
        source.write_text(line)
        assert "app.cli" in imports_of(source), line


def package_of(path: Path) -> str:
    relative = path.relative_to(ROOT).as_posix()
    return max((package for package in ALLOWED if relative.startswith(package + "/")), key=len)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_one_way(path: Path) -> None:
    package = package_of(path)
    allowed = ALLOWED[package] | {package.split("/", maxsplit=1)[0]}
    imported = {name.split(".")[0] for name in imports_of(path)} & OURS
    assert imported <= allowed, f"{path} imports {imported - allowed}, and {package} may not"


@pytest.mark.parametrize("path", sorted((ROOT / "snapshots").rglob("*.py")), ids=str)
def test_texts_rest_on_names_and_names_on_tables(path: Path) -> None:
    imported = {".".join(name.split(".")[:2]) for name in imports_of(path) if name.startswith("snapshots.")}
    within = path.relative_to(ROOT / "snapshots").parts[0]
    if within != "annotator":
        assert "snapshots.annotator" not in imported
        assert within == "naming" or "snapshots.naming" not in imported


def test_only_the_command_line_reaches_it() -> None:
    for path in SOURCES:
        # The command itself starts it.
        if package_of(path) not in {"app/cli", "wort_server"}:
            assert not any(name.startswith("app.cli") for name in imports_of(path)), path


def test_server_and_client_share_what_goes_over_the_wire_alone() -> None:
    for path in SOURCES:
        if package_of(path) not in {"wort", "wort/schemas"}:
            of_client = [name for name in imports_of(path) if name.split(".")[0] == "wort"]
            assert all(name.startswith("wort.schemas.") for name in of_client), path
        if package_of(path) == "wort/schemas":
            of_client = [name for name in imports_of(path) if name.split(".")[0] == "wort"]
            assert all(name.startswith("wort.schemas.") for name in of_client), path


def test_measures_import_numpy_alone() -> None:
    for path in sorted((ROOT / "measures").glob("*.py")):
        modules = {name.split(".")[0] for name in imports_of(path)}
        assert modules <= {"__future__", "typing", "collections", "numpy", "measures"}, path


@pytest.mark.parametrize(
    "path",
    [*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_files_are_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


def test_nothing_unpickles() -> None:
    """But compiled code, as numba has it, which this user kept and whose checksum holds."""
    for path in set(SOURCES) - {ROOT / "jit" / "compiled.py"}:
        assert not {"pickle", "joblib", "shelve", "marshal"} & set(imports_of(path)), path
