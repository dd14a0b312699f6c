"""What the registry tells: models, releases, retrainings, keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import msgspec

Outcome = Literal["promoted", "registered", "refused", "failed"]
"""How a retraining ended."""

T = TypeVar("T", bound=msgspec.Struct)

KeyScope = Literal["score", "admin"]
"""What a key allows: to ask, or to retrain as well."""


class Dataset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The judgements that a model was fitted to.

    ``checksum``: BLAKE2b-256 of the file, in hex. ``pairs``: those that training read; ``fitted``: those of
    them that the model was fitted to; ``topics``: those of the fitted pairs; None where nobody said.
    ``parts``: where several files were joined, their checksums; ``checksum`` is then a digest of these.
    """

    name: str
    checksum: str
    pairs: int
    fitted: int | None = None
    topics: int | None = None
    parts: tuple[str, ...] = ()


class ModelVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A registered version of a model.

    ``version``: 1, 2, … for each name. ``checksum``: BLAKE2b-256 of the model file, in hex. ``snapshot``: the
    id of the one it was trained on. ``metrics``: as in the model file. ``created``: when it was registered.
    ``run``: the retraining that it came from. ``report_checksum``, ``report_html_checksum``: None where there
    is no such report.
    """

    id: int
    name: str
    version: int
    checksum: str
    snapshot: str
    metrics: dict[str, float | None]
    dataset: Dataset
    created: str
    who: str
    note: str
    run: int | None
    report_checksum: str | None
    report_html_checksum: str | None

    @property
    def ref(self) -> str:
        """What the version is called: ``name@version``."""
        return f"{self.name}@{self.version}"


class Shipped(msgspec.Struct, frozen=True, kw_only=True):
    """What ships with the version of wort that calls, which is in force where nothing else is.

    ``model``: the model file, and ``name`` what it is called; ``snapshot_id`` and ``location``: the id of the
    snapshot and its absolute folder; ``dataset``: the judgements that the model was fitted to.
    """

    model: bytes
    name: str
    snapshot_id: str
    location: str
    dataset: Dataset


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A model together with the snapshot it was judged on.

    ``model``: its ref; ``model_id`` and ``checksum``: its own. ``location``: the absolute folder of the
    snapshot. ``at``: when the release was made. ``restores``: the number of the release whose content it
    brings back. ``shipped``: it is of what ships with wort, wherever that is installed and whichever version
    it is; model and snapshot are those that shipped when it was made.
    """

    number: int
    model: str
    model_id: int
    checksum: str
    snapshot_id: str
    location: str
    reason: str
    who: str
    at: str
    restores: int | None
    shipped: bool = False

    @property
    def content(self) -> tuple[int, str, str]:
        """What the release puts in force: model, snapshot, and where that is."""
        if self.shipped:
            return 0, "", ""
        return self.model_id, self.snapshot_id, self.location


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A retraining.

    ``host`` and ``pid``: the process that does it; ``process``: what tells it from others of that number.
    ``step``: what it does now, ``done`` of ``total`` of it. ``updated``: when it last said so, by the clock
    of the database. ``outcome``: None until it has ended; then ``message`` says why, and ``model`` is the ref
    of what it registered, if it did.
    """

    id: int
    who: str
    began: str
    parameters: dict[str, Any]
    host: str
    pid: int | None
    process: str | None
    step: str
    done: int | None
    total: int | None
    updated: str
    outcome: Outcome | None
    message: str
    model: str | None


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A key to a service, without its secret.

    ``digest``: the SHA-256 of the key, in hex. ``created``, ``expires``, ``revoked``: ISO 8601 in UTC; None
    for never, and for not. ``who``: who made it.
    """

    id: int
    name: str
    digest: str
    scopes: tuple[KeyScope, ...]
    created: str
    who: str
    expires: str | None
    revoked: str | None


def of_row(record: type[T], row: Mapping[Any, Any]) -> T:
    """The record that a row of the database holds; what it has no field for is left out."""
    return msgspec.convert({str(name): value for name, value in row.items()}, record)
