"""The databases that a registry is kept in, for tests: a new SQLite file, and PostgreSQL where one answers.

``WORT_TEST_POSTGRES`` names the server and a database of it that may be connected to. Each test module
makes a database of its own there and drops it; each test finds it empty. Modules import the fixtures.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, make_url, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from tests.support.patience import PATIENCE

POSTGRES = os.environ.get("WORT_TEST_POSTGRES", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres")


def execute(url: str, *statements: str) -> None:
    """Execute statements of SQL on PostgreSQL, each by itself."""
    engine = create_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": int(PATIENCE)}
    )
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """A transaction on either database, past the registry."""
    with create_engine(url, poolclass=NullPool).begin() as connection:
        yield connection


@pytest.fixture(scope="module", name="postgres_database")
def postgres_database_fixture() -> Iterator[str]:
    """The URL of a database of PostgreSQL that is dropped afterwards; skips where no server answers."""
    name = f"wort_test_{uuid.uuid4().hex}"
    server = make_url(POSTGRES)
    try:
        execute(POSTGRES, f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    except OperationalError as error:
        reason = " ".join(str(error.orig).split())
        pytest.skip(f"no PostgreSQL answers at {server!r} (set WORT_TEST_POSTGRES): {reason}")
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        execute(POSTGRES, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(name="postgres")
def postgres_fixture(postgres_database: str) -> str:
    """The URL of an empty database of PostgreSQL."""
    execute(postgres_database, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return postgres_database


@pytest.fixture(name="sqlite")
def sqlite_fixture(tmp_path: Path) -> str:
    """The URL of a file of SQLite that does not exist yet."""
    return f"sqlite:///{tmp_path / 'registry.sqlite'}"


@pytest.fixture(name="database", params=["sqlite", "postgres"])
def database_fixture(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database, in SQLite and in PostgreSQL."""
    url: str = request.getfixturevalue(request.param)
    return url
