"""The form of an export: one JSON record a line, checked on the way in.

The first line names the format, each further one is a retraining, a model or a release, in this order, and
the last one holds the number of records and the BLAKE2b-256 of all bytes before it. Model files and reports
stand in their records as Base64, with their checksums. The same registry gives the same bytes.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any, BinaryIO, NamedTuple, Union

import msgspec

from models.given import refuse_repeated_keys
from models.registry.entries import COUNTS, LARGEST, NUMBERS, checked_name, checked_text, checksum, parse_ref
from models.registry.errors import DamagedExport, RegistryError
from models.registry.records import ModelVersion, Release, Run
from models.registry.versions import facts_of
from models.whole_file import whole_file

FORMAT = "wort registry"
"""What the first line calls itself."""

VERSION = 1
"""The version of the format that is written and read here."""

_LONGEST_LINE = 5 * LARGEST
"""Bytes: room for a model file and two reports of the largest size, as Base64, and what is said of them."""

_ADVICE = "Copy the file again, or export the registry again. Nothing was imported."


class ModelEntry(ModelVersion, frozen=True, kw_only=True):
    """A version of a model, and its bytes."""

    artifact: bytes
    report: bytes | None
    report_html: bytes | None


Entry = Run | ModelEntry | Release


class _Kind(NamedTuple):
    """How a record is written. ``left_out``: what means nothing elsewhere, and what stands there instead."""

    record: type[Entry]
    tag: str
    left_out: dict[str, Any]
    omit_defaults: bool = False


_KINDS = (
    _Kind(Run, "run", {"process": None}),
    _Kind(ModelEntry, "model", {"id": 0}),
    _Kind(Release, "release", {"model_id": 0, "checksum": ""}, omit_defaults=True),
)
"""What an export holds, in its order."""


def exported(record: type[Entry]) -> tuple[str, ...]:
    """The fields of a record that an export has."""
    left_out = next(kind.left_out for kind in _KINDS if kind.record is record)
    return tuple(name for name in record.__struct_fields__ if name not in left_out)


def _line(tag: str, fields: Iterable[Any], omit_defaults: bool = False) -> type[msgspec.Struct]:
    """What a line is written from and read into."""
    return msgspec.defstruct(
        tag,
        fields,
        tag_field="record",
        tag=tag,
        kw_only=True,
        forbid_unknown_fields=True,
        omit_defaults=omit_defaults,
    )


def _fields(kind: _Kind) -> Iterator[tuple[str, Any] | tuple[str, Any, Any]]:
    for field in msgspec.structs.fields(kind.record):
        if field.name not in kind.left_out:
            default = () if field.required else (field.default,)
            yield field.name, field.type, *default


_HEADER: Any = _line("export", [("format", str), ("version", int)])
_END: Any = _line("end", [("records", int), ("checksum", str)])
_LINES = tuple(_line(kind.tag, _fields(kind), kind.omit_defaults) for kind in _KINDS)
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[(_HEADER, *_LINES, _END)])


def write(target: Path, records: Iterable[Entry]) -> int:
    """Write an export, whole or not at all, and tell how many records it holds.

    Raises:
        OSError: the file cannot be written; one that was there is as it was.
    """
    with whole_file(target) as file:
        return _write(file, records)


def _write(file: BinaryIO, records: Iterable[Entry]) -> int:
    digest = hashlib.blake2b(digest_size=32)

    def line(record: msgspec.Struct) -> None:
        # Sorted, since the parameters of a retraining come in the order of the database.
        content = msgspec.json.encode(record, order="sorted") + b"\n"
        digest.update(content)
        file.write(content)

    line(_HEADER(format=FORMAT, version=VERSION))
    count = 0
    for count, record in enumerate(records, start=1):  # noqa: B007  # the last one is the number of records
        kind = _LINES[_place(type(record))]
        line(kind(**{name: getattr(record, name) for name in kind.__struct_fields__}))
    line(_END(records=count, checksum=digest.hexdigest()))
    return count


def _place(record: type[Entry]) -> int:
    return [kind.record for kind in _KINDS].index(record)


def read(file: BinaryIO) -> Iterator[Entry]:
    """The records of an export, each checked by itself; the file as a whole is sound if the last one comes.

    Raises:
        DamagedExport: the file is cut off, was altered, is of another version, or is no export.
    """
    digest = hashlib.blake2b(digest_size=32)
    place, ended = 0, False
    for number, line in enumerate(_lines(file), start=1):
        record = _decode(line, number)
        if ended:
            raise DamagedExport(f"line {number} stands after the end. {_ADVICE}")
        if isinstance(record, _HEADER) != (number == 1):
            raise DamagedExport(
                f"line {number} is not what belongs there. Name a file that `wort models export` wrote."
            )
        if isinstance(record, _HEADER):
            _check_header(record.format, record.version)
        elif isinstance(record, _END):
            if (record.records, record.checksum) != (number - 2, digest.hexdigest()):
                raise DamagedExport(f"the file is not what its checksum says. {_ADVICE}")
            ended = True
        else:
            if _LINES.index(type(record)) < place:
                raise DamagedExport(f"line {number} is out of order. {_ADVICE}")
            place = _LINES.index(type(record))
            kind = _KINDS[place]
            entry = kind.record(**msgspec.structs.asdict(record), **kind.left_out)
            try:
                _check(entry)
            except RegistryError as error:
                raise DamagedExport(f"line {number}: {str(error).rstrip('.')}. {_ADVICE}") from error
            yield entry
        digest.update(line)
    if not ended:
        raise DamagedExport(f"the file is cut off: its last line is missing. {_ADVICE}")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_LONGEST_LINE):
        if not line.endswith(b"\n"):
            raise DamagedExport(f"a line is cut off, or far too long. {_ADVICE}")
        yield line


def _decode(line: bytes, number: int) -> Any:  # noqa: ANN401  # the structs are made above
    try:
        refuse_repeated_keys(line)
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedExport(f"line {number} is not a record of an export ({error}). {_ADVICE}") from None


def _check_header(form: str, version: int) -> None:
    if form != FORMAT:
        raise DamagedExport("this is no export of a registry. Name a file that `wort models export` wrote.")
    if version != VERSION:
        raise DamagedExport(
            f"the export has version {version}, and this version of wort reads {VERSION}. "
            "Use the version that wrote it."
        )


def _check(entry: Entry) -> None:
    """Refuse what no registry holds, and bytes that are not what they were."""
    if isinstance(entry, Run):
        _number(entry.id, "a retraining's number")
        _texts(entry.who, entry.host, entry.step, entry.message, entry.model or "")
        _time(entry.began)
        _time(entry.updated)
        _number(entry.pid or 0, "a process", least=0)
        _number(entry.done or 0, "a count", least=0, below=COUNTS)
        _number(entry.total or 0, "a count", least=0, below=COUNTS)
    elif isinstance(entry, ModelEntry):
        _check_model(entry)
    else:
        _number(entry.number, "a release's number")
        if entry.restores is not None and not 0 < entry.restores < entry.number:
            raise DamagedExport(f"release {entry.number} restores {entry.restores}, which is not before it")
        if parse_ref(entry.model)[1] is None:
            raise DamagedExport(f"release {entry.number} names no version of {entry.model!r}")
        if not PurePath(entry.location).is_absolute():
            raise DamagedExport(f"the folder of release {entry.number} is not absolute")
        _texts(entry.snapshot_id, entry.location, entry.reason, entry.who)
        _time(entry.at)


def _check_model(entry: ModelEntry) -> None:
    if checked_name(entry.name) != entry.name:
        raise DamagedExport(f"{entry.name!r} is not written as the registry writes it")
    _number(entry.version, "a version")
    _texts(entry.snapshot, entry.who, entry.note, entry.dataset.name)
    _time(entry.created)
    for what, content, stated in (
        ("file", entry.artifact, entry.checksum),
        ("report", entry.report, entry.report_checksum),
        ("report as a page", entry.report_html, entry.report_html_checksum),
    ):
        if (None if content is None else checksum(content)) != stated:
            raise DamagedExport(f"the {what} of {entry.ref} is not what its checksum says")
    if facts_of(entry.artifact) != (entry.snapshot, entry.metrics):
        raise DamagedExport(f"the file of {entry.ref} has another snapshot or other metrics than stated")


def _texts(*texts: str) -> None:
    for content in texts:
        checked_text(content, "a text")


def _number(number: int, what: str, least: int = 1, below: int = NUMBERS) -> None:
    if not least <= number < below:
        raise DamagedExport(f"{what} is {number}")


def _time(text: str) -> None:
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise DamagedExport(f"{text!r} is no time") from None
    if time.utcoffset() != datetime.timedelta(0) or len(text) > 32:
        raise DamagedExport(f"{text!r} is no time in UTC")
