"""Projects in an empty database, in SQLite and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from datasets.annotation.projects import Projects
from tests.support.databases import (  # noqa: F401
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)


@pytest.fixture(name="projects")
def projects_fixture(database: str) -> Iterator[Projects]:
    with Projects.open(database) as projects:
        yield projects
