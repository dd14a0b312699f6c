"""Trying a snapshot where its end can be survived: in a child process.

No table can end a process by what stands in it (``snapshots.soundness``). A file that is cut off while it is
mapped does (SIGBUS), and so would a fault of a library. A server that met it at its start would end with
nothing said, though it has a sound release to serve.
"""

from __future__ import annotations

import faulthandler
import hashlib
import os
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from features.extract import extract
from jit.cache import user_cache
from snapshots.errors import damaged
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot

TRIED = 64
"""Concepts, from all over a snapshot, that it is tried with."""

_FATAL = {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE}
"""Signals that end a process for what it did itself. One that was killed or interrupted did nothing."""


class Trials:
    """Tries snapshots, each until all of its files were found sound: what was verified is not tried again.

    A trial takes some tenths of a second, most of which it loads code; to remember costs none of them.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: where to remember what was verified; None for a folder of the user's cache."""
        self._folder = folder or user_cache() / "verified"

    def attempt(self, folder: Path) -> None:
        """Score some pairs of the snapshot in ``folder`` in a child process, which may end by it.

        Raises:
            DamagedSnapshot: it does.
            SnapshotError: as ``Snapshot.open``.
        """
        if self._mark(Snapshot.open(folder)).exists():
            return
        ended_by = fatal_signal(lambda: _use(folder))
        if ended_by is not None:
            raise damaged(folder, f"a process that tried it was ended by {ended_by}")

    def remember(self, snapshot: Snapshot) -> None:
        """Keep in mind that every file of ``snapshot``, as they stood when it was opened, is sound."""
        with suppress(OSError):  # without, it is tried at each start
            self._folder.mkdir(parents=True, exist_ok=True)
            self._mark(snapshot).touch()

    def _mark(self, snapshot: Snapshot) -> Path:
        return self._folder / hashlib.blake2b(repr(snapshot.seal).encode(), digest_size=16).hexdigest()


def fatal_signal(work: Callable[[], object]) -> str | None:
    """The name of the signal that ends a process which does ``work``; None where it comes to an end.

    An exception is such an end: whoever does the work after this meets it, too. The child is a copy of this
    process, so this is for a start, before there are other threads: what they hold would be held for ever.
    """
    child = os.fork()
    if child == 0:
        _do_quietly(work)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) not in _FATAL:
        return None
    return signal.Signals(os.WTERMSIG(status)).name


def _do_quietly(work: Callable[[], object]) -> None:
    try:
        faulthandler.disable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        silent = os.open(os.devnull, os.O_RDWR)
        # What it has to say of compiling is for whoever waits meanwhile.
        for stream in (0, 1):
            os.dup2(silent, stream)
        work()
    finally:
        # Nothing of what the parent has begun is ended or written here.
        os._exit(0)


def _use(folder: Path) -> None:
    """Read of a snapshot what scoring reads."""
    snapshot = Snapshot.open(folder)
    Resolver.open(snapshot)
    concepts = np.unique(np.linspace(0, snapshot.concepts - 1, TRIED).astype(np.int64))
    for concept in concepts.tolist():
        snapshot.concept_titles[concept]
    extract(snapshot, concepts, np.roll(concepts, 1))
