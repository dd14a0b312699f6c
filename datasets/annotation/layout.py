"""The tables of annotation projects: those of their records. ``migrations`` makes them.

Numbers are given under the write lock, so that judgements are numbered in the order in which they were taken.
"""

from __future__ import annotations

from functools import partial

from sqlalchemy import Index, MetaData, UniqueConstraint

from datasets.annotation.records import (
    AccessLink,
    Project,
    ProjectAnnotator,
    ProjectItem,
    ProjectJudgement,
    Showing,
)
from models.storage.rows import NAMING, table_of

REVISIONS = ("0001",)
"""The versions of the tables, in order; the last is that of this code."""

REVISION_TABLE = "wort_annotation_revision"
"""Where the version of the tables stands."""

METADATA = MetaData(naming_convention=NAMING)

_PROJECT = "wort_annotation_projects.id"
_ITEM = "wort_annotation_items.id"
_ANNOTATOR = "wort_annotation_annotators.id"

_table = partial(table_of, METADATA)

PROJECTS = _table("wort_annotation_projects", Project)
"""A row a project."""

ITEMS = _table(
    "wort_annotation_items",
    ProjectItem,
    UniqueConstraint("project", "name"),
    project=_PROJECT,
)
"""A row an item. ``given`` and ``unknown`` are counted anew with each answer."""

BY_NEED = Index(
    "ix_wort_annotation_items_by_need",
    ITEMS.c.project,
    ITEMS.c.given,
    ITEMS.c.draw,
    sqlite_where=ITEMS.c.gold.is_(None),
    postgresql_where=ITEMS.c.gold.is_(None),
)
"""By which the item that is shown next is found among many thousands."""

ANNOTATORS = _table(
    "wort_annotation_annotators",
    ProjectAnnotator,
    UniqueConstraint("project", "number"),
    UniqueConstraint("project", "key"),
    project=_PROJECT,
)
"""A row an annotator."""

LINKS = _table(
    "wort_annotation_links",
    AccessLink,
    UniqueConstraint("digest"),
    Index("ix_wort_annotation_links_project", "project"),
    project=_PROJECT,
    annotator=_ANNOTATOR,
)
"""A row a link; ``digest`` is the SHA-256 of its token."""

SHOWINGS = _table(
    "wort_annotation_showings",
    Showing,
    UniqueConstraint("annotator", "item", "turn"),
    Index("ix_wort_annotation_showings_item", "item"),
    Index("ix_wort_annotation_showings_project_answered", "project", "answered", "shown"),
    project=_PROJECT,
    annotator=_ANNOTATOR,
    item=_ITEM,
)
"""A row an item that was shown to an annotator; the same in the same turn is never shown as another."""

JUDGEMENTS = _table(
    "wort_annotation_judgements",
    ProjectJudgement,
    UniqueConstraint("annotator", "key"),
    Index("ix_wort_annotation_judgements_project", "project"),
    Index("ix_wort_annotation_judgements_item", "item"),
    project=_PROJECT,
    annotator=_ANNOTATOR,
    item=_ITEM,
)
"""A row an answer, whether it stands or was undone."""

ONE_STANDS = Index(
    "uq_wort_annotation_judgements_one_stands",
    JUDGEMENTS.c.annotator,
    JUDGEMENTS.c.item,
    JUDGEMENTS.c.turn,
    unique=True,
    sqlite_where=JUDGEMENTS.c.undone.is_(None),
    postgresql_where=JUDGEMENTS.c.undone.is_(None),
)
"""Of an annotator's answers to an item in a turn, one stands: the database itself refuses a second."""

EVERY_ROW = (JUDGEMENTS, SHOWINGS, LINKS, ANNOTATORS, ITEMS)
"""The tables with the rows of a project, in an order in which they can be deleted."""
