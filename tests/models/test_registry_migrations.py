"""The migrations make the tables that the code declares, from wherever they start."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, inspect, text

from models.registry.database import REGISTRY
from models.registry.errors import NotARegistry, RegistryUnavailable, WrongSchema
from models.registry.layout import METADATA, MODELS, RELEASES, REVISION_TABLE, REVISIONS
from models.registry.registry import Registry
from models.storage.holding import Holding
from models.storage.migrate import configuration, migrate
from tests.support.databases import (  # noqa: F401
    connected,
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.registered import register


def drift(connection: Connection) -> list[object]:
    options = {"version_table": REVISION_TABLE, "compare_type": True, "compare_server_default": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), METADATA))


def test_the_tables_are_those_that_the_code_declares(database: str) -> None:
    Registry.open(database).close()
    with connected(database) as connection:
        assert drift(connection) == []
        found = inspect(connection)
        assert set(found.get_table_names()) == {*METADATA.tables, REVISION_TABLE}
        for name, table in METADATA.tables.items():
            declared = {str(constraint.name) for constraint in table.constraints}
            made = [
                found.get_pk_constraint(name),
                *found.get_foreign_keys(name),
                *found.get_unique_constraints(name),
                *found.get_check_constraints(name),
            ]
            assert {str(constraint["name"]) for constraint in made} == declared
        connection.execute(text("ALTER TABLE wort_runs ADD COLUMN extra INTEGER"))
        assert drift(connection)


def test_every_revision_is_declared_in_order(sqlite: str) -> None:
    with connected(sqlite) as connection:
        script = ScriptDirectory.from_config(configuration(connection, REGISTRY))
    assert tuple(found.revision for found in script.walk_revisions())[::-1] == REVISIONS
    assert script.get_heads() == [REVISIONS[-1]]


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_older_registry_is_brought_up_to_date(database: str, revision: str) -> None:
    with connected(database) as connection:
        migrate(connection, REGISTRY, revision)
        connection.execute(
            text(
                "INSERT INTO wort_runs (id, who, began, parameters, host, pid, step, updated, message) "
                "VALUES (1, 'ann', '2026-01-01T00:00:00+00:00', '{}', 'h', 7, '', "
                "'2026-01-01T00:00:00+00:00', '')"
            )
        )
    with Registry.open(database) as registry:
        assert register(registry).ref == "word@1"
        assert (registry.run(1).pid, registry.run(1).process) == (7, None)
    with connected(database) as connection:
        assert drift(connection) == []


def test_an_older_registry_is_named_so_to_who_only_looks(database: str) -> None:
    Registry.open(database).close()
    with connected(database) as connection:
        connection.execute(text(f"UPDATE {REVISION_TABLE} SET version_num = '{REVISIONS[-2]}'"))
    with pytest.raises(
        WrongSchema,
        match=rf"version {REVISIONS[-2]}, .* needs {REVISIONS[-1]}\. `wort models list` brings",
    ):
        Registry.peek(database)


def test_a_newer_registry_is_refused_and_left(database: str) -> None:
    Registry.open(database).close()
    with connected(database) as connection:
        connection.execute(text(f"UPDATE {REVISION_TABLE} SET version_num = '9999'"))
    for ask in (Registry.open, Registry.peek):
        with pytest.raises(WrongSchema, match=r"9999, made by a newer version .* Use that version"):
            ask(database)


def test_a_migration_that_fails_leaves_nothing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(connection: Connection, holding: Holding) -> None:
        migrate(connection, holding)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("models.storage.migrate.migrate", fail)
        with pytest.raises(KeyboardInterrupt):
            Registry.open(database)
    assert Registry.peek(database) is None
    with Registry.open(database) as registry:
        assert registry.versions() == []


def test_a_database_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "concepts.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE names (title TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    for ask in (Registry.open, Registry.peek):
        with pytest.raises(NotARegistry, match="something else"):
            ask(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_other_tables_of_a_server_are_left_alone(postgres: str) -> None:
    with connected(postgres) as connection:
        connection.execute(text("CREATE TABLE releases (title TEXT)"))
        connection.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('theirs')"))
    assert Registry.peek(postgres) is None
    with Registry.open(postgres) as registry:
        register(registry)
    with connected(postgres) as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "theirs"


def test_a_registry_that_lost_a_table_says_so(database: str) -> None:
    with Registry.open(database) as registry:
        with connected(database) as connection:
            connection.execute(text("DROP TABLE wort_releases"))
        with pytest.raises(NotARegistry, match="lacks tables"):
            registry.latest_number()


def test_the_database_itself_refuses_what_cannot_be(database: str) -> None:
    with Registry.open(database) as registry:
        made = register(registry)
        release = {
            "model": made.id,
            "snapshot_id": "s",
            "location": "/s",
            "reason": "r",
            "who": "w",
            "at": "t",
        }
        for wrong in ({"number": 1, "model": 9}, {"number": 1, "restores": 9}):
            told = pytest.raises(RegistryUnavailable, match="Nothing was written")
            with told, registry.writing() as connection:
                connection.execute(insert(RELEASES), [release | wrong])
        again = {
            name: getattr(made, name)
            for name in ("name", "version", "checksum", "snapshot", "created", "who")
        }
        row = {**again, "id": 2, "metrics": {}, "dataset": {}, "note": "", "artifact": b""}
        for more in ({}, {"version": 0}):
            with pytest.raises(RegistryUnavailable), registry.writing() as connection:
                connection.execute(insert(MODELS), [row | more])
        assert registry.versions() == [made]
        assert registry.latest_number() == 0
