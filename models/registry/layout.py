"""The registry's tables. ``migrations`` makes them; a test holds the two together.

Times are ISO 8601 in UTC, as in model files. Numbers are given by the registry under its write lock, from 1
without gaps, and never by the database, so that an export keeps them in whichever database it is imported.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

REVISIONS = ("0001", "0002", "0003", "0004")
"""The versions of the tables, in order; the last is that of this code."""

REVISION_TABLE = "wort_revision"
"""Where the version of the tables stands. The name is ours alone, for a database that others use too."""

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

RUNS = Table(
    "wort_runs",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("who", Text, nullable=False),
    Column("began", String(32), nullable=False),
    Column("parameters", JSON, nullable=False),
    Column("host", Text, nullable=False),
    Column("pid", Integer),
    Column("process", Text),
    Column("step", Text, nullable=False),
    Column("done", BigInteger),
    Column("total", BigInteger),
    Column("updated", String(32), nullable=False),
    Column("outcome", String(16)),
    Column("message", Text, nullable=False),
    Column("model", Text),
)
"""A row a retraining; ``outcome`` is null until it has ended."""

MODELS = Table(
    "wort_models",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("checksum", String(64), nullable=False),
    Column("snapshot", Text, nullable=False),
    Column("metrics", JSON, nullable=False),
    Column("dataset", JSON, nullable=False),
    Column("created", String(32), nullable=False),
    Column("who", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("run", ForeignKey(RUNS.c.id)),
    Column("report_checksum", String(64)),
    Column("report_html_checksum", String(64)),
    Column("artifact", LargeBinary, nullable=False),
    Column("report", LargeBinary),
    Column("report_html", LargeBinary),
    UniqueConstraint("name", "version"),
    CheckConstraint("version >= 1", name="version"),
)
"""A row a version of a model, with the bytes of its file and of its reports. Rows are never changed."""

RELEASES = Table(
    "wort_releases",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("model", ForeignKey(MODELS.c.id), nullable=False),
    Column("snapshot_id", Text, nullable=False),
    Column("location", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", String(32), nullable=False),
    Column("restores", ForeignKey("wort_releases.number")),
    Column("shipped", Boolean),
)
"""A row a release. Rows are appended and never changed; that of the greatest number is in force.

``shipped``: whether it is of what ships with wort; null in rows that are older than the column.
"""

KEYS = Table(
    "wort_keys",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("created", String(32), nullable=False),
    Column("who", Text, nullable=False),
    Column("expires", String(32)),
    Column("revoked", String(32)),
)
"""A row a key; ``digest`` is the SHA-256 of it. A name may come again once its key is revoked."""
