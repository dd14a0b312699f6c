"""A file of pairs in another encoding is refused as a whole, with what makes UTF-8 of it."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from app.batch.files import encodings
from app.batch.files.encodings import refuse_other_encodings
from app.batch.files.formats import Format, reader_of, reading
from app.batch.files.rows import PairCells
from app.errors import PairsError

PAIRS = "left,right\nCat,Dog\nCafé,Tea\n"


def _said(tmp_path: Path, content: bytes, form: Format = Format.CSV) -> str:
    file = tmp_path / "pairs.csv"
    file.write_bytes(content)
    with pytest.raises(PairsError) as refused, reading(file, form, PairCells(), form):
        pass
    return str(refused.value).removeprefix(f"{file}: ")


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("latin-1", "WINDOWS-1252"),
        ("cp1252", "WINDOWS-1252"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16LE"),
        ("utf-16-be", "UTF-16BE"),
        ("utf-32", "UTF-32"),
    ],
)
def test_what_is_said_of_another_encoding_makes_utf8_of_it(tmp_path: Path, encoding: str, named: str) -> None:
    said = _said(tmp_path, PAIRS.encode(encoding))
    command = said.partition("convert it: ")[2]
    assert command.startswith(f"iconv -f {named} -t UTF-8 ")
    if shutil.which("iconv") is None:
        pytest.skip("needs iconv")
    subprocess.run(command, shell=True, check=True, timeout=60)  # as people paste it
    assert (tmp_path / "pairs-utf8.csv").read_text("utf-8").removeprefix("\ufeff") == PAIRS


def test_the_line_and_the_byte_are_named_wherever_blocks_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in range(1, 16):
        monkeypatch.setattr(encodings, "BLOCK", size)
        said = _said(tmp_path, b"left,right\nCat,Dog\nCaf\xe9,Tea\n")
        assert said.startswith("line 3: byte 0xe9 at 4 is not UTF-8. "), size
        assert size < 8 or "WINDOWS-1252" in said
        stream = io.BytesIO(PAIRS.encode())
        refuse_other_encodings(stream, tmp_path)
        assert stream.tell() == 0


def test_a_letter_that_is_cut_at_the_end_is_a_fault(tmp_path: Path) -> None:
    assert _said(tmp_path, PAIRS.encode() + b"Caf\xc3").startswith("line 4: byte 0xc3 at 4 ")


def test_a_damaged_line_of_utf8_is_no_other_encoding(tmp_path: Path) -> None:
    said = _said(tmp_path, PAIRS.encode() + b"Th\xe9,Dog\n")
    assert said.startswith("line 4: ")
    assert "this line is damaged" in said
    assert "iconv" not in said


def test_of_another_script_no_encoding_is_guessed(tmp_path: Path) -> None:
    said = _said(tmp_path, "left,right\nСобака,Кошка\n".encode("cp1251"))
    assert "iconv -f ENCODING" in said
    assert "WINDOWS-1251 (Cyrillic)" in said


@pytest.mark.parametrize(
    ("begins", "said"),
    [(b"PK\x03\x04", "workbook"), (b"PAR1", "--format parquet"), (b"\x1f\x8b\x08", "gunzip")],
)
def test_what_is_no_text_is_told_apart(tmp_path: Path, begins: bytes, said: str) -> None:
    assert said in _said(tmp_path, begins + b"left,right\n")


def test_objects_are_looked_at_too(tmp_path: Path) -> None:
    content = '{"left": "Cat", "right": "Dog"}\n{"left": "Café", "right": "Tea"}\n'.encode("latin-1")
    assert _said(tmp_path, content, Format.JSONL).startswith("line 2: byte 0xe9 at 14 ")


def test_what_arrives_is_read_once_and_has_the_fault_in_its_row(tmp_path: Path) -> None:
    content = PAIRS.encode("latin-1")
    pipe = tmp_path / "pairs.csv"
    os.mkfifo(pipe)
    sender = threading.Thread(target=pipe.write_bytes, args=[content])
    sender.start()
    with reading(pipe, Format.CSV, PairCells(), Format.CSV) as reader:
        named = [row.error for chunk in reader.chunks() for row in chunk.rows]
    sender.join()
    sent = reader_of(io.BytesIO(content), Format.CSV, PairCells())
    for errors in (named, [row.error for chunk in sent.chunks() for row in chunk.rows]):
        assert errors[0] is None
        assert "not UTF-8" in str(errors[1])
