"""Projects, items, annotators, links, showings, judgements."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None

_PREFIX = "wort_annotation"


def upgrade() -> None:
    """Make the six tables."""
    op.create_table(
        f"{_PREFIX}_projects",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("guidelines", sa.Text, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("closed", sa.String(32)),
        sa.Column("annotators", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name=f"pk_{_PREFIX}_projects"),
    )
    op.create_table(
        f"{_PREFIX}_items",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("project", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("asked", sa.JSON, nullable=False),
        sa.Column("topic", sa.Text),
        sa.Column("group", sa.Text),
        sa.Column("gold", sa.JSON),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("draw", sa.Integer, nullable=False),
        sa.Column("given", sa.Integer, nullable=False),
        sa.Column("unknown", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name=f"pk_{_PREFIX}_items"),
        sa.UniqueConstraint("project", "name", name=f"uq_{_PREFIX}_items_project_name"),
        _references("items", "project"),
    )
    unknown = sa.text("gold IS NULL")
    op.create_index(
        f"ix_{_PREFIX}_items_by_need",
        f"{_PREFIX}_items",
        ["project", "given", "draw"],
        sqlite_where=unknown,
        postgresql_where=unknown,
    )
    op.create_table(
        f"{_PREFIX}_annotators",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("project", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("details", sa.JSON, nullable=False),
        sa.Column("began", sa.String(32), nullable=False),
        sa.Column("refused", sa.String(32)),
        sa.Column("gold_asked", sa.Integer, nullable=False),
        sa.Column("gold_right", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name=f"pk_{_PREFIX}_annotators"),
        sa.UniqueConstraint("project", "number", name=f"uq_{_PREFIX}_annotators_project_number"),
        sa.UniqueConstraint("project", "key", name=f"uq_{_PREFIX}_annotators_project_key"),
        _references("annotators", "project"),
    )
    op.create_table(
        f"{_PREFIX}_links",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("project", sa.Integer, nullable=False),
        sa.Column("scope", sa.String(16), nullable=False),
        sa.Column("annotator", sa.Integer),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("expires", sa.String(32)),
        sa.Column("withdrawn", sa.String(32)),
        sa.PrimaryKeyConstraint("id", name=f"pk_{_PREFIX}_links"),
        sa.UniqueConstraint("digest", name=f"uq_{_PREFIX}_links_digest"),
        _references("links", "project"),
        _references("links", "annotator"),
    )
    op.create_index(f"ix_{_PREFIX}_links_project", f"{_PREFIX}_links", ["project"])
    op.create_table(
        f"{_PREFIX}_showings",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("project", sa.Integer, nullable=False),
        sa.Column("annotator", sa.Integer, nullable=False),
        sa.Column("item", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("shown", sa.String(32), nullable=False),
        sa.Column("answered", sa.String(32)),
        sa.PrimaryKeyConstraint("id", name=f"pk_{_PREFIX}_showings"),
        sa.UniqueConstraint("annotator", "item", "turn", name=f"uq_{_PREFIX}_showings_annotator_item_turn"),
        *(_references("showings", column) for column in ("project", "annotator", "item")),
    )
    op.create_index(f"ix_{_PREFIX}_showings_item", f"{_PREFIX}_showings", ["item"])
    op.create_index(
        f"ix_{_PREFIX}_showings_project_answered", f"{_PREFIX}_showings", ["project", "answered", "shown"]
    )
    _judgements()


def _judgements() -> None:
    table = f"{_PREFIX}_judgements"
    op.create_table(
        table,
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("project", sa.Integer, nullable=False),
        sa.Column("annotator", sa.Integer, nullable=False),
        sa.Column("item", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Float),
        sa.Column("best", sa.Integer),
        sa.Column("worst", sa.Integer),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("undone", sa.String(32)),
        sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
        sa.UniqueConstraint("annotator", "key", name=f"uq_{table}_annotator_key"),
        *(_references("judgements", column) for column in ("project", "annotator", "item")),
    )
    op.create_index(f"ix_{table}_project", table, ["project"])
    op.create_index(f"ix_{table}_item", table, ["item"])
    stands = sa.text("undone IS NULL")
    op.create_index(
        f"uq_{table}_one_stands",
        table,
        ["annotator", "item", "turn"],
        unique=True,
        sqlite_where=stands,
        postgresql_where=stands,
    )


def _references(table: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{_PREFIX}_{column}s.id"], name=f"fk_{_PREFIX}_{table}_{column}"
    )


def downgrade() -> None:
    """Drop them, with all that they hold."""
    for table in ("judgements", "showings", "links", "annotators", "items", "projects"):
        op.drop_table(f"{_PREFIX}_{table}")
