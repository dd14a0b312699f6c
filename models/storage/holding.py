"""What a database is to hold: its tables, their versions, and how its troubles are told."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import MetaData

OURS = "wort_"
"""What the names of all our tables begin with, whatever they hold."""


@dataclass(frozen=True)
class Holding:
    """Something that is kept in a database, beside others of ours or alone.

    ``what``: what people call it, as in "the registry". ``migrations``: the package that has them.
    ``revisions``: the versions of the tables, in order, the last that of this code; ``revision_table``: where
    the version stands. ``lock``: the key of PostgreSQL's advisory lock that writers hold to the end of their
    transaction; under it the numbers that are given are without gaps, as they are under SQLite's lock.
    ``made_by``, ``updated_by``: the commands that make one, and bring one up to date. ``setting``: the
    variable of the environment that says where it is.

    The errors: the database is away or refuses; the URL is of no kind that is known; it holds something else
    or is damaged; its tables are of another version.
    """

    what: str
    metadata: MetaData
    migrations: str
    revisions: tuple[str, ...]
    revision_table: str
    lock: int
    made_by: str
    updated_by: str
    setting: str
    unavailable: type[Exception]
    bad_address: type[Exception]
    foreign: type[Exception]
    wrong_schema: type[Exception]
