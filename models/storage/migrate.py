"""Bringing the tables of a database to the version of this code. The one place that loads Alembic."""

from __future__ import annotations

from importlib.resources import files

from alembic import command, context
from alembic.config import Config
from sqlalchemy import Connection

from models.storage.holding import Holding


def configuration(connection: Connection, holding: Holding) -> Config:
    """What Alembic needs to know: where the migrations are, and the connection to work on."""
    config = Config()
    # An option's % is an interpolation; a folder's is not.
    folder = str(files(holding.migrations))
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes |= {"connection": connection, "holding": holding}
    return config


def migrate(connection: Connection, holding: Holding, revision: str = "head") -> None:
    """Bring the tables to ``revision`` within the connection's transaction: wholly or not at all."""
    command.upgrade(configuration(connection, holding), revision)


def run() -> None:
    """What the ``env.py`` of migrations does: run them in the transaction of the connection it was handed."""
    holding: Holding = context.config.attributes["holding"]
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=holding.metadata,
        version_table=holding.revision_table,
    )
    context.run_migrations()
