"""The keys that a service asks for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "wort_keys",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("scopes", sa.JSON, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("expires", sa.String(32)),
        sa.Column("revoked", sa.String(32)),
        sa.PrimaryKeyConstraint("id", name="pk_wort_keys"),
    )


def downgrade() -> None:
    """Drop it, and with it every key."""
    op.drop_table("wort_keys")
