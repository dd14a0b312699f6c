"""Whether a file of text is UTF-8, all of it, and what it probably is instead."""

from __future__ import annotations

import codecs
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from app.errors import PairsError

BLOCK = 1 << 20
"""Bytes that are looked at in one go."""

_WIDE: Mapping[bytes, str] = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""How texts begin whose letters have two or four bytes; a mark that begins with another one is before it."""

_NO_TEXT: Mapping[bytes, str] = {
    b"PK\x03\x04": "it is a workbook of a spreadsheet: save it as CSV UTF-8",
    b"\xd0\xcf\x11\xe0": "it is a workbook of a spreadsheet: save it as CSV UTF-8",
    b"PAR1": "it is Parquet: add --format parquet",
    b"\x1f\x8b": "it is compressed: unpack it first, as gunzip does",
}
"""How files begin that are often called .csv and are no text, and what to do with them."""

_UNUSED = frozenset(b"\x81\x8d\x8f\x90\x9d")
"""Bytes that Windows-1252 has no character for."""

_LETTERS_A_MARK = 3
"""ASCII letters that a text of a Western language has at the least for each letter with a mark."""


def not_text(begun: bytes) -> str | None:
    """What a file is that begins so, and what to do with it, where that can be no text; None where it may."""
    return next((what for mark, what in _NO_TEXT.items() if begun.startswith(mark)), None)


def refuse_other_encodings(stream: BinaryIO, path: Path) -> None:
    """Read the file ``path`` to its end from ``stream`` and go back to its beginning.

    A fault in a later line is one of the whole file: who reads on scores names that nobody wrote.

    Raises:
        PairsError: it is not UTF-8; says what it probably is, and how to make UTF-8 of it.
    """
    before = b""
    lines, begun, offset = 1, 0, 0
    marked = False
    while True:
        block = stream.read(BLOCK)
        data = before + block
        if offset == 0:
            _refuse_wide(data, path)
        try:
            text, used = codecs.utf_8_decode(data, "strict", not block)
        except UnicodeDecodeError as fault:
            head = data[: fault.start]
            line = lines + head.count(b"\n")
            column = fault.start - head.rfind(b"\n") if b"\n" in head else offset + fault.start - begun + 1
            place = f"line {line}: byte 0x{data[fault.start]:02x} at {column} is not UTF-8."
            rest = data[head.rfind(b"\n") + 1 :] + stream.read(BLOCK)
            advice = _advice(rest, marked or not head.isascii(), path)
            raise PairsError(f"{place} {advice}") from None
        if not block:
            break
        marked = marked or not text.isascii()
        lines += data.count(b"\n", 0, used)
        if b"\n" in data[:used]:
            begun = offset + data.rfind(b"\n", 0, used) + 1
        offset += used
        before = data[used:]
    stream.seek(0)


def _refuse_wide(begun: bytes, path: Path) -> None:
    """Refuse a file that begins as one of no text does, or as one whose letters have several bytes each."""
    what = not_text(begun)
    if what is not None:
        raise PairsError(f"{what}.")
    wide = next((name for mark, name in _WIDE.items() if begun.startswith(mark)), None) or _unmarked(begun)
    if wide is not None:
        raise PairsError(f"the file is {wide}, and is to be UTF-8. {_convert(wide, path)}")


def _unmarked(begun: bytes) -> str | None:
    """Which UTF-16 a text is that has no mark of it: every other byte of what is ASCII is 0.

    >>> _unmarked("left,right".encode("utf-16-le")), _unmarked(b"left,right")
    ('UTF-16LE', None)
    """
    first, second = begun[0:4096:2], begun[1:4096:2]
    if second and second.count(0) * 2 > len(second):
        return "UTF-16LE"
    return "UTF-16BE" if first and first.count(0) * 2 > len(first) else None


def _advice(rest: bytes, marked: bool, path: Path) -> str:
    """What to do with a file that has ``rest`` from the line of its first fault on.

    ``marked``: before it stand letters that are more than ASCII, and are UTF-8.
    """
    if marked:
        return (
            "What stands before it is UTF-8, so this line is damaged, or from a file in another encoding. "
            "Write it anew."
        )
    if _is_western(rest):
        return (
            "The file is probably Windows-1252, or Latin-1, which is a part of it. "
            f"{_convert('WINDOWS-1252', path)}"
        )
    return (
        "Save it as UTF-8 with the program that made it, or convert it: iconv -f ENCODING -t UTF-8, where "
        "ENCODING is what it was saved in, such as WINDOWS-1251 (Cyrillic), SHIFT_JIS (Japanese) or GB18030 "
        "(Chinese)."
    )


def advice_of_text(content: bytes, fault: int, file: Path) -> str:
    """What to do with a text that is not UTF-8 from ``fault`` on; ``file`` is - for standard input."""
    begun = content.rfind(b"\n", 0, fault) + 1
    wide = next((name for mark, name in _WIDE.items() if content.startswith(mark)), None)
    western = content[:fault].isascii() and _is_western(content[begun:])
    encoding = wide or ("WINDOWS-1252" if western else "ENCODING")
    probably = ""
    if western and not wide:
        probably = "It is probably Windows-1252, or Latin-1, which is a part of it. "
    if str(file) == "-":
        return f"{probably}Convert it before: … | iconv -f {encoding} -t UTF-8 | …"
    made = file.with_name(f"{file.stem}-utf8{file.suffix}")
    command = f"iconv -f {encoding} -t UTF-8 {shlex.quote(str(file))} > {shlex.quote(str(made))}"
    return f"{probably}Save it as UTF-8, or convert it: {command}"


def _is_western(rest: bytes) -> bool:
    """Whether ``rest`` may be Windows-1252: among its letters, few are more than ASCII.

    >>> _is_western("é, Café, Dog".encode("cp1252")), _is_western("Собака, Кошка".encode("cp1251"))
    (True, False)
    """
    high = [byte for byte in rest if byte >= 0x80]
    letters = sum(chr(byte).isalpha() for byte in rest if byte < 0x80)
    return not _UNUSED.intersection(high) and len(high) * _LETTERS_A_MARK <= letters


def _convert(encoding: str, path: Path) -> str:
    made = path.with_name(f"{path.stem}-utf8{path.suffix}")
    return (
        "Save it as UTF-8 (spreadsheets call that CSV UTF-8), or convert it: "
        f"iconv -f {encoding} -t UTF-8 {shlex.quote(str(path))} > {shlex.quote(str(made))}"
    )
