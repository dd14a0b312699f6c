"""Keys that a service asks for: made, listed and revoked.

A key is written ``wort_<id>_<secret>``: by its beginning a scanner of leaked secrets knows it, and by the id
its row is found. The secret is 256 random bits. What is kept is the SHA-256 of the whole key. A slow hash
with a salt, as passwords need, would add nothing: it makes guesses dear, and nobody guesses 256 random bits
whatever a guess costs, while a service has to check a key with every request.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
import unicodedata
from collections.abc import Iterable
from typing import get_args

from sqlalchemy import Connection, insert, update

from models.registry.database import RegistryDatabase
from models.registry.entries import checked_name, checked_text
from models.registry.errors import BadEntry, UnknownKey
from models.registry.layout import KEYS
from models.registry.records import Key, KeyScope
from models.storage.rows import NUMBERS, kept, next_number
from models.storage.times import now

SCOPES: tuple[KeyScope, ...] = get_args(KeyScope)
"""What a key may allow. ``admin`` includes ``score``."""

_PREFIX = "wort"
_BYTES = 32
_NAMES = "is no number, and has no control or invisible characters and no space at its ends"
_K = KEYS.c


def digest_of(key: str) -> str:
    """What is kept of a key: its SHA-256, in hex."""
    return hashlib.sha256(key.encode()).hexdigest()


def id_of(key: str) -> int | None:
    """The id that a key names; None where it is not written like a key."""
    prefix, _, rest = key.partition("_")
    number, _, secret = rest.partition("_")
    if prefix != _PREFIX or len(secret) != 2 * _BYTES:
        return None
    return int(number) if number.isascii() and number.isdigit() and len(number) <= 10 else None


class Keys:
    """The keys of a registry. Every method is one transaction, and raises as those of ``Registry``."""

    def __init__(self, database: RegistryDatabase) -> None:
        self._database = database

    def create(
        self, *, name: str, scopes: Iterable[str], who: str, expires: datetime.datetime | None = None
    ) -> tuple[Key, str]:
        """Make a key. What is told besides the row is the key itself, which nobody can tell a second time.

        ``expires``: with a time zone; None for never.

        Raises:
            BadEntry: the name is not taken, or is that of a key in force; there is no such scope, or none was
                named; or the time has passed.
        """
        row = {
            "name": checked_name(name, "a key", _is_number, _NAMES),
            "scopes": _checked_scopes(scopes),
            "created": now(),
            "who": checked_text(who, "who does it", needed=True),
            "expires": None if expires is None else _checked_time(expires),
            "revoked": None,
        }
        with self._database.writing() as connection:
            if kept(connection, Key, KEYS, _K.revoked.is_(None), _K.name == row["name"]):
                raise BadEntry(
                    f"there is a key {row['name']!r} already. Choose another name, or revoke that one first."
                )
            identity = next_number(connection, _K.id)
            key = f"{_PREFIX}_{identity}_{secrets.token_hex(_BYTES)}"
            connection.execute(insert(KEYS), [{**row, "id": identity, "digest": digest_of(key)}])
            return kept(connection, Key, KEYS, _K.id == identity)[0], key

    def listed(self) -> list[Key]:
        """All keys that were ever made, the first one first."""
        with self._database.reading() as connection:
            return kept(connection, Key, KEYS)

    def unrevoked(self) -> list[Key]:
        """The keys that were not revoked; some of them may have expired."""
        with self._database.reading() as connection:
            return kept(connection, Key, KEYS, _K.revoked.is_(None))

    def revoke(self, ref: str) -> Key:
        """End a key for good: that of the name ``ref``, or of the number.

        Raises:
            UnknownKey: there is none in force of that name, or none of that number, or it was revoked before.
        """
        with self._database.writing() as connection:
            key = _of_ref(connection, ref)
            connection.execute(update(KEYS).where(_K.id == key.id).values(revoked=now()))
            return kept(connection, Key, KEYS, _K.id == key.id)[0]


def _of_ref(connection: Connection, ref: str) -> Key:
    """The key that ``ref`` names, which was not revoked."""
    if not _is_number(ref):
        name = unicodedata.normalize("NFC", ref)
        # What cannot be a name is not asked for: no database takes every character.
        keys = (
            kept(connection, Key, KEYS, _K.revoked.is_(None), _K.name == name) if name.isprintable() else []
        )
    else:
        keys = kept(connection, Key, KEYS, _K.id == int(ref)) if int(ref) < NUMBERS else []
    if not keys:
        raise UnknownKey(f"there is no key {ref!r} in force. `wort keys list` shows all.")
    if keys[0].revoked is not None:
        raise UnknownKey(f"key {ref} was revoked already, at {keys[0].revoked}.")
    return keys[0]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _checked_scopes(scopes: Iterable[str]) -> list[str]:
    asked = set(scopes)
    if not asked or asked - set(SCOPES):
        named = ", ".join(sorted(asked - set(SCOPES))) or "none"
        raise BadEntry(f"a key has the scopes {' or '.join(SCOPES)}, or both; {named} was named.")
    return [scope for scope in SCOPES if scope in asked]


def _checked_time(expires: datetime.datetime) -> str:
    time = expires.astimezone(datetime.UTC).isoformat(timespec="seconds")
    if expires <= datetime.datetime.now(datetime.UTC):
        raise BadEntry(f"a key that expires at {time} would never work. Name a later day.")
    return time
