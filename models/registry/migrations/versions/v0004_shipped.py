"""Which releases are of what ships with wort."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"


def upgrade() -> None:
    """Add the column; no older release is of what ships."""
    op.add_column("wort_releases", sa.Column("shipped", sa.Boolean))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("wort_releases", "shipped")
