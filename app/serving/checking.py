"""Which snapshots have had every file checked: each once, by one of several worker processes for all."""

from __future__ import annotations

import fcntl
import hashlib
import os
from pathlib import Path

from app.errors import BrokenRelease
from snapshots.snapshot import Seal, Snapshot, verify


class Checks:
    """Checks snapshots, and keeps in mind which were sound as they stood then."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: what the workers of a server share, None where there is one."""
        self._folder = folder
        self._sound: set[Seal] = set()

    def check(self, snapshot: Snapshot) -> None:
        """Have the checksum of every file checked, which takes as long as reading it, unless that was done.

        Where another worker is at it, this waits for what it finds: a large snapshot, read by all of them,
        would drive out of memory what is served meanwhile.

        Raises:
            BrokenRelease: a file was altered.
        """
        if snapshot.seal in self._sound:
            return
        if self._folder is None:
            _check(snapshot)
        else:
            self._check_once(snapshot, self._folder)
        self._sound.add(snapshot.seal)

    def _check_once(self, snapshot: Snapshot, folder: Path) -> None:
        name = hashlib.blake2b(repr(snapshot.seal).encode(), digest_size=16).hexdigest()
        descriptor = os.open(folder / f"{name}.sound", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)  # which ends with the process
            if os.fstat(descriptor).st_size == 0:
                _check(snapshot)
                os.write(descriptor, b"sound")
        finally:
            os.close(descriptor)


def _check(snapshot: Snapshot) -> None:
    problems = verify(snapshot.folder)
    if not problems and Snapshot.open(snapshot.folder).seal != snapshot.seal:
        problems = ["files were changed while they were checked"]
    if problems:
        more = f", and {len(problems) - 1} more problems" if len(problems) > 1 else ""
        raise BrokenRelease(
            f"{snapshot.folder}: {problems[0]}{more}. Copy the snapshot again or build it again; "
            f"`wort verify {snapshot.folder}` checks every file."
        )
