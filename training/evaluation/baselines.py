"""What a model must pass to be worth its tables: chance, and a sentence encoder that reads titles alone.

The encoder is an optional library (extra ``encoder``) with a model folder that the user has; nothing is ever
downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import measures
from measures.arrays import Floats
from training.errors import MissingEncoder
from training.progress import Progress

RANDOM, ENCODER = "random", "encoder"
"""The names of the baselines, and their roles in a row of the leaderboard."""

AT_ONCE = 256
"""Texts that are encoded between two steps of progress."""

_OFFLINE_AND_QUIET = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "TQDM_DISABLE")
"""What the encoder's libraries ask the environment: whether to use a network, or to draw progress bars."""


def random_baseline(n: int, seed: int) -> Floats:
    """Scores that know nothing: float64[n], uniform in [0, 1), the same for the same seed."""
    return np.random.default_rng(seed).random(n)


def title_cosine(
    encoder_folder: Path, left: Sequence[str], right: Sequence[str], progress: Progress | None = None
) -> Floats:
    """The cosine of the embeddings of the two texts of each pair: float64[n], in [−1, 1].

    ``encoder_folder``: a sentence-transformers model on this machine. Each text is encoded once; ``progress``
    counts the texts. A text of white space alone has cosine 0 with every text.

    Raises:
        MissingEncoder: the library is not installed, or the folder is not a model; the message says what
            to do.
        ValueError: the two sides differ in length.
    """
    if len(left) != len(right):
        raise ValueError(f"{len(left):,} left texts and {len(right):,} right ones do not make pairs")
    texts = list(dict.fromkeys((*left, *right)))
    row_of = {text: row for row, text in enumerate(texts)}
    if not texts:
        return np.zeros(0)
    embeddings = _unit_rows(_embeddings(_encoder(encoder_folder), texts, progress))
    embeddings[[not text.strip() for text in texts]] = 0.0
    rows_left = np.array([row_of[text] for text in left])
    rows_right = np.array([row_of[text] for text in right])
    return measures.cosine(np.einsum("nd,nd->n", embeddings[rows_left], embeddings[rows_right]))


def _encoder(folder: Path) -> Any:  # noqa: ANN401 - of an optional library, which may be absent
    if not folder.is_dir():
        raise MissingEncoder(f"{folder} is not a folder. Give the folder of a sentence-transformers model.")
    # Read by the library when it is imported, so set before.
    with _offline_and_quiet():
        try:
            library = import_module("sentence_transformers")
        except ImportError as missing:
            raise MissingEncoder(
                "the sentence encoder needs the library sentence-transformers, which is not installed. "
                "Install it into the environment that wort is in (the extra `encoder` of wort asks for it)."
            ) from missing
        try:
            return library.SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError) as broken:
            raise MissingEncoder(
                f"{folder} does not hold a sentence-transformers model: {broken}. Give the folder that has "
                "modules.json or config.json in it, complete; nothing is downloaded."
            ) from broken


def _embeddings(encoder: Any, texts: Sequence[str], progress: Progress | None) -> Floats:  # noqa: ANN401
    blocks = []
    for start in range(0, len(texts), AT_ONCE):
        block = list(texts[start : start + AT_ONCE])
        blocks.append(np.asarray(encoder.encode(block, show_progress_bar=False), np.float64))
        if progress is not None:
            progress(start + len(block), len(texts))
    return np.concatenate(blocks)


def _unit_rows(vectors: Floats) -> Floats:
    """The vectors at unit length; a zero vector stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)


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
