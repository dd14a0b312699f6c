"""What a database holds that has a registry in it."""

from __future__ import annotations

from models.registry.errors import BadAddress, NotARegistry, RegistryUnavailable, WrongSchema
from models.registry.layout import METADATA, REVISION_TABLE, REVISIONS
from models.storage.database import Database
from models.storage.holding import Holding

REGISTRY = Holding(
    what="registry",
    metadata=METADATA,
    migrations="models.registry.migrations",
    revisions=REVISIONS,
    revision_table=REVISION_TABLE,
    lock=0x776F7274,  # "wort" in ASCII
    made_by="wort models add",
    updated_by="wort models list",
    setting="WORT_DATABASE",
    unavailable=RegistryUnavailable,
    bad_address=BadAddress,
    foreign=NotARegistry,
    wrong_schema=WrongSchema,
)


class RegistryDatabase(Database):
    """A database that holds a registry, or is going to; its errors are a registry's."""

    holding = REGISTRY
