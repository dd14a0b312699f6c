"""What others hand in: files that are files and end, JSON that says nothing twice, and tables of cells."""

from __future__ import annotations

import csv
import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

LARGEST = 32 << 20
"""Bytes of a file that is read as a whole, a model or a report; a model of ours has some ten thousand."""

_SHOWN = 40

_ESCAPE = 6
"""Bytes of a character that is escaped."""


class UnusableFile(OSError):
    """What stands under a name is no file that can be read to its end."""


@contextmanager
def given_file(path: Path) -> Iterator[BinaryIO]:
    """A file, open to be read. Opening does not wait, as it would for who writes to a pipe.

    Raises:
        UnusableFile: it is a pipe, a device or the like, which may give nothing or never end.
        OSError: it is a folder, is not there, or may not be read.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        kind = os.fstat(opened).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            reason = "Is a pipe or a device, and a file is needed; copy what it gives into one"
            raise UnusableFile(errno.EINVAL, reason, str(path))
        with os.fdopen(opened, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(opened)


def content_of(path: Path, most: int = LARGEST) -> bytes:
    """The content of a file of at most ``most`` bytes.

    Raises:
        UnusableFile: it is larger, or no file.
        OSError: as ``given_file``.
    """
    with given_file(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise UnusableFile(errno.EFBIG, f"Has more than {most:,} bytes, the most that is read", str(path))
    return content


def json_fault(error: Exception, content: bytes, decoder: msgspec.json.Decoder[Any]) -> str:
    """What is wrong with JSON that ``decoder`` refuses with ``error``.

    Behind the first half of a character that is escaped as two, it takes for granted that the other follows:
    where JSON has fewer bytes left, it says that its end is missing.
    """
    if "truncated" in str(error) and b"\\u" in content[-2 * _ESCAPE :]:
        try:
            decoder.decode(content + b" " * _ESCAPE)
        except msgspec.DecodeError as nearer:
            if "surrogate" in str(nearer):
                return str(nearer)
    return str(error)


def refuse_repeated_keys(content: bytes | str) -> None:
    """Refuse JSON an object of which has a key twice: which of the two is meant, readers disagree on.

    Raises:
        msgspec.DecodeError: there is one, or it is no JSON.
        RecursionError: it is nested too deeply.
    """
    try:
        json.loads(content, object_pairs_hook=_said_once)
    except ValueError as error:
        raise msgspec.DecodeError(str(error)) from None


def _said_once(pairs: list[tuple[str, Any]]) -> None:
    seen = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key {key[:_SHOWN]!r} stands twice in one object")
        seen.add(key)


def csv_fault(error: csv.Error) -> str:
    """What is wrong with a table that ``csv`` cannot read, and what to do: its own words are for programmers.

    >>> csv_fault(csv.Error("unexpected end of data"))
    'a quote is opened and never closed. Close it, or write a quote within a quoted cell twice.'
    """
    said = str(error)
    if "end of data" in said:
        return "a quote is opened and never closed. Close it, or write a quote within a quoted cell twice."
    if "expected after" in said:
        return "text follows a closing quote. Write a quote within a quoted cell twice."
    if "new-line character" in said:
        return (
            "a carriage return stands within a cell that is not quoted. Is it a table of text? End its lines "
            "in line feeds, or quote the cell."
        )
    if "row limit" in said:
        return "a row has too many lines. Is a quote in it never closed?"
    if "field limit" in said:
        return (
            f"a cell has more than {csv.field_size_limit():,} characters. Is a quote before it never closed?"
        )
    return f"it cannot be read as cells ({said}). Is it a table of text?"
