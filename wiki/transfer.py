"""One file over HTTP, to the last byte or not at all: resumed, retried, checked, and only then named.

A file arrives as NAME.part beside NAME.part.json, which keeps what identifies the server's version of it.
NAME appears by an atomic rename once the checksum is right.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final, Self

import httpx

from wiki.errors import ChecksumMismatch, DownloadError, DumpNotFound, NotEnoughSpace, ServerUnavailable
from wiki.patience import AttemptFailed, Patience, persist, seconds_until

Progress = Callable[[str, int, int], None]

_GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
_PASSING: Final = (408, 425, 429, 500, 502, 503, 504)
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


@dataclass(frozen=True, slots=True)
class Checksum:
    """A published checksum: "sha1" or "md5", and its hexadecimal digits."""

    algorithm: str
    digits: str

    def matches(self, path: Path) -> bool:
        """Return whether the file has this checksum."""
        # These are the sums that the dumps site publishes; they guard against accidents, not against malice.
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, lambda: hashlib.new(self.algorithm, usedforsecurity=False))
        return digest.hexdigest() == self.digits.lower()


@dataclass(frozen=True, slots=True)
class _Version:
    """What tells one version of a file on a server from another; ``size`` in bytes, -1 if not stated."""

    url: str
    etag: str
    last_modified: str
    size: int

    @classmethod
    def of(cls, url: str, headers: httpx.Headers) -> Self:
        """Read the version from the headers of a whole or a partial answer."""
        partial = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", ""))
        size = partial[2] if partial else headers.get("Content-Length", "")
        return cls(
            url,
            etag=headers.get("ETag", ""),
            last_modified=headers.get("Last-Modified", ""),
            size=int(size) if size.isdecimal() else -1,
        )

    def range_from(self, offset: int) -> dict[str, str]:
        """Return the headers that ask for the rest of this version, or for the whole of any other."""
        validator = self.etag if self.etag and not self.etag.startswith("W/") else self.last_modified
        return {"Range": f"bytes={offset}-"} | ({"If-Range": validator} if validator else {})


class _Part:
    """The file while it is incomplete, and which version on the server it is of."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(path.name + ".part")
        self._state = path.with_name(path.name + ".part.json")

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def version(self) -> _Version | None:
        try:
            return _Version(**json.loads(self._state.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def begin(self, version: _Version) -> None:
        self.discard()
        self._state.write_text(json.dumps(asdict(version)))

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        self._state.unlink(missing_ok=True)

    def finish(self, path: Path) -> None:
        with self.path.open("rb+") as file:
            os.fsync(file.fileno())
        self.path.replace(path)
        self._state.unlink(missing_ok=True)


def fetch_text(client: httpx.Client, url: str, patience: Patience) -> str:
    """Return the text at ``url``. Raises DumpNotFound, ServerUnavailable or another DownloadError."""

    def attempt() -> str:
        try:
            response = client.get(url)
        except httpx.RequestError as error:
            raise AttemptFailed(_reason(error)) from error
        _check_status(response, patience)
        return response.text

    return persist(attempt, url, patience, lambda: 0)


def fetch_file(
    client: httpx.Client,
    url: str,
    path: Path,
    checksum: Checksum,
    patience: Patience,
    progress: Progress,
) -> None:
    """Make ``path`` the file at ``url`` with this checksum; a file that already has it is left alone.

    What an earlier call left behind is resumed, if the server still has the same version. A file whose
    checksum is wrong is thrown away and fetched once more from the start.

    Raises ChecksumMismatch if it is wrong again, NotEnoughSpace, DumpNotFound, ServerUnavailable or another
    DownloadError. Except after a mismatch, what has arrived is kept and the next call goes on from there.
    """
    if path.exists() and checksum.matches(path):
        size = path.stat().st_size
        progress(path.name, size, size)
        return
    part = _Part(path)
    for _ in range(2):
        persist(lambda: _receive(client, url, part, patience, path.name, progress), url, patience, part.size)
        if checksum.matches(part.path):
            part.finish(path)
            return
        part.discard()
    raise ChecksumMismatch(
        f"{url} arrived twice with another {checksum.algorithm} than the published {checksum.digits}. "
        "Nothing of it was kept. Try again later, or take a dump of another date."
    )


def _receive(
    client: httpx.Client, url: str, part: _Part, patience: Patience, name: str, progress: Progress
) -> None:
    """Fetch what is missing of the part, in one request."""
    have, known = part.size(), part.version()
    if known is None or known.url != url:
        have = 0
    elif have == known.size:
        return
    headers = known.range_from(have) if known and have else {}
    try:
        with client.stream("GET", url, headers=headers) as response:
            if response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                part.discard()
                raise AttemptFailed("the file on the server has become shorter")
            _check_status(response, patience)
            version = _Version.of(url, response.headers)
            if response.status_code == HTTPStatus.PARTIAL_CONTENT:
                start = response.headers.get("Content-Range", "")
                if version != known or not start.startswith(f"bytes {have}-"):
                    part.discard()
                    raise AttemptFailed("the file on the server has changed")
            else:
                have = 0
                part.begin(version)
            _check_space(part.path.parent, version.size - have, name)
            with part.path.open("ab") as file:
                for block in response.iter_raw():
                    file.write(block)
                    have += len(block)
                    progress(name, have, max(version.size, have))
    except httpx.RequestError as error:
        raise AttemptFailed(_reason(error)) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise _no_space(part.path.parent, name) from error
        raise


def _check_status(response: httpx.Response, patience: Patience) -> None:
    status = response.status_code
    shown = f"{response.url} answered {status} {response.reason_phrase}"
    if status in _GONE:
        raise DumpNotFound(f"{shown}.")
    if status in _PASSING:
        wait = seconds_until(response.headers.get("Retry-After", ""))
        if wait is not None and wait > patience.longest_wait:
            raise ServerUnavailable(f"{shown} and asks to come back in {wait:,.0f} seconds. Try again then.")
        raise AttemptFailed(f"{status} {response.reason_phrase}", wait)
    if status not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        raise DownloadError(f"{shown}. Check the address and whether this network may reach it.")


def _check_space(folder: Path, needed: int, name: str) -> None:
    if shutil.disk_usage(folder).free < needed:
        raise _no_space(folder, name, needed)


def _no_space(folder: Path, name: str, needed: int = 0) -> NotEnoughSpace:
    free = shutil.disk_usage(folder).free
    missing = f"{needed / 1e6:,.1f} MB are needed and " if needed else ""
    return NotEnoughSpace(
        f"No room for {name} in {folder}: {missing}{free / 1e6:,.1f} MB are free. Free some or choose "
        "another folder, then run the same command: it goes on where it stopped."
    )


def _reason(error: httpx.RequestError) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
