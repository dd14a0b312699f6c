"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """A file to write, which takes the name ``target`` once the block ends and all of it is on the disk.

    Until then it has a name of its own in the same folder, so that two who write one target do not meet; the
    last one to end stays. An error leaves what was there as it was, and nothing beside it.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    partial = target.with_name(f"{target.name}.{secrets.token_hex(8)}.partial")
    try:
        with partial.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _keep_name(target.parent)


def _keep_name(folder: Path) -> None:
    """See that the names of a folder are on the disk: a file's own bytes do not say what it is called."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
