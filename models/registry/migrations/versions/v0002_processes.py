"""What tells the process of a retraining from others of its number."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    """Add the column; of older retrainings it is not known."""
    op.add_column("wort_runs", sa.Column("process", sa.Text))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("wort_runs", "process")
