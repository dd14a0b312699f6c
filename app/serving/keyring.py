"""The keys that open a server, read from its registry beside the requests."""

from __future__ import annotations

import datetime
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import structlog

from app.serving.opening import trouble
from app.settings import Settings
from models.registry.database import REGISTRY
from models.registry.keys import digest_of, id_of
from models.registry.records import Key
from models.registry.registry import Registry
from models.storage.address import DatabaseAddress

log: Any = structlog.get_logger("wort")

ADMIN_KEY = "admin-key"
"""What the caller is called who has ``WORT_ADMIN_KEY``: no id of a key is written so."""


class Caller(NamedTuple):
    """Who has sent a key that is in force.

    ``name``: the key's id, which tells it from all others. ``called``: what people call it.
    """

    name: str
    admin: bool
    called: str


class Keyring:
    """Tells whether a key opens the server, without asking the registry for it.

    Where keys are required, a thread reads those of the registry every ``follow_seconds``, so that a new key
    opens and a revoked one no longer does within that time. While the registry is away, those that were read
    last stay in force. ``admin_key`` opens everywhere, whatever is required.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        """Read the keys once, where they are required. ``clock``: seconds since 1970.

        Raises:
            RegistryError: there is a registry, and it cannot be asked.
        """
        self.required = settings.require_key
        self._url = settings.registry
        self._shown = str(DatabaseAddress.parse(self._url, REGISTRY))
        self._seconds = settings.follow_seconds
        secret = None if settings.admin_key is None else settings.admin_key.get_secret_value()
        self._admin = None if secret is None else digest_of(secret)
        self._clock = clock
        self._keys: Mapping[int, Key] = {}
        self._registry: Registry | None = None
        self._away = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="keys", daemon=True)
        if self.required:
            self._read()
            if not self._keys and self._admin is None:
                log.warning(
                    "no key opens this server yet: `wort keys create` makes one", registry=self._shown
                )

    @property
    def has_keys(self) -> bool:
        """Whether any key may open this server, one that starts retrainings among them."""
        return self.required or self._admin is not None

    def find(self, key: str) -> Caller | None:
        """Who sends ``key``; None where it is not in force."""
        digest = digest_of(key)
        # Digests are compared in a time that does not tell how much of one is right.
        if self._admin is not None and secrets.compare_digest(digest, self._admin):
            return Caller(ADMIN_KEY, admin=True, called="the admin key")
        identity = id_of(key)
        kept = None if identity is None else self._keys.get(identity)
        if kept is None or not secrets.compare_digest(digest, kept.digest):
            return None
        expires = None if kept.expires is None else datetime.datetime.fromisoformat(kept.expires)
        if expires is not None and self._clock() >= expires.timestamp():
            return None
        return Caller(str(kept.id), "admin" in kept.scopes, kept.name)

    def start(self) -> None:
        """Begin to read the keys again and again, where they are required."""
        if self.required and self._seconds > 0:
            self._thread.start()

    def stop(self) -> None:
        """Stop reading."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)
        if self._registry is not None and not self._thread.is_alive():
            self._registry.close()

    def look(self) -> None:
        """Read the keys once more; where that fails, those that were read before stay."""
        try:
            self._read()
        except Exception as error:
            # Whatever it is: those who have a key go on to be answered, and the registry is asked again.
            if not self._away:
                log.warning("keys cannot be read", registry=self._shown, reason=trouble(error))
            self._away = True
            return
        if self._away:
            log.info("keys are read again", registry=self._shown)
        self._away = False

    def _follow(self) -> None:
        while not self._stopping.wait(self._seconds):
            self.look()

    def _read(self) -> None:
        if self._registry is None:
            self._registry = Registry.peek(self._url)
        if self._registry is not None:
            # One assignment: a request sees all of the keys, as they were or as they are.
            self._keys = {key.id: key for key in self._registry.keys.unrevoked()}
