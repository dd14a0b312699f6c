"""What Alembic runs: the migrations, within the transaction of the connection that it was handed."""

from __future__ import annotations

from models.storage.migrate import run

run()
