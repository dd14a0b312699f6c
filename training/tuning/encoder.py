"""A sentence encoder that can be tuned: a sentence-transformers folder, opened with torch.

The libraries are those of the extra ``tune``; nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from measures.arrays import Floats
from training.errors import MissingEncoder
from training.progress import Progress

Encoder = Any
"""A SentenceTransformer, of a library that may be absent."""

AT_ONCE = 256
"""Texts that are encoded between two steps of progress."""

WEIGHTS = "model.safetensors"
"""The file of a folder that has the encoder's weights. Files that need unpickling are not read."""

_OFFLINE_AND_QUIET = (
    "HF_HUB_OFFLINE",
    "TRANSFORMERS_OFFLINE",
    "TQDM_DISABLE",
    "HF_HUB_DISABLE_PROGRESS_BARS",
)
"""What the encoder's libraries ask the environment: whether to use a network, or to draw progress bars."""


def open_encoder(folder: Path, device: str | None = "cpu", tokens: int | None = None) -> Encoder:
    """The sentence-transformers model of a folder.

    ``device``: as torch names it, the processor by default; None for the fastest there is. ``tokens``: how
    many of a text it reads; as many as the folder says by default.

    Raises:
        MissingEncoder: the library is not installed, or the folder is not a model; the message says what
            to do.
    """
    if not folder.is_dir():
        raise MissingEncoder(f"{folder} is not a folder. Give the folder of a sentence-transformers model.")
    # Read by the library when it is imported, so set before.
    with _offline_and_quiet():
        try:
            library = import_module("sentence_transformers")
        except ImportError as missing:
            raise MissingEncoder(
                "the sentence encoder needs the library sentence-transformers, which is not installed. "
                "Install it into the environment that wort is in (the extra `tune` of wort asks for it)."
            ) from missing
        try:
            encoder = library.SentenceTransformer(str(folder), device=device, local_files_only=True)
        except (OSError, ValueError, KeyError) as broken:
            raise MissingEncoder(
                f"{folder} does not hold a sentence-transformers model: {broken}. Give the folder that has "
                "modules.json or config.json in it, complete; nothing is downloaded."
            ) from broken
    if tokens is not None:
        encoder.max_seq_length = tokens
    return encoder


def vectors(encoder: Encoder, texts: Sequence[str], progress: Progress | None = None) -> Floats:
    """The vectors of texts at unit length: float64[n, d]; zeros for a text of white space alone.

    ``progress`` counts the texts.
    """
    if not texts:
        return np.zeros((0, 0))
    blocks = []
    for start in range(0, len(texts), AT_ONCE):
        block = list(texts[start : start + AT_ONCE])
        blocks.append(np.asarray(encoder.encode(block, show_progress_bar=False), np.float64))
        if progress is not None:
            progress(start + len(block), len(texts))
    rows = np.concatenate(blocks)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.where(lengths > 0, lengths, 1.0)
    unit[[not text.strip() for text in texts]] = 0.0
    return np.asarray(unit, np.float64)


def weights_digest(folder: Path) -> str:
    """The SHA-256 of an encoder's weights, in hex.

    Raises:
        MissingEncoder: the folder has no weights that can be read without unpickling.
    """
    for file in (folder / WEIGHTS, folder / "0_Transformer" / WEIGHTS):
        if file.is_file():
            with file.open("rb") as opened:
                return hashlib.file_digest(opened, "sha256").hexdigest()
    raise MissingEncoder(
        f"{folder} has no {WEIGHTS}. Give the folder of a sentence-transformers model with its weights in "
        "that form; others may run code when they are read."
    )


def pooling_of(encoder: Encoder) -> str:
    """How the vectors of a text's tokens become one, in the library's words: mean, cls or another."""
    return next((str(module.pooling_mode) for module in encoder if hasattr(module, "pooling_mode")), "none")


@contextmanager
def _offline_and_quiet() -> Iterator[None]:
    """No network and no progress bars, for as long as the encoder is opened."""
    before = {name: os.environ.get(name) for name in _OFFLINE_AND_QUIET}
    os.environ.update(dict.fromkeys(_OFFLINE_AND_QUIET, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
