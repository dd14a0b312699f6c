"""Models of the registry: registered once, and never changed."""

from __future__ import annotations

import difflib

import msgspec
from sqlalchemy import Connection, insert, select

from models.given import LARGEST, refuse_repeated_keys
from models.protocol import TrainingSet
from models.registry.database import RegistryDatabase
from models.registry.entries import checked_name, checked_text, checksum, parse_ref
from models.registry.errors import BadEntry, DamagedModel, UnknownModel
from models.registry.layout import MODELS
from models.registry.records import ModelEntry, ModelVersion, Shipped
from models.registry.runs import of_id
from models.storage.rows import kept, next_number
from models.storage.times import now

CONTENT = {"artifact": "checksum", "report": "report_checksum", "report_html": "report_html_checksum"}
"""What is kept of a version as bytes, each with its checksum."""

_M = MODELS.c
_NEAR, _SHOWN = 3, 10


class Versions(RegistryDatabase):
    """The models of a registry."""

    def register(
        self,
        model: bytes,
        *,
        name: str,
        snapshot: str,
        report: bytes | None,
        dataset: TrainingSet,
        who: str,
        report_html: str | None = None,
        note: str = "",
        run: int | None = None,
    ) -> ModelVersion:
        """Keep a model file, whose content the caller has checked, as the next version of ``name``.

        ``snapshot``: the id of the one it was trained on. ``report``: as JSON. ``run``: the retraining.

        Raises:
            BadEntry: a name or text is not taken, or the file is no model of that snapshot.
            UnknownRun: there is no such retraining.
        """
        page = None if report_html is None else report_html.encode()
        entry = as_entry(model, report, page, name=name, dataset=dataset, who=who, note=note, run=run)
        if entry.snapshot != snapshot:
            raise BadEntry(f"the model was trained on snapshot {entry.snapshot}, and {snapshot} was named.")
        with self.writing() as connection:
            if run is not None:
                of_id(connection, run)
            return append(connection, entry)

    def versions(self, name: str | None = None) -> list[ModelVersion]:
        """All versions of all models, or of ``name``, in the order in which they were registered."""
        with self.reading() as connection:
            return kept(connection, ModelVersion, MODELS, *[] if name is None else [_M.name == name])

    def version(self, ref: str) -> ModelVersion:
        """The version that ``ref`` names: ``name@3``, or ``name`` for the newest.

        Raises:
            UnknownModel: there is none; the message lists near names.
        """
        with self.reading() as connection:
            return of_ref(connection, ref)

    def artifact(self, ref: str) -> bytes:
        """The model file as it was registered, its checksum verified.

        Raises:
            UnknownModel: there is no such version.
            DamagedModel: the stored bytes are not those that were registered.
        """
        content = self._content(ref, "artifact")
        if content is None:
            raise DamagedModel(f"the registry holds no file of {ref}.")
        return content

    def report(self, ref: str) -> bytes | None:
        """The report as JSON, None where none was registered; errors as ``artifact``."""
        return self._content(ref, "report")

    def report_html(self, ref: str) -> str | None:
        """The report as a page, None where none was registered; errors as ``artifact``."""
        content = self._content(ref, "report_html")
        return None if content is None else content.decode()

    def _content(self, ref: str, kind: str) -> bytes | None:
        with self.reading() as connection:
            return content_of(connection, of_ref(connection, ref), kind)


class _OfModelFile(msgspec.Struct):
    """What the registry reads of a model file; the whole of it is the caller's to check."""

    snapshot: str
    metrics: dict[str, float | None]


def facts_of(model: bytes) -> tuple[str, dict[str, float | None]]:
    """The snapshot and the metrics that a model file states.

    Raises:
        BadEntry: it is no model file.
    """
    try:
        stated = msgspec.json.decode(model, type=_OfModelFile)
        refuse_repeated_keys(model)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadEntry(f"this is no model file ({error}). `wort train` writes one.") from None
    return stated.snapshot, stated.metrics


