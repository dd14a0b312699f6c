"""Models, releases and retrainings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "wort_runs",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("began", sa.String(32), nullable=False),
        sa.Column("parameters", sa.JSON, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("pid", sa.Integer),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("done", sa.BigInteger),
        sa.Column("total", sa.BigInteger),
        sa.Column("updated", sa.String(32), nullable=False),
        sa.Column("outcome", sa.String(16)),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("model", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_wort_runs"),
    )
    op.create_table(
        "wort_models",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("checksum", sa.String(64), nullable=False),
        sa.Column("snapshot", sa.Text, nullable=False),
        sa.Column("metrics", sa.JSON, nullable=False),
        sa.Column("dataset", sa.JSON, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("run", sa.Integer),
        sa.Column("report_checksum", sa.String(64)),
        sa.Column("report_html_checksum", sa.String(64)),
        sa.Column("artifact", sa.LargeBinary, nullable=False),
        sa.Column("report", sa.LargeBinary),
        sa.Column("report_html", sa.LargeBinary),
        sa.PrimaryKeyConstraint("id", name="pk_wort_models"),
        sa.UniqueConstraint("name", "version", name="uq_wort_models_name_version"),
        sa.ForeignKeyConstraint(["run"], ["wort_runs.id"], name="fk_wort_models_run"),
        sa.CheckConstraint("version >= 1", name=op.f("ck_wort_models_version")),
    )
    op.create_table(
        "wort_releases",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("model", sa.Integer, nullable=False),
        sa.Column("snapshot_id", sa.Text, nullable=False),
        sa.Column("location", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("restores", sa.Integer),
        sa.PrimaryKeyConstraint("number", name="pk_wort_releases"),
        sa.ForeignKeyConstraint(["model"], ["wort_models.id"], name="fk_wort_releases_model"),
        sa.ForeignKeyConstraint(["restores"], ["wort_releases.number"], name="fk_wort_releases_restores"),
    )


def downgrade() -> None:
    """Drop them, with all that they hold."""
    op.drop_table("wort_releases")
    op.drop_table("wort_models")
    op.drop_table("wort_runs")
