"""An output that survives being interrupted: it grows beside its place and moves there when it is whole."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path

import msgspec

from app.batch.files.rows import Position
from app.errors import OutputBusy


class Progress(msgspec.Struct, frozen=True):
    """How far a job came.

    ``job`` identifies what is done: the input, the options, what scores. ``position``: where the input goes
    on. ``written``: bytes of output up to there. ``counts``: rows by status up to there.
    """

    job: str
    position: Position | None
    written: int
    counts: dict[str, int]


class Partial:
    """The growing file ``OUTPUT.partial`` and, beside it, ``OUTPUT.partial.state``: its progress.

    The state is written after the bytes it speaks of; what was appended since is cut off when the job goes
    on, so that no row is lost or written twice.
    """

    def __init__(self, output: Path, job: str) -> None:
        """Open it and lock it; ``progress`` is then where the job goes on.

        Raises:
            OutputBusy: another process writes it.
        """
        self.output = output
        self.path = output.with_name(output.name + ".partial")
        self._state = output.with_name(output.name + ".partial.state")
        self._file = _locked(self.path)
        self.progress = self._read(job)
        self._file.truncate(self.progress.written)

    @property
    def resumed(self) -> bool:
        """Whether an earlier run of the same job is gone on with."""
        return self.progress.written > 0

    def append(self, data: bytes, position: Position | None, counts: dict[str, int]) -> None:
        """Append ``data``, after which the input goes on at ``position``."""
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]
        self.progress = Progress(self.progress.job, position, self.progress.written + len(data), dict(counts))
        beside = self._state.with_name(self._state.name + ".new")
        beside.write_bytes(msgspec.json.encode(self.progress))
        beside.replace(self._state)

    def publish(self, move: Callable[[Path, Path], None]) -> None:
        """Have ``move`` put the whole file at its place, and forget the progress."""
        os.fsync(self._file.fileno())
        move(self.path, self.output)
        self._state.unlink(missing_ok=True)

    def close(self) -> None:
        """Unlock it; it stays for the next run."""
        self._file.close()

    def _read(self, job: str) -> Progress:
        fresh = Progress(job, None, 0, {})
        try:
            known = msgspec.json.decode(self._state.read_bytes(), type=Progress)
        except (FileNotFoundError, msgspec.DecodeError):
            return fresh
        grown = os.fstat(self._file.fileno()).st_size
        return known if known.job == job and grown >= known.written else fresh


def _locked(path: Path) -> FileIO:
    """The file ``path``, open for appending and locked.

    Raises:
        OutputBusy: another process writes it.
    """
    while True:
        file = FileIO(path, "a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise OutputBusy(f"another process writes {path}. Wait for it, or stop it.") from None
        # Between opening and locking, the other process may have moved the file to its place: it is whole.
        if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return file
        file.close()
