"""Where several worker processes count together: a folder of files, one set for each worker.

prometheus-client names a worker's files by its process id, so that each worker that dies leaves its own
behind and its replacement begins new ones. Here they are named by a *slot*, the lowest number that no living
worker has: a replacement counts on where the dead one stopped, no total ever falls, and there are never more
files than workers were alive at once. Who has a slot holds the lock on its file, which ends with the process.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from prometheus_client import values
from prometheus_client.multiprocess import mark_process_dead

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client, and every worker, is told the folder."""

_SUFFIX = ".slot"


class Slot:
    """This process's place in ``folder``, until it ends; from here on prometheus-client counts there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for number in count():
            descriptor = os.open(folder / f"{number}{_SUFFIX}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if _locked(descriptor, fcntl.LOCK_EX):
                break
            os.close(descriptor)
        self.number = number
        self._descriptor = descriptor
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        # Gauges say what is now, and those of who had the slot before are past.
        mark_process_dead(number, str(folder))
        values.ValueClass = values.MultiProcessValue(lambda: number)

    def living(self) -> Iterator[tuple[int, int]]:
        """The slot and the process id of each worker that lives. The gauges of one that died are dropped."""
        for path in sorted(self.folder.glob(f"*{_SUFFIX}")):
            number = int(path.stem)
            if number == self.number:
                yield number, os.getpid()
                continue
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            try:
                if not _locked(descriptor, fcntl.LOCK_SH):
                    yield number, int(os.pread(descriptor, 20, 0) or 0)
                else:
                    mark_process_dead(number, str(self.folder))
            finally:
                os.close(descriptor)


def _locked(descriptor: int, kind: int) -> bool:
    """Whether the lock was free, and is ours now."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
