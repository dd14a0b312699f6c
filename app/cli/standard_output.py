"""Standard output that is closed, full, or read by nobody: a sentence or silence, as of other tools.

So it is with standard input that is closed, for the commands that read it; others go on.
"""

from __future__ import annotations

import errno
import io
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INPUT, OUTPUT = "standard input", "standard output"
"""What errors of the standard streams call them, in the place of the name of a file."""


@contextmanager
def standard_output() -> Iterator[None]:
    """Have a command, which ends with SystemExit, write what it has to say before it ends.

    Where nobody reads it any more the process ends by SIGPIPE, as tools do that know nothing of pipes: a
    shell takes that for no failure of the command.

    Raises:
        OSError: it cannot be written.
    """
    _open_closed()
    named = _name_output()
    stream, pipe = sys.stdout, os.dup(1)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except (OSError, ExceptionGroup) as raised:
        error = alone(raised)
        if isinstance(error, BrokenPipeError):
            _end_if_unread(pipe)
        if named is not None:
            named.given_up = True
        raise error from None
    except SystemExit:
        # Both the command line and what draws tables take a broken pipe for an exit code, after they have put
        # another stream, or the null device, in its place.
        if sys.stdout is not stream or not os.path.sameopenfile(1, pipe):
            _end_if_unread(pipe)
        raise
    finally:
        os.close(pipe)


@contextmanager
def suppress_closed() -> Iterator[None]:
    """Within the block, what is written to a standard output that was closed from the start is lost."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EBADF:
            raise


class _Closed(io.RawIOBase):
    """In the place of a standard stream that is closed: nothing can be read or written."""

    def __init__(self, called: str) -> None:
        self._called = called

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), self._called)

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), self._called)


class _NamedOutput(io.FileIO):
    """Standard output, whose errors say that it is what cannot be written."""

    given_up = False
    """Whether what is still written is lost, in silence: Python tries again at its end, and tells of it."""

    def write(self, content: Any) -> int:  # noqa: ANN401 whatever has bytes
        if self.given_up:
            return len(content)
        try:
            return super().write(content)
        except OSError as error:
            raise OSError(error.errno, error.strerror, OUTPUT) from None


def _open_closed() -> None:
    """Open the standard streams that are closed.

    The next file that is opened would have the place of one, and what is said be written into it.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # has the lowest number that is free
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_Closed(INPUT)))
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(_Closed(OUTPUT), write_through=True)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)


def _name_output() -> _NamedOutput | None:
    """Have errors of standard output name it: of a full disk they would not say what is on it."""
    stream = sys.stdout
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(raw, io.FileIO):
        return None
    named = _NamedOutput(stream.fileno(), "w", closefd=False)
    # Python may have been told not to buffer.
    buffer: Any = named if raw is stream.buffer else io.BufferedWriter(named)
    sys.stdout = io.TextIOWrapper(
        buffer,
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    return named


def alone(error: Exception) -> Exception:
    """The error that a group of one holds, as tasks that run together raise it."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _end_if_unread(pipe: int) -> None:
    """End this process by SIGPIPE, where ``pipe`` is one that nobody reads."""
    looked_at = select.poll()
    looked_at.register(pipe, 0)
    if any(event & select.POLLERR for _, event in looked_at.poll(0)):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
