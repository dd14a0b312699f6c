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
from typing import Any, BinaryIO

import msgspec

from models.given import LARGEST, refuse_repeated_keys
from models.registry.entries import checked_name, checked_text, checksum, parse_ref
from models.registry.errors import DamagedExport, RegistryError
from models.registry.records import ModelEntry, Release, Run, Time
from models.registry.versions import CONTENT, facts_of
from models.whole_file import whole_file

FORMAT = "wort registry"
"""What the first line calls itself."""

VERSION = 1
"""The version of the format that is written and read here."""

_LONGEST_LINE = 5 * LARGEST
"""Bytes: room for a model file and two reports of the largest size, as Base64, and what is said of them."""

_ADVICE = "Copy the file again, or export the registry again. Nothing was imported."


Entry = Run | ModelEntry | Release

_LEFT_OUT: dict[type[Entry], dict[str, Any]] = {
    Run: {"process": None},
    ModelEntry: {"id": 0},
    Release: {"model_id": 0, "checksum": ""},
}
"""The records in their order, and what of them means nothing elsewhere: a default stands there, unwritten."""

_ORDER = tuple(_LEFT_OUT)


class _ExportHeader(msgspec.Struct, tag="export", tag_field="record", forbid_unknown_fields=True):
    format: str
    version: int


class _ExportEnd(msgspec.Struct, tag="end", tag_field="record", forbid_unknown_fields=True):
    records: int
    checksum: str


_DECODER: msgspec.json.Decoder[_ExportHeader | Entry | _ExportEnd] = msgspec.json.Decoder(
    _ExportHeader | Run | ModelEntry | Release | _ExportEnd
)


def portable(entry: Entry) -> Entry:
    """A record as an export has it."""
    return msgspec.structs.replace(entry, **_LEFT_OUT[type(entry)])


def write(target: Path, records: Iterable[Entry]) -> int:
    """Write an export, whole or not at all, and tell how many records it holds.

    Raises:
        OSError: the file cannot be written; one that was there is as it was.
    """
    digest = hashlib.blake2b(digest_size=32)
    with whole_file(target) as file:

        def line(record: msgspec.Struct) -> None:
            # Sorted, since the parameters of a retraining come in the order of the database.
            content = msgspec.json.encode(record, order="sorted") + b"\n"
            digest.update(content)
            file.write(content)

        line(_ExportHeader(FORMAT, VERSION))
        count = 0
        for record in records:
            line(portable(record))
            count += 1
        line(_ExportEnd(count, digest.hexdigest()))
    return count


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
        if isinstance(record, _ExportHeader) != (number == 1):
            raise DamagedExport(
                f"line {number} is not what belongs there. Name a file that `wort models export` wrote."
            )
        if isinstance(record, _ExportHeader):
            _check_header(record)
        elif isinstance(record, _ExportEnd):
            if (record.records, record.checksum) != (number - 2, digest.hexdigest()):
                raise DamagedExport(f"the file is not what its checksum says. {_ADVICE}")
            ended = True
        else:
            if _ORDER.index(type(record)) < place:
                raise DamagedExport(f"line {number} is out of order. {_ADVICE}")
            place = _ORDER.index(type(record))
            try:
                _check(record)
            except RegistryError as error:
                raise DamagedExport(f"line {number}: {str(error).rstrip('.')}. {_ADVICE}") from error
            yield record
        digest.update(line)
    if not ended:
        raise DamagedExport(f"the file is cut off: its last line is missing. {_ADVICE}")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_LONGEST_LINE):
        if not line.endswith(b"\n"):
            raise DamagedExport(f"a line is cut off, or far too long. {_ADVICE}")
        yield line


def _decode(line: bytes, number: int) -> _ExportHeader | Entry | _ExportEnd:
    try:
        refuse_repeated_keys(line)
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedExport(f"line {number} is not a record of an export ({error}). {_ADVICE}") from None


def _check_header(header: _ExportHeader) -> None:
    if header.format != FORMAT:
        raise DamagedExport("this is no export of a registry. Name a file that `wort models export` wrote.")
    if header.version != VERSION:
        raise DamagedExport(
            f"the export has version {header.version}, and this version of wort reads {VERSION}. "
            "Use the version that wrote it."
        )


def _check(entry: Entry) -> None:
    """Refuse what no registry holds, and bytes that are not what they were."""
    if entry != portable(entry):
        raise DamagedExport(f"it states {' or '.join(_LEFT_OUT[type(entry)])}, which an export leaves out")
    for field in msgspec.structs.fields(entry):
        value = getattr(entry, field.name)
        if field.type == Time:
            _check_time(value)
        elif isinstance(value, str):
            checked_text(value, "a text")
    if isinstance(entry, ModelEntry):
        _check_model(entry)
    elif isinstance(entry, Release):
        if entry.restores is not None and entry.restores >= entry.number:
            raise DamagedExport(f"release {entry.number} restores {entry.restores}, which is not before it")
        if parse_ref(entry.model)[1] is None:
            raise DamagedExport(f"release {entry.number} names no version of {entry.model!r}")
        if not PurePath(entry.location).is_absolute():
            raise DamagedExport(f"the folder of release {entry.number} is not absolute")


def _check_model(entry: ModelEntry) -> None:
    if checked_name(entry.name) != entry.name:
        raise DamagedExport(f"{entry.name!r} is not written as the registry writes it")
    checked_text(entry.dataset.name, "a text")
    for kind, stated in CONTENT.items():
        content = getattr(entry, kind)
        if (None if content is None else checksum(content)) != getattr(entry, stated):
            raise DamagedExport(f"the {kind.replace('_', ' ')} of {entry.ref} is not what its checksum says")
    if facts_of(entry.artifact) != (entry.snapshot, entry.metrics):
        raise DamagedExport(f"the file of {entry.ref} has another snapshot or other metrics than stated")


def _check_time(text: str) -> None:
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise DamagedExport(f"{text!r} is no time") from None
    if time.utcoffset() != datetime.timedelta(0):
        raise DamagedExport(f"{text!r} is no time in UTC")
