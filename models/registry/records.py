"""What the registry keeps and tells: models, releases, retrainings, keys.

Its tables and exports follow from this. In an export, a record states its ``tag``, and leaves out what means
nothing elsewhere, which has a default.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from models.protocol import TrainingSet
from models.storage.rows import NUMBERS

COUNTS = 2**63
"""What is counted is below this: a number of bytes may be large."""

Number = Annotated[int, Meta(ge=1, le=NUMBERS - 1)]
Count = Annotated[int, Meta(ge=0, le=COUNTS - 1)]
ProcessId = Annotated[int, Meta(ge=0, le=NUMBERS - 1)]
Time = Annotated[str, Meta(max_length=32)]
"""ISO 8601 in UTC."""
Digest = Annotated[str, Meta(max_length=64)]
"""Of 256 bits, in hex."""

Outcome = Literal["promoted", "registered", "refused", "failed"]
"""How a retraining ended."""

KeyScope = Literal["score", "admin"]
"""What a key allows: to ask, or to retrain as well."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="record"):
    """What is kept in a row of a table."""


class Run(Record, tag="run", frozen=True, kw_only=True):
    """A retraining.

    ``host`` and ``pid``: the process that does it; ``process``: what tells it from others of that number.
    ``step``: what it does now, ``done`` of ``total`` of it. ``updated``: when it last said so, by the clock
    of the database. ``outcome``: None until it has ended; then ``message`` says why, and ``model`` is the ref
    of what it registered, if it did.
    """

    id: Number
    who: str
    began: Time
    parameters: dict[str, Any]
    host: str
    pid: ProcessId | None
    process: str | None = None
    step: str
    done: Count | None
    total: Count | None
    updated: Time
    outcome: Outcome | None
    message: str
    model: str | None


class ModelVersion(Record, frozen=True, kw_only=True):
    """A registered version of a model.

    ``version``: 1, 2, … for each name. ``checksum``: BLAKE2b-256 of the model file. ``snapshot``: the id of
    the one it was trained on. ``metrics``: as in the model file. ``dataset``: the judgements that it was
    fitted to. ``created``: when it was registered. ``run``: the retraining that it came from.
    ``report_checksum``, ``report_html_checksum``: None where there is no such report.
    """

    id: Number = 0
    name: str
    version: Number
    checksum: Digest
    snapshot: str
    metrics: dict[str, float | None]
    dataset: TrainingSet
    created: Time
    who: str
    note: str
    run: Number | None
    report_checksum: Digest | None
    report_html_checksum: Digest | None

    @property
    def ref(self) -> str:
        """What the version is called: ``name@version``."""
        return f"{self.name}@{self.version}"


class ModelEntry(ModelVersion, tag="model", frozen=True, kw_only=True):
    """A version of a model, and its bytes: the model file, and the reports on it."""

    artifact: bytes
    report: bytes | None
    report_html: bytes | None


class Release(Record, tag="release", frozen=True, kw_only=True):
    """A model together with the snapshot it was judged on.

    ``model``: its ref; ``model_id`` and ``checksum``: its own. ``location``: the absolute folder of the
    snapshot. ``at``: when the release was made. ``restores``: the number of the release whose content it
    brings back. ``shipped``: it is of what ships with wort, wherever that is installed and whichever version
    it is; model and snapshot are those that shipped when it was made.
    """

    number: Number
    model: str
    model_id: Number = 0
    checksum: Digest = ""
    snapshot_id: str
    location: str
    reason: str
    who: str
    at: Time
    restores: Number | None
    shipped: bool = False

    @property
    def content(self) -> tuple[int, str, str]:
        """What the release puts in force: model, snapshot, and where that is."""
        if self.shipped:
            return 0, "", ""
        return self.model_id, self.snapshot_id, self.location


class Key(Record, frozen=True, kw_only=True):
    """A key to a service, without its secret.

    ``digest``: the SHA-256 of the key. ``expires``, ``revoked``: None for never, and for not. ``who``: who
    made it.
    """

    id: Number
    name: str
    digest: Digest
    scopes: tuple[KeyScope, ...]
    created: Time
    who: str
    expires: Time | None
    revoked: Time | None


class Shipped(msgspec.Struct, frozen=True, kw_only=True):
    """What ships with the version of wort that calls, which is in force where nothing else is.

    ``model``: the model file, and ``name`` what it is called; ``snapshot_id`` and ``location``: the id of the
    snapshot and its absolute folder; ``dataset``: the judgements that the model was fitted to.
    """

    model: bytes
    name: str
    snapshot_id: str
    location: str
    dataset: TrainingSet
