"""The registry's tables: those of its records. ``migrations`` makes them; a test holds the two together.

Times are ISO 8601 in UTC, as in model files. Numbers are given by the registry under its write lock, from 1
without gaps, and never by the database, so that an export keeps them in whichever database it is imported.
"""

from __future__ import annotations

from functools import partial

from sqlalchemy import CheckConstraint, MetaData, UniqueConstraint

from models.registry.records import Key, ModelEntry, Release, Run
from models.storage.rows import NAMING, table_of

REVISIONS = ("0001", "0002", "0003", "0004")
"""The versions of the tables, in order; the last is that of this code."""

REVISION_TABLE = "wort_revision"
"""Where the version of the tables stands. The name is ours alone, for a database that others use too."""

METADATA = MetaData(naming_convention=NAMING)

_table = partial(table_of, METADATA)

RUNS = _table("wort_runs", Run)
"""A row a retraining; ``outcome`` is null until it has ended."""

MODELS = _table(
    "wort_models",
    ModelEntry,
    UniqueConstraint("name", "version"),
    CheckConstraint("version >= 1", name="version"),
    run="wort_runs.id",
)
"""A row a version of a model, with the bytes of its file and of its reports. Rows are never changed."""

RELEASES = _table(
    "wort_releases",
    Release,
    without={"model_id", "checksum"},
    model="wort_models.id",
    restores="wort_releases.number",
)
"""A row a release. Rows are appended and never changed; that of the greatest number is in force.

``shipped``: whether it is of what ships with wort; null in rows that are older than the column.
"""

KEYS = _table("wort_keys", Key)
"""A row a key; ``digest`` is the SHA-256 of it. A name may come again once its key is revoked."""
