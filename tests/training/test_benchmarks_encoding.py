"""Titles whose encoding was broken twice come back by rule."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.benchmarks.encoding import recovered


def broken(title: str) -> bytes:
    """``title`` as WORD's release has it: UTF-8, taken for Windows-1252, written in Mac Roman."""
    written = b""
    for byte in title.encode():
        try:
            letter = bytes([byte]).decode("cp1252")
        except UnicodeDecodeError:
            written += bytes([byte])
            continue
        try:
            written += letter.encode("mac_roman")
        except UnicodeEncodeError:
            written += b"_"
    return written


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (b"Plain title (sense)", "Plain title (sense)"),
        (b"", ""),
        (b"Caf\xcc\xa9", "Café"),  # which is sound UTF-8 for something else, too
        (b"1914\x89\xdb\xd218", "1914–18"),
        (b"\x81\xe2\xcc_d\xcc\xbc", None),  # Łódź has lost a letter
        ("Café – Łódź".encode(), "Café – Łódź"),
        ("東京".encode(), "東京"),
        (b"na\x95ve", "naïve"),  # Mac Roman, broken once
        (b"snake_case", "snake_case"),
    ],
)
def test_by_hand(written: bytes, title: str | None) -> None:
    text, possible = recovered(written)
    if title is None:
        assert "\N{REPLACEMENT CHARACTER}" in text
    else:
        assert (text, possible) == (title, ())


def test_a_lost_letter_leaves_what_it_may_have_been() -> None:
    text, possible = recovered(broken("Zürich"))
    assert text == "Z\N{REPLACEMENT CHARACTER}rich"
    assert "Zürich" in possible
    # The second bytes that Mac Roman cannot write, after C3, less the soft hyphen's place (í, printable).
    assert sorted(possible) == sorted(f"Z{letter}rich" for letter in "ÊÎÚÞäæíòóùüýþ")


def test_too_many_lost_letters_are_not_listed() -> None:
    text, possible = recovered(broken("üüüü"))
    assert (text, possible) == ("\N{REPLACEMENT CHARACTER}" * 4, ())


# Letters of two and three bytes; first bytes that Mac Roman cannot write are lost for good.
LETTERS = st.characters(min_codepoint=0xC0, max_codepoint=0x3FF, exclude_categories=["Cn", "Cc", "Mn"]) | (
    st.sampled_from("–—‘’“”…€™ABCxyz '(),.")
)


@given(st.text(LETTERS, min_size=1, max_size=12))
def test_the_way_back_undoes_the_breaking(title: str) -> None:
    text, possible = recovered(broken(title))
    lost = text.count("\N{REPLACEMENT CHARACTER}")
    if not lost:
        assert text == title
    elif possible:
        assert title in possible


@given(st.text(LETTERS, min_size=1, max_size=12))
def test_sound_titles_stay_as_they_are(title: str) -> None:
    assert recovered(title.encode()) == (title, ())


@given(st.binary(max_size=24))
def test_any_bytes_give_a_text(content: bytes) -> None:
    text, possible = recovered(content)
    assert text.isascii() == content.isascii()
    assert len(possible) != 1


def test_every_title_that_word_broke_comes_back(data_dir: Path) -> None:
    with (data_dir / "word" / "title_fixes.tsv").open(encoding="utf-8", newline="") as file:
        fixes = list(csv.DictReader(file, delimiter="\t"))
    assert len(fixes) == 25
    for fix in fixes:
        written, title = fix["raw_latin1"].encode("latin-1"), fix["fixed"]
        assert written == broken(title)
        text, possible = recovered(written)
        assert title == text or title in possible
