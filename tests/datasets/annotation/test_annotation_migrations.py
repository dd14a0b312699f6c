"""The migrations make the tables that the code declares, beside a registry or alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from datasets.annotation.database import ANNOTATION, AnnotationDatabase
from datasets.annotation.errors import BadProjectsAddress, NotProjects, WrongProjectsSchema
from datasets.annotation.layout import METADATA, REVISION_TABLE, REVISIONS
from datasets.annotation.projects import Projects
from models.registry.registry import Registry
from models.storage.migrate import configuration
from tests.datasets.annotation.asked import made
from tests.support.databases import connected
from tests.support.registered import register


def drift(connection: Connection) -> list[object]:
    ours = {
        "version_table": REVISION_TABLE,
        "compare_type": True,
        "compare_server_default": True,
        "include_name": lambda name, kind, _: kind != "table" or name in METADATA.tables,
    }
    return list(compare_metadata(MigrationContext.configure(connection, opts=ours), METADATA))


def test_the_tables_are_those_that_the_code_declares(database: str) -> None:
    Projects.open(database).close_database()
    with connected(database) as connection:
        assert drift(connection) == []
        found = inspect(connection)
        assert set(found.get_table_names()) == {*METADATA.tables, REVISION_TABLE}
        for name, table in METADATA.tables.items():
            key = found.get_pk_constraint(name)["constrained_columns"]
            assert key == [column.name for column in table.primary_key] == ["id"]
            indexes = {index["name"] for index in found.get_indexes(name)}
            assert {index.name for index in table.indexes} <= indexes
        connection.execute(text("DROP INDEX uq_wort_annotation_judgements_one_stands"))
        assert drift(connection)


def test_every_revision_is_declared_in_order(sqlite: str) -> None:
    with connected(sqlite) as connection:
        script = ScriptDirectory.from_config(configuration(connection, ANNOTATION))
    assert tuple(found.revision for found in script.walk_revisions())[::-1] == REVISIONS


@pytest.mark.parametrize("registry_first", [True, False])
def test_a_registry_may_be_kept_beside_them(database: str, registry_first: bool) -> None:
    if registry_first:
        Registry.open(database).close()
    Projects.open(database).close_database()
    with Registry.open(database) as registry, Projects.open(database) as projects:
        assert register(registry).ref == "word@1"
        assert made(projects).id == 1
    assert AnnotationDatabase.peek(database) is not None


def test_what_is_no_database_of_projects_is_told_and_left(sqlite: str, tmp_path: Path) -> None:
    with pytest.raises(NotProjects, match=r"no database of annotation projects at .* project create"):
        Projects.open(sqlite, create=False)
    assert not (tmp_path / "registry.sqlite").exists()
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE names (title TEXT)")
    other.commit()
    other.close()
    with pytest.raises(NotProjects, match="something else"):
        Projects.open(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with pytest.raises(BadProjectsAddress, match=r"\(WORT_ANNOTATION or --database\).*not in mysql"):
        Projects.open("mysql://secret@host/projects")


def test_a_newer_database_is_refused(database: str) -> None:
    Projects.open(database).close_database()
    with connected(database) as connection:
        connection.execute(text(f"UPDATE {REVISION_TABLE} SET version_num = '9999'"))
    with pytest.raises(WrongProjectsSchema, match="9999, made by a newer version"):
        Projects.open(database)
