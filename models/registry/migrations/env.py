"""What Alembic runs: the migrations, within the transaction of the connection that it was handed."""

from __future__ import annotations

from alembic import context

from models.registry.layout import METADATA, REVISION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=REVISION_TABLE,
)
context.run_migrations()
