"""Texts cut as BERT cuts them: what the library ``tokenizers`` gave, written down, and the library where it
is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.wordpiece import WordPiece, read_wordpiece
from tests.support.encoders import VOCABULARY, tokenizer

CUTS = [
    ("The cat", ["the", "cat"]),
    ("CATS", ["cat", "##s"]),
    ("cát", ["cat"]),
    ("ca\u0301t", ["cat"]),
    ("cat-dog", ["cat", "-", "dog"]),
    ("(cat).", ["(", "cat", ")", "."]),
    ("ca\u200bt\x00\ufffd", ["cat"]),
    ("cat\x0bdog", ["cat", "##d", "##o", "##g"]),
    ("cat\u2028dog\u3000the\xa0\tcat", ["cat", "dog", "the", "cat"]),
    ("cat中dog", ["cat", "[UNK]", "dog"]),
    ("naïve İ", ["n", "##a", "##i", "##v", "##e", "i"]),
    ("ΑΣ", ["[UNK]"]),
    ("cat" * 40, ["[UNK]"]),
    ("a+b", ["a", "[UNK]", "b"]),
    (" \n ", []),
]
"""Texts and their tokens. That of ``cat\\x0bdog``: a tabulator of lines is a control, and no white space."""


@pytest.fixture(scope="module")
def cutter() -> WordPiece:
    return read_wordpiece(json.dumps(tokenizer()).encode(), "toy")


@pytest.mark.parametrize(("text", "tokens"), CUTS)
def test_texts_are_cut(cutter: WordPiece, text: str, tokens: list[str]) -> None:
    assert cutter.tokens(text, 64) == [VOCABULARY[token] for token in tokens]


def test_ends_are_marked(cutter: WordPiece) -> None:
    assert cutter.marked([7]) == [VOCABULARY["[CLS]"], 7, VOCABULARY["[SEP]"]]
    assert cutter.size == len(VOCABULARY)


@pytest.mark.parametrize("kind", ["BertProcessing", "RobertaProcessing"])
def test_ends_may_be_declared_otherwise(kind: str) -> None:
    file = tokenizer() | {"post_processor": {"type": kind, "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}}
    assert read_wordpiece(json.dumps(file).encode(), "toy").marked([7]) == [2, 7, 3]


@given(st.text(), st.integers(0, 9))
def test_no_more_tokens_than_asked_for(cutter: WordPiece, text: str, most: int) -> None:
    some = cutter.tokens(text, most)
    assert len(some) <= most
    assert cutter.tokens(text, 1_000)[: len(some)] == some


ASSIGNED = st.characters(codec="utf-8", max_codepoint=0x24F)


@given(st.text(ASSIGNED, max_size=30))
def test_as_the_library_cuts(cutter: WordPiece, text: str) -> None:
    """Of characters that every version of Unicode has; of newer ones the library knows fewer than Python."""
    library = pytest.importorskip("tokenizers", reason="the library tokenizers is not installed")
    theirs = library.Tokenizer.from_str(json.dumps(tokenizer() | {"added_tokens": [], "decoder": None}))
    assert cutter.marked(cutter.tokens(text, 1_000)) == theirs.encode(text).ids
