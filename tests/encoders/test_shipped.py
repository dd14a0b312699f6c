"""The encoder that comes with wort: whole, named, and no worse than its documents say."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from encoders.card import check_files, read_card
from encoders.encoder import Kind, open_encoder
from encoders.left_out import read_left_out
from encoders.shipped import shipped_encoder

FOLDER = shipped_encoder() or Path()

RELATED = [("cat", "dog"), ("Christianity", "Islam"), ("Atheism", "Religion"), ("car insurance", "accident")]
UNRELATED = [("cat", "monetary policy"), ("jazz", "photosynthesis"), ("Atheism", "Carburetor")]

KINDS = [
    "static",
    pytest.param("onnx", marks=pytest.mark.skipif(not find_spec("onnxruntime"), reason="no onnxruntime")),
]


def test_it_is_whole_and_says_what_it_was_made_of() -> None:
    card = read_card(FOLDER)
    assert check_files(FOLDER, card) == []
    assert (card.base.name, card.licence) == ("all-MiniLM-L6-v2", "Apache-2.0")
    assert [(seen.rows, seen.licence) for seen in card.data] == [(12_969, "CC BY-SA 3.0")]
    assert len(read_left_out(FOLDER).rows) == 12_969
    assert {path.name for path in FOLDER.iterdir()} - {"__init__.py", "__pycache__"} == {
        "card.json",
        *card.files,
    }


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_related_lies_closer_than_what_is_not(kind: Kind) -> None:
    encoder = open_encoder(FOLDER, kind)

    def cosine(pair: tuple[str, str]) -> float:
        left, right = encoder.encode(pair)
        return float(left @ right)

    assert min(map(cosine, RELATED)) > max(map(cosine, UNRELATED)) + 0.2


@pytest.mark.skipif(not find_spec("onnxruntime"), reason="no onnxruntime")
def test_the_static_table_lies_in_the_space_of_the_encoder() -> None:
    texts = [text for pair in (*RELATED, *UNRELATED) for text in pair]
    encoded, by_tokens = (open_encoder(FOLDER, kind).encode(texts) for kind in ("onnx", "static"))
    assert float(np.mean((encoded * by_tokens).sum(axis=1))) > 0.7
