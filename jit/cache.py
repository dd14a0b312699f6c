"""The folder in which compiled code is kept, and what may be taken from it.

What is kept is handed to ``pickle`` and to LLVM: the one runs what it reads, and the other ends the process
where an object file is damaged. So nothing is taken that another user could have written, and nothing that is
not, byte for byte, what was kept under its name.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LONGEST_WAIT = 120.0
"""Seconds that a process waits for another one that compiles: one that was halted must not halt all."""

LARGEST = 64 << 20
"""Bytes of what is kept of one function; it is some ten thousand."""

_DIGEST_SIZE = 32
_HEAD = b"wort code 1\n"
_LOCK = "lock"

log = logging.getLogger("wort")


def user_cache() -> Path:
    """Where wort keeps for this user what can be made again; nothing is raised where one has no home."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 raises nothing
    return Path(cache, "wort")


class CodeCache:
    """A folder of this user's own. It is made when something is first kept in it.

    Nothing here raises: where the folder cannot be used, nothing is found in it and nothing is kept, and the
    user is told so once.
    """

    def __init__(self, folder: Path, longest_wait: float = LONGEST_WAIT) -> None:
        self.folder = folder
        self.taken: set[str] = set()  # by what names something was found here
        self._longest_wait = longest_wait
        self._told: set[str] = set()
        self._held: int | None = None

    def take(self, name: str) -> bytes | None:
        """What was kept under ``name``; None where nothing was. What is damaged there is removed."""
        with suppress(OSError), self._entered() as folder:
            try:
                content = _sealed(folder, name)
            except FileNotFoundError:
                return None
            except OSError:
                content = None
            if content is None:
                self.drop(name)
            else:
                self.taken.add(name)
            return content
        return None

    def keep(self, name: str, content: bytes) -> None:
        """Keep ``content`` under ``name``, whole or not at all."""
        partial = f"{name}.partial"
        try:
            self._make()
            with self._entered() as folder:
                try:
                    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
                    with os.fdopen(os.open(partial, flags, 0o600, dir_fd=folder), "wb") as file:
                        file.write(_HEAD + _digest(name, content) + content)
                    os.rename(partial, name, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:
                    with suppress(OSError):
                        os.unlink(partial, dir_fd=folder)
                    raise
        except OSError as error:
            self._tell_unusable(error)

    def drop(self, name: str) -> None:
        """Forget what was kept under ``name``, since it is of no use."""
        self._tell("damaged", f"compiled code in {self.folder} is damaged; what is damaged is compiled anew.")
        with suppress(OSError), self._entered() as folder:
            os.unlink(name, dir_fd=folder)

    def lock(self) -> bool:
        """Have all other processes wait that compile for this folder; whether that is new.

        It is not where this process has the lock already, where the folder cannot be written, and where
        another process has it for too long.
        """
        if self._held is not None:
            return False
        try:
            self._make()
            with self._entered() as folder:
                flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
                opened = os.open(_LOCK, flags, 0o600, dir_fd=folder)
        except OSError:
            return False  # `keep` says why
        if not _locked(opened, self._longest_wait):
            os.close(opened)
            return False
        self._held = opened
        return True

    def unlock(self) -> None:
        """Let the next process go on."""
        if self._held is not None:
            opened, self._held = self._held, None
            # By name: a child that was forked meanwhile has the same file open.
            with suppress(OSError):
                fcntl.flock(opened, fcntl.LOCK_UN)
            os.close(opened)

    def is_usable(self) -> bool:
        """Whether code can be kept here, as far as can be told before there is any."""
        try:
            self._make()
            with self._entered() as folder:
                name = f"{os.getpid()}.partial"
                os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder))
                os.unlink(name, dir_fd=folder)
        except OSError as error:
            self._tell_unusable(error)
            return False
        return True

    def _make(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextmanager
    def _entered(self) -> Iterator[int]:
        """The folder, open, so that it stays the one that was looked at."""
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            found = os.fstat(folder)
            if not _is_ours(found):
                if found.st_uid != os.geteuid():
                    raise PermissionError(0, "another user may write there")
                # It was made with other rights, or has been given them since. Each file is looked at too.
                os.fchmod(folder, 0o700)
            yield folder
        finally:
            os.close(folder)

    def _tell_unusable(self, error: OSError) -> None:
        self._tell(
            "unusable",
            f"compiled code cannot be kept in {self.folder} ({error.strerror or error}): each process "
            "compiles for itself, some 30 seconds. Make room there, or name another in NUMBA_CACHE_DIR.",
        )

    def _tell(self, what: str, sentence: str) -> None:
        if what not in self._told:
            self._told.add(what)
            log.warning(sentence)


def _sealed(folder: int, name: str) -> bytes | None:
    """What a file holds; None where it is not what was kept under this name, or may not be believed."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    opened = os.open(name, flags, dir_fd=folder)
    try:
        found = os.fstat(opened)
        if not (stat.S_ISREG(found.st_mode) and _is_ours(found) and found.st_size <= LARGEST):
            return None
        with os.fdopen(opened, "rb", closefd=False) as file:
            held = file.read(LARGEST)
    finally:
        os.close(opened)
    start = len(_HEAD) + _DIGEST_SIZE
    head, content = held[:start], held[start:]
    return content if head == _HEAD + _digest(name, content) else None


def _digest(name: str, content: bytes) -> bytes:
    """Of the name too: code that was kept for another function is none for this one."""
    return hashlib.blake2b(name.encode() + b"\0" + content, digest_size=_DIGEST_SIZE).digest()


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody but this user, and root who may do all, could have written it."""
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _locked(opened: int, longest_wait: float) -> bool:
    """Take the lock of an open file; whether it was to be had."""
    end = time.monotonic() + longest_wait
    while True:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        except OSError:  # a file system without locks
            return False
        else:
            return True