def as_entry(
    model: bytes,
    report: bytes | None = None,
    page: bytes | None = None,
    *,
    name: str,
    dataset: TrainingSet,
    who: str,
    note: str,
    run: int | None = None,
) -> ModelEntry:
    """A model file with what is known of it, as the registry takes it."""
    snapshot, metrics = facts_of(model)
    content = {"artifact": model, "report": report, "report_html": page}
    for kind, held in content.items():
        if held is not None and len(held) > LARGEST:
            raise BadEntry(f"the {kind} has {len(held):,} bytes; at most {LARGEST:,} are kept.")
    checked_text(dataset.name, "the name of the judgements")
    return ModelEntry(
        name=checked_name(name),
        version=0,
        checksum=checksum(model),
        snapshot=checked_text(snapshot, "the snapshot's id", needed=True),
        metrics=metrics,
        dataset=dataset,
        created=now(),
        who=checked_text(who, "who does it", needed=True),
        note=checked_text(note, "the note"),
        run=run,
        report_checksum=None if report is None else checksum(report),
        report_html_checksum=None if page is None else checksum(page),
        artifact=model,
        report=report,
        report_html=page,
    )


def append(connection: Connection, entry: ModelEntry) -> ModelVersion:
    """Add the next version of a model, whichever ``entry`` says that it is. The transaction writes alone."""
    row = {
        **msgspec.structs.asdict(entry),
        "id": next_number(connection, _M.id),
        "version": next_number(connection, _M.version, _M.name == entry.name),
        "dataset": msgspec.to_builtins(entry.dataset),
    }
    connection.execute(insert(MODELS), [row])
    return kept(connection, ModelVersion, MODELS, _M.id == row["id"])[0]


def of_shipped(connection: Connection, shipped: Shipped, who: str) -> ModelVersion:
    """The version whose file is the one that ships; it is registered where there is none yet.

    Raises:
        BadEntry: it is no model file, or who does it is not said as the registry takes it.
    """
    same = (_M.name == shipped.name, _M.checksum == checksum(shipped.model))
    known = kept(connection, ModelVersion, MODELS, *same)
    if known:
        return known[-1]
    note = "what ships with wort"
    return append(
        connection, as_entry(shipped.model, name=shipped.name, dataset=shipped.dataset, who=who, note=note)
    )


def of_ref(connection: Connection, ref: str) -> ModelVersion:
    """The version that ``ref`` names: ``name@3``, or ``name`` for the newest.

    Raises:
        UnknownModel: there is none; the message lists what has a similar name.
    """
    name, version = parse_ref(ref)
    versions = kept(connection, ModelVersion, MODELS, _M.name == name) if name.isprintable() else []
    if not versions:
        raise UnknownModel(_unknown(connection, name))
    by_version = {model.version: model for model in versions}
    newest = max(by_version)
    if version is not None and version not in by_version:
        raise UnknownModel(f"{name} has versions 1 to {newest}, and no {version}.")
    return by_version[newest if version is None else version]


def _unknown(connection: Connection, name: str) -> str:
    names = list(connection.scalars(select(_M.name).distinct().order_by(_M.name)))
    if not names:
        return (
            f"no model {name!r}: the registry holds none yet. `wort models add` or `wort retrain` makes one."
        )
    near = difflib.get_close_matches(name, names, _NEAR, 0.5)
    if near:
        return f"no model {name!r}. Did you mean {', '.join(near)}?"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"no model {name!r}. There are {', '.join(names[:_SHOWN])}{more}."


def content_of(connection: Connection, model: ModelVersion, kind: str) -> bytes | None:
    """The bytes of a version, "artifact", "report" or "report_html"; None where it has none of the kind.

    Raises:
        DamagedModel: they are not those that were registered.
    """
    content, stated = connection.execute(select(_M[kind], _M[CONTENT[kind]]).where(_M.id == model.id)).one()
    if content is None and stated is None:
        return None
    digest = None if content is None else checksum(bytes(content))
    if digest != stated:
        raise DamagedModel(
            f"the {kind.replace('_', ' ')} of {model.ref} is not what was registered: its checksum is "
            f"{digest}, and {stated} was noted. Restore the database from a copy, or register the model "
            "again."
        )
    return bytes(content)
