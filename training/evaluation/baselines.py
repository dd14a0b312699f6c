"""What a model must pass to be worth its tables: chance, and a sentence encoder that reads titles alone.

The encoder is one of wort's own folders (``encoders.card``), or a sentence-transformers model that the user
has, for which an optional library is needed (extra ``tune``); nothing is ever downloaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

import measures
from encoders.card import CARD
from encoders.encoder import open_encoder
from measures.arrays import Floats
from training.progress import Progress
from training.tuning.encoder import open_encoder as open_sentence_encoder
from training.tuning.encoder import vectors

RANDOM, ENCODER = "random", "encoder"
"""The names of the baselines, and their roles in a row of the leaderboard."""


def random_baseline(n: int, seed: int) -> Floats:
    """Scores that know nothing: float64[n], uniform in [0, 1), the same for the same seed."""
    return np.random.default_rng(seed).random(n)


def title_cosine(
    encoder_folder: Path, left: Sequence[str], right: Sequence[str], progress: Progress | None = None
) -> Floats:
    """The cosine of the embeddings of the two texts of each pair: float64[n], in [−1, 1].

    ``encoder_folder``: an encoder of wort's, which has a card, or a sentence-transformers model on this
    machine. Each text is encoded once; ``progress`` counts the texts. A text of white space alone has cosine
    0 with every text.

    Raises:
        EncoderError: the folder has a card, and cannot be used.
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
    rows = _vectors(encoder_folder, texts, progress)
    rows_left = np.array([row_of[text] for text in left])
    rows_right = np.array([row_of[text] for text in right])
    return measures.cosine(np.einsum("nd,nd->n", rows[rows_left], rows[rows_right]))


def _vectors(folder: Path, texts: Sequence[str], progress: Progress | None) -> Floats:
    """The vectors of different texts at unit length: float64[n, d]."""
    if (folder / CARD).is_file():
        return open_encoder(folder).encode(texts, progress).astype(np.float64)
    return vectors(open_sentence_encoder(folder), texts, progress)
