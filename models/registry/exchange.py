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

from models.given import refuse_repeated_keys
from models.registry.entries import COUNTS, LARGEST, NUMBERS, checked_name, checked_text, checksum, parse_ref
from models.registry.errors import DamagedExport, RegistryError
from models.registry.records import Dataset, Outcome
from models.registry.versions import facts_of
from models.whole_file import whole_file

FORMAT = "wort registry"
"""What the first line calls itself."""

VERSION = 1
"""The version of the format that is written and read here."""

_LONGEST_LINE = 5 * LARGEST
"""Bytes: room for a model file and two reports of the largest size, as Base64, and what is said of them."""

_ADVICE = "Copy the file again, or export the registry again. Nothing was imported."


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", kw_only=True):
    """A line of the file."""


class Header(_Record, frozen=True, tag="export"):
    """The first line."""

    format: str
    version: int


class RunRecord(_Record, frozen=True, tag="run"):
    """A retraining, as ``Run``, without what tells its process from others: it means nothing elsewhere."""

    id: int
    who: str
    began: str
    parameters: dict[str, Any]
    host: str
    pid: int | None
    step: str
    done: int | None
    total: int | None
    updated: str
    outcome: Outcome | None
    message: str
    model: str | None

    def check(self) -> None:
        """Refuse what no registry holds."""
        _number(self.id, "a retraining's number")
        _texts(self.who, self.host, self.step, self.message, self.model or "")
        _time(self.began)
        _time(self.updated)
        _number(self.pid or 0, "a process", least=0)
        _number(self.done or 0, "a count", least=0, below=COUNTS)
        _number(self.total or 0, "a count", least=0, below=COUNTS)


class ModelRecord(_Record, frozen=True, tag="model"):
    """A version of a model, as ``ModelVersion``, and its bytes."""

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
    artifact: bytes
    report: bytes | None
    report_html: bytes | None

    @property
    def ref(self) -> str:
        """``name@version``."""
        return f"{self.name}@{self.version}"

    def check(self) -> None:
        """Refuse what no registry holds, and bytes that are not what they were."""
        if checked_name(self.name) != self.name:
            raise DamagedExport(f"{self.name!r} is not written as the registry writes it")
        _number(self.version, "a version")
        _texts(self.snapshot, self.who, self.note, self.dataset.name)
        _time(self.created)
        for what, content, stated in (
            ("file", self.artifact, self.checksum),
            ("report", self.report, self.report_checksum),
            ("report as a page", self.report_html, self.report_html_checksum),
        ):
            if (None if content is None else checksum(content)) != stated:
                raise DamagedExport(f"the {what} of {self.ref} is not what its checksum says")
        if facts_of(self.artifact) != (self.snapshot, self.metrics):
            raise DamagedExport(f"the file of {self.ref} has another snapshot or other metrics than stated")


class ReleaseRecord(_Record, frozen=True, tag="release", omit_defaults=True):
    """A release, as ``Release``."""

    number: int
    model: str
    snapshot_id: str
    location: str
    reason: str
    who: str
    at: str
    restores: int | None
    shipped: bool = False

    def check(self) -> None:
        """Refuse what no registry holds."""
        _number(self.number, "a release's number")
        if self.restores is not None and not 0 < self.restores < self.number:
            raise DamagedExport(f"release {self.number} restores {self.restores}, which is not before it")
        if parse_ref(self.model)[1] is None:
            raise DamagedExport(f"release {self.number} names no version of {self.model!r}")
        if not PurePath(self.location).is_absolute():
            raise DamagedExport(f"the folder of release {self.number} is not absolute")
        _texts(self.snapshot_id, self.location, self.reason, self.who)
        _time(self.at)


class End(_Record, frozen=True, tag="end"):
    """The last line: how many records stand between it and the first, and the checksum of all before it."""

    records: int
    checksum: str


Entry = RunRecord | ModelRecord | ReleaseRecord
_ORDER: tuple[type[Entry], ...] = (RunRecord, ModelRecord, ReleaseRecord)
_DECODER: msgspec.json.Decoder[Header | Entry | End] = msgspec.json.Decoder(
    Header | RunRecord | ModelRecord | ReleaseRecord | End
)


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

    line(Header(format=FORMAT, version=VERSION))
    count = 0
    for count, record in enumerate(records, start=1):  # noqa: B007  # the last one is the number of records
        line(record)
    line(End(records=count, checksum=digest.hexdigest()))
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
        if isinstance(record, Header) != (number == 1):
            raise DamagedExport(
                f"line {number} is not what belongs there. Name a file that `wort models export` wrote."
            )
        if isinstance(record, Header):
            _check_header(record)
        elif isinstance(record, End):
            if (record.records, record.checksum) != (number - 2, digest.hexdigest()):
                raise DamagedExport(f"the file is not what its checksum says. {_ADVICE}")
            ended = True
        else:
            if _ORDER.index(type(record)) < place:
                raise DamagedExport(f"line {number} is out of order. {_ADVICE}")
            place = _ORDER.index(type(record))
            _check(record, number)
            yield record
        digest.update(line)
    if not ended:
        raise DamagedExport(f"the file is cut off: its last line is missing. {_ADVICE}")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_LONGEST_LINE):
        if not line.endswith(b"\n"):
            raise DamagedExport(f"a line is cut off, or far too long. {_ADVICE}")
        yield line


def _decode(line: bytes, number: int) -> Header | Entry | End:
    try:
        refuse_repeated_keys(line)
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedExport(f"line {number} is not a record of an export ({error}). {_ADVICE}") from None


def _check_header(header: Header) -> None:
    if header.format != FORMAT:
        raise DamagedExport("this is no export of a registry. Name a file that `wort models export` wrote.")
    if header.version != VERSION:
        raise DamagedExport(
            f"the export has version {header.version}, and this version of wort reads {VERSION}. "
            "Use the version that wrote it."
        )


def _check(record: Entry, number: int) -> None:
    try:
        record.check()
    except RegistryError as error:
        raise DamagedExport(f"line {number}: {str(error).rstrip('.')}. {_ADVICE}") from error


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
