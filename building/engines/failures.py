"""What engines and libraries raise when the machine fails a build, turned into errors that say what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

import duckdb
import sqlalchemy.exc

from snapshots.errors import BuildError, DiskFull, OutOfMemory

_FULL = (
    (duckdb.Error, "No space left"),
    (duckdb.Error, "max_temp_directory_size"),
    (sqlalchemy.exc.OperationalError, "disk is full"),
    (RuntimeError, "MARISA_IO_ERROR"),  # a trie that could not be written to its end
)
"""What each library raises where the disk is full, and which words of its message say so."""

_NO_MEMORY = ("OutOfMemoryError", "Python worker exited unexpectedly")
"""What Spark says where a process had too little memory, or was killed for what it held."""


@contextmanager
def explained_failures(output: Path) -> Iterator[None]:
    """Turn what an engine raises while it writes ``output`` into an error that says what to do."""
    try:
        yield
    except BrokenProcessPool as error:
        raise OutOfMemory(
            "A worker process was killed, most likely because the machine ran out of memory. "
            "Run the same command again with a smaller --memory or fewer --workers: it resumes."
        ) from error
    except duckdb.OutOfMemoryException as error:
        if _is_full(error):
            raise _disk_full(output) from error
        raise OutOfMemory(
            f"A query needs more memory than it was given ({error}). "
            "Run the same command again with a larger --memory: it resumes."
        ) from error
    except Exception as error:
        if _is_full(error):
            raise _disk_full(output) from error
        if _is_of_java(error):
            raise _given_up(error) from error
        raise


def _is_full(error: Exception) -> bool:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    if _is_of_java(error) and "No space left on device" in str(error):
        return True
    return any(isinstance(error, kind) and words in str(error) for kind, words in _FULL)


def _is_of_java(error: Exception) -> bool:
    """Whether Spark's Java process failed, or a job of it did; told by name, as PySpark need not be there."""
    return type(error).__module__.partition(".")[0] == "py4j"


def _given_up(error: Exception) -> BuildError:
    story = str(error)
    reason = next((line for line in story.splitlines() if "Exception" in line or "Error" in line), story)
    reason = reason.strip(": ")
    if any(words in story for words in _NO_MEMORY):
        return OutOfMemory(
            f"A process of Spark was killed or had too little memory ({reason}). Run the same command again "
            "with a larger --memory or fewer --workers; on a cluster, give its executors more: it resumes."
        )
    return BuildError(f"Spark gave up ({reason}). Run the same command again: it resumes.")


def _disk_full(output: Path) -> DiskFull:
    return DiskFull(
        f"The disk that holds {output.parent} is full. "
        "Make room, then run the same command again: it resumes."
    )
