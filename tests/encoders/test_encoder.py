"""Encoders: folders of a few kilobytes, opened, damaged, and held to an obvious reading of the same table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders import onnx
from encoders.card import BASIS, CARD, MODEL, SCALES, TOKENIZER, TOKENS, check_files, read_card, write_card
from encoders.encoder import open_encoder
from encoders.errors import DamagedEncoder, EncoderError, MissingRuntime, NotAnEncoder
from tests.conftest import ROOT
from tests.support.encoders import (
    DIMENSIONS,
    VOCABULARY,
    onnx_model,
    save,
    token_table,
    tokenizer,
    toy_card,
    write_encoder,
)

TEXTS = ["Cat", "the cat, the dog", "", " \t", "Piano (music)", "cat" * 40, "mouse"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("encoders") / "toy"
    write_encoder(made)
    return made


def obvious(words: list[str]) -> list[float]:
    """The vector of some tokens, from the table as it is made."""
    tokens, scales = token_table()
    summed = [0.0] * DIMENSIONS
    for word in words:
        place = VOCABULARY[word]
        for k in range(DIMENSIONS):
            summed[k] += float(tokens[place, k]) * float(scales[place])
    length = sum(x * x for x in summed) ** 0.5
    return [x / length for x in summed]


def test_a_text_is_the_sum_of_its_tokens(folder: Path) -> None:
    encoder = open_encoder(folder, "static")
    (vector,) = encoder.encode(["The CAT!  cats"])
    assert vector.tolist() == pytest.approx(obvious(["the", "cat", "!", "cat", "##s"]), abs=1e-6)
    assert (encoder.name, encoder.kind, encoder.dimensions) == ("toy", "static", DIMENSIONS)


def test_rows_have_unit_length_but_those_of_white_space(folder: Path) -> None:
    rows = open_encoder(folder).encode(TEXTS)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths.tolist() == pytest.approx([1, 1, 0, 0, 1, 1, 1], abs=1e-6)
    assert open_encoder(folder).encode([]).shape == (0, DIMENSIONS)


@settings(deadline=None)
@given(texts=st.lists(st.text(max_size=40), max_size=6))
def test_a_row_depends_on_its_text_alone(folder: Path, texts: list[str]) -> None:
    encoder = open_encoder(folder, "static")
    rows = encoder.encode(texts)
    assert np.isfinite(rows).all()
    for text, row in zip(texts, rows, strict=True):
        assert np.array_equal(encoder.encode([text])[0], row)
    assert np.array_equal(encoder.encode(texts[::-1]), rows[::-1])


def test_what_does_not_fit_does_not_count(folder: Path) -> None:
    encoder = open_encoder(folder)
    assert np.array_equal(*encoder.encode(["cat " * 14 + "dog", "cat " * 14 + "piano"]))
    assert not np.array_equal(*encoder.encode(["cat " * 13 + "dog", "cat " * 13 + "piano"]))
    # However long a text is, it takes no longer.
    encoder.encode(["é" * 3_000_000])


def test_progress_counts_texts(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    open_encoder(folder).encode(["cat", "dog"], lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_what_is_no_text_is_refused(folder: Path) -> None:
    encoder = open_encoder(folder)
    for wrong in ("cat", [1], [None], [b"cat"]):
        with pytest.raises(TypeError, match="string"):
            encoder.encode(wrong)  # type: ignore[arg-type]


def test_the_digest_is_of_what_decides_vectors(tmp_path: Path) -> None:
    same, other = write_encoder(tmp_path / "a"), write_encoder(tmp_path / "b")
    assert same.digest == other.digest
    assert write_encoder(tmp_path / "c", seed=2).digest != same.digest
    assert write_encoder(tmp_path / "d", longest=12).digest != same.digest
    # Cosines that are only learnt from decide no vector.
    assert write_encoder(tmp_path / "e", more={"left_out.csv": b"left\n"}).digest == same.digest
    assert read_card(tmp_path / "a") == same
    assert check_files(tmp_path / "a", same) == []


# Without and with ONNX Runtime


def test_without_the_runtime_the_table_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_encoder(tmp_path / "both", more={MODEL: b"a graph that nobody reads here"})
    monkeypatch.setattr(onnx, "installed", lambda: False)
    assert open_encoder(tmp_path / "both").kind == "static"
    monkeypatch.setitem(sys.modules, onnx.RUNTIME, None)
    with pytest.raises(MissingRuntime, match="extra `encoder`"):
        open_encoder(tmp_path / "both", "onnx")
    write_encoder(tmp_path / "model", more={MODEL: b"a graph", TOKENS: None, SCALES: None})
    with pytest.raises(MissingRuntime, match="no static table"):
        open_encoder(tmp_path / "model")
    with pytest.raises(NotAnEncoder, match=r"no tokens\.npy"):
        open_encoder(tmp_path / "model", "static")


@pytest.fixture(scope="module")
def graph() -> bytes:
    pytest.importorskip("onnxruntime", reason="the extra `encoder` is not installed")
    pytest.importorskip("onnx", reason="onnx, which makes a graph, is not installed")
    return onnx_model()


def test_the_runtime_neither_tells_its_makers_of_us_nor_writes_beside_us(
    tmp_path: Path, graph: bytes
) -> None:
    write_encoder(tmp_path / "toy", more={MODEL: graph})
    opening = "import sys; from encoders.encoder import open_encoder; open_encoder(sys.argv[1])"
    cache, no_cache = tmp_path / "cache", tmp_path / "file"
    cache.mkdir()
    no_cache.touch()
    for place in (cache, no_cache):
        used = subprocess.run(
            [sys.executable, "-c", opening, str(tmp_path / "toy")],
            env={**os.environ, "XDG_CACHE_HOME": str(place), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert used.stderr == ""
    assert list(cache.rglob("*onnx*")) == []


def test_the_graph_is_run_on_marked_texts(tmp_path: Path, graph: bytes) -> None:
    write_encoder(tmp_path / "toy", more={MODEL: graph})
    encoder = open_encoder(tmp_path / "toy")
    assert encoder.kind == "onnx"
    rows = encoder.encode(TEXTS)
    assert rows[0].tolist() == pytest.approx(obvious(["[CLS]", "cat", "[SEP]"]), abs=1e-5)
    assert not rows[2:4].any()
    for text, row in zip(TEXTS, rows, strict=True):
        assert np.array_equal(encoder.encode([text])[0], row)


def test_a_damaged_graph_is_named(tmp_path: Path, graph: bytes) -> None:
    for number, content in enumerate((b"", b"no graph", graph[: len(graph) // 2])):
        write_encoder(tmp_path / str(number), more={MODEL: content})
        with pytest.raises(DamagedEncoder, match=r"model\.onnx is damaged"):
            open_encoder(tmp_path / str(number))


# What is wrong with folders


def test_every_file_is_checked(tmp_path: Path) -> None:
    for number, name in enumerate((TOKENIZER, TOKENS, SCALES)):
        made = tmp_path / str(number)
        write_encoder(made)
        content = bytearray((made / name).read_bytes())
        content[-1] ^= 1
        (made / name).write_bytes(content)
        with pytest.raises(DamagedEncoder, match=f"{name} is damaged: its checksum"):
            open_encoder(made)
        (made / name).write_bytes(content + b" ")
        with pytest.raises(DamagedEncoder, match=r"it has not the [\d,]+ bytes"):
            open_encoder(made)
        (made / name).unlink()
        with pytest.raises(DamagedEncoder, match="it is not there"):
            open_encoder(made)
        assert len(check_files(made, read_card(made))) == 1


@pytest.mark.parametrize(
    ("tokens", "scales"),
    [
        (np.zeros((3, DIMENSIONS), np.int8), np.zeros(3, np.float32)),
        (np.zeros((len(VOCABULARY), 3), np.int8), np.zeros(len(VOCABULARY), np.float32)),
        (np.zeros((len(VOCABULARY), DIMENSIONS), np.int16), np.zeros(len(VOCABULARY), np.float32)),
        (np.zeros((len(VOCABULARY), DIMENSIONS), np.int8), np.zeros(5, np.float32)),
        (np.zeros((len(VOCABULARY), DIMENSIONS), np.int8), np.full(len(VOCABULARY), np.nan, np.float32)),
        (np.zeros(len(VOCABULARY), np.int8), np.zeros(len(VOCABULARY), np.float32)),
    ],
)
def test_tables_that_do_not_fit_are_named(tmp_path: Path, tokens: np.ndarray, scales: np.ndarray) -> None:
    write_encoder(tmp_path / "toy", more={TOKENS: save(tokens), SCALES: save(scales)})
    with pytest.raises(DamagedEncoder, match="damaged"):
        open_encoder(tmp_path / "toy")


def test_coordinates_are_along_a_basis(tmp_path: Path) -> None:
    """The same vectors, said by fewer numbers a token: each token is a sum of two directions."""
    chance = np.random.default_rng(3)
    basis = chance.normal(size=(2, DIMENSIONS)).astype(np.float32)
    tokens = chance.integers(-9, 10, (len(VOCABULARY), 2)).astype(np.int8)
    ones = save(np.ones(len(VOCABULARY), np.float32))
    write_encoder(tmp_path / "toy", more={TOKENS: save(tokens), SCALES: ones, BASIS: save(basis)})
    whole = (tokens @ basis).astype(np.float32)
    scales = np.abs(whole).max(axis=1) / 127
    rounded = np.rint(whole / np.where(scales == 0, 1, scales)[:, None]).astype(np.int8)
    write_encoder(tmp_path / "whole", more={TOKENS: save(rounded), SCALES: save(scales.astype(np.float32))})
    of_basis, of_whole = (open_encoder(tmp_path / name) for name in ("toy", "whole"))
    assert of_basis.dimensions == of_whole.dimensions == DIMENSIONS
    assert of_basis.digest != of_whole.digest
    np.testing.assert_allclose(of_basis.encode(TEXTS), of_whole.encode(TEXTS), atol=0.03)


@pytest.mark.parametrize(
    "basis",
    [
        np.zeros((2, DIMENSIONS), np.float64),
        np.zeros((3, DIMENSIONS), np.float32),
        np.zeros((2, DIMENSIONS + 1), np.float32),
        np.full((2, DIMENSIONS), np.nan, np.float32),
        np.zeros(DIMENSIONS, np.float32),
    ],
)
def test_a_basis_that_does_not_fit_is_named(tmp_path: Path, basis: np.ndarray) -> None:
    tokens, scales = np.ones((len(VOCABULARY), 2), np.int8), np.ones(len(VOCABULARY), np.float32)
    write_encoder(tmp_path / "toy", more={TOKENS: save(tokens), SCALES: save(scales), BASIS: save(basis)})
    with pytest.raises(DamagedEncoder, match="damaged"):
        open_encoder(tmp_path / "toy")


def test_pickles_are_not_read(tmp_path: Path) -> None:
    held = save(np.array([{}], object))
    write_encoder(tmp_path / "toy", more={TOKENS: held})
    with pytest.raises(DamagedEncoder, match="it holds no array"):
        open_encoder(tmp_path / "toy")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "encoder format 2"),
        ({"dimensions": 0}, "0 dimensions"),
        ({"dimensions": "8"}, "not an encoder's card"),
        ({"longest_text": 1_000_000}, "texts of 1,000,000 tokens"),
        ({"longest_text": 2}, "marks alone"),
        ({"files": {}}, "lists no tokenizer.json"),
        ({"name": None}, "not an encoder's card"),
    ],
)
def test_cards_that_are_none_are_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    write_encoder(tmp_path / "toy")
    card = json.loads((tmp_path / "toy" / CARD).read_text())
    (tmp_path / "toy" / CARD).write_text(json.dumps(card | change))
    with pytest.raises(NotAnEncoder, match=message):
        open_encoder(tmp_path / "toy")


@pytest.mark.parametrize("name", ["../tokens.npy", "/etc/passwd", "", "..", CARD])
def test_a_card_names_files_beside_it_alone(tmp_path: Path, name: str) -> None:
    write_encoder(tmp_path / "toy")
    card = json.loads((tmp_path / "toy" / CARD).read_text())
    card["files"][name] = {"size": 1, "sha256": "00"}
    (tmp_path / "toy" / CARD).write_text(json.dumps(card))
    with pytest.raises(NotAnEncoder, match="no file beside it"):
        open_encoder(tmp_path / "toy")


@settings(deadline=None, max_examples=40)
@given(content=st.binary(max_size=60))
def test_whatever_stands_in_a_card(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("card")
    (folder / CARD).write_bytes(content)
    with pytest.raises(NotAnEncoder):
        open_encoder(folder)


def test_a_folder_without_a_card_is_none(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(NotAnEncoder, match=r"no card\.json"):
            open_encoder(place)


def test_other_tokenizers_are_refused_by_name(tmp_path: Path) -> None:
    file = tokenizer()
    for number, (part, found) in enumerate(
        {"model": "BPE", "normalizer": "NFC", "pre_tokenizer": "ByteLevel"}.items()
    ):
        other = file | {part: {**file[part], "type": found}}  # type: ignore[dict-item]
        write_encoder(tmp_path / str(number), more={TOKENIZER: json.dumps(other).encode()})
        with pytest.raises(NotAnEncoder, match=f"the type {found}, and"):
            open_encoder(tmp_path / str(number))


def test_a_card_lists_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(NotAnEncoder, match="lists no"):
        write_card(tmp_path, toy_card())
    card = write_encoder(tmp_path / "toy")
    assert set(card.files) == {TOKENIZER, TOKENS, SCALES}
    assert msgspec.json.decode((tmp_path / "toy" / CARD).read_bytes())["base"]["name"] == "made up"
    assert issubclass(NotAnEncoder, EncoderError)
