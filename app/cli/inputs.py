"""What a command reads as a text: a file, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from app.batch.files.encodings import advice_of_text
from app.batch.files.formats import STANDARD
from app.errors import NotText


def text_of(file: Path, absent: str, folder: str) -> str:
    """What a file in UTF-8 holds, or standard input; a byte order mark is no part of it.

    ``absent``, ``folder``: what to do where there is no such file, and where it is a folder, as sentences.

    Raises:
        NotText: it is not UTF-8, is a folder, or there is no such file.
        OSError: it may not be read.
    """
    if file == STANDARD:
        content = sys.stdin.buffer.read()
    else:
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            raise NotText(f"There is no file {file}. {absent}") from None
        except IsADirectoryError:
            raise NotText(f"{file} is a folder. {folder}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fault = f"byte 0x{content[error.start]:02x} at {error.start + 1} is not UTF-8."
        name = "standard input" if file == STANDARD else str(file)
        raise NotText(f"{name}: {fault} {advice_of_text(content, error.start, file)}") from None
