"""Where a command's results go: files, or standard output."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from app.batch.files.formats import STANDARD
from app.errors import OutputExists
from app.outputs import check_output


def check_outputs(*paths: Path | None, force: bool) -> None:
    """Refuse what could not be written before the work rather than after it.

    Raises:
        OutputExists: one of the files exists already, and ``force`` was not given.
        OutputUnusable: one of the names is a link that leads nowhere, a folder or a device, is not to be
            written, or stands in no folder.
        typer.BadParameter: two of them are the same file.
    """
    named = [path for path in paths if path is not None and path != STANDARD]
    for path in named:
        check_output(path)
    files = [path if path == STANDARD else path.resolve() for path in paths if path is not None]
    if len(set(files)) < len(files):
        raise typer.BadParameter(f"{files[0]} cannot hold two outputs. Name another file for one of them.")
    for path in named:
        if path.exists() and not force:
            raise OutputExists(f"{path} exists already. Name another file, or overwrite it with --force.")


def write(content: bytes, file: Path | None) -> None:
    """Write a report where it was asked for: a file, or standard output."""
    if file == STANDARD:
        sys.stdout.buffer.write(content)
    elif file is not None:
        file.write_bytes(content)
