"""Encoders of a few kilobytes: letters are tokens, and so are some words."""

from __future__ import annotations

import io
import json
import string
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from encoders.card import SCALES, TOKENIZER, TOKENS, Base, Card, write_card

WORDS = ("cat", "dog", "music", "piano", "the", "mouse")
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
VOCABULARY = {
    token: place
    for place, token in enumerate(
        (
            *MARKS,
            *WORDS,
            *string.ascii_lowercase,
            *string.digits,
            *(f"##{c}" for c in string.ascii_lowercase + string.digits),
            *"().,-!",
        )
    )
}

DIMENSIONS = 8


def tokenizer(vocabulary: dict[str, int] = VOCABULARY) -> dict[str, object]:
    """A tokenizer's file as the library ``tokenizers`` writes it, without what is read by nobody here."""
    mark = {name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    single = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    return {
        "version": "1.0",
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": [],
            "special_tokens": mark,
        },
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    }


def token_table(seed: int = 1) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A vector a token, and its scale."""
    chance = np.random.default_rng(seed)
    tokens = chance.integers(-127, 128, (len(VOCABULARY), DIMENSIONS)).astype(np.int8)
    return tokens, (0.5 + chance.random(len(VOCABULARY))).astype(np.float32)


def save(array: NDArray[np.generic]) -> bytes:
    """The bytes of an ``.npy`` file."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def write_encoder(
    folder: Path, seed: int = 1, longest: int = 16, more: Mapping[str, bytes | None] | None = None
) -> Card:
    """An encoder in ``folder``, whose vectors follow from ``seed``; ``more``: files, None of one left out."""
    folder.mkdir(parents=True)
    tokens, scales = token_table(seed)
    files: dict[str, bytes | None] = {
        TOKENIZER: json.dumps(tokenizer()).encode(),
        TOKENS: save(tokens),
        SCALES: save(scales),
        **(more or {}),
    }
    for name, content in files.items():
        if content is not None:
            (folder / name).write_bytes(content)
    return write_card(folder, toy_card(longest))


def toy_card(longest: int = 16) -> Card:
    """A card, without the files that ``write_card`` adds."""
    return Card(
        name="toy",
        base=Base("made up", "00" * 32),
        data=[],
        settings={"seed": 1},
        figures={"nothing": {"pearson": 0.0}},
        dimensions=DIMENSIONS,
        longest_text=longest,
        pooling="mean",
        licence="CC0-1.0",
        files={},
    )


def onnx_model(seed: int = 1) -> bytes:
    """The graph that looks up ``token_table`` and takes the mean; it needs the library ``onnx``."""
    from onnx import TensorProto, helper, numpy_helper

    tokens, scales = token_table(seed)
    table = numpy_helper.from_array(tokens.astype(np.float32) * scales[:, None], "table")
    ids, mask = (
        helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "t"])
        for name in ("input_ids", "attention_mask")
    )
    out = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", DIMENSIONS])
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Cast", ["attention_mask"], ["weights"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["weights", "last"], ["column"]),
        helper.make_node("Mul", ["rows", "column"], ["weighed"]),
        helper.make_node("ReduceMean", ["weighed"], ["embedding"], axes=[1], keepdims=0),
    ]
    last = numpy_helper.from_array(np.array([2], np.int64), "last")
    graph = helper.make_graph(nodes, "toy", [ids, mask], [out], [table, last])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())
