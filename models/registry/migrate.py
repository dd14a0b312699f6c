"""Bringing a registry's tables to the version of this code. The one place that loads Alembic."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def configuration(connection: Connection) -> Config:
    """What Alembic needs to know: where the migrations are, and the connection to work on."""
    config = Config()
    # An option's % is an interpolation; a folder's is not.
    folder = str(files("models.registry") / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def migrate(connection: Connection, revision: str = "head") -> None:
    """Bring the tables to ``revision`` within the connection's transaction: wholly or not at all."""
    command.upgrade(configuration(connection), revision)
