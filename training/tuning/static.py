"""A vector a token, whose mean stands for a text: an encoder for where no ONNX runtime is.

The vectors are fitted so that the mean over a text's tokens comes near what the encoder says of it, by least
squares over many texts, beginning with what it says of each token alone. They are in the encoder's own space:
a text encoded by one can be compared with a text encoded by the other. (Model2Vec, Tulkens & van Dongen 2024,
distils by tokens alone, into a space of its own.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from measures.arrays import Floats
from training.progress import Progress
from training.tuning.encoder import Encoder, vectors

PENALTY = 0.05
"""What holds a token near its own vector: as much as this share of a text that is the token alone."""


DIRECTIONS = 128
"""Coordinates that are kept of a token's vector: a third of the bytes; docs/encoders.md has what it loses."""


def token_table(
    encoder: Encoder, texts: Sequence[str], progress: Progress | None = None, most: int = DIRECTIONS
) -> tuple[Floats, Floats]:
    """The table of an encoder's tokens: coordinates float64[vocabulary, k], and their basis float64[k, d].

    The basis spans what the vectors of ``texts`` differ in most: k is ``most``, or all dimensions where they
    are fewer. ``progress`` counts texts and tokens encoded.
    """
    fitted, means = token_vectors(encoder, texts, progress)
    basis = principal(means @ fitted, most)
    return fitted @ basis.T, basis


def principal(vectors: Floats, most: int) -> Floats:
    """The directions that leave least of ``vectors``, float64[n, d], unexplained: float64[k, d]."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.asarray(directions[:, ::-1][:, :most].T, np.float64)


def token_vectors(
    encoder: Encoder, texts: Sequence[str], progress: Progress | None = None
) -> tuple[Floats, sparse.csr_matrix]:
    """The vector of each token of the encoder's vocabulary, and what texts are of them.

    float64[vocabulary, d], and float64[n, vocabulary], each row the shares of a text's tokens. ``texts``:
    what they are fitted to, such as titles. ``progress`` counts texts and tokens encoded.
    """
    tokenizer = encoder.tokenizer
    names = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    alone = vectors(encoder, [tokenizer.convert_tokens_to_string([name]) or name for name in names], progress)
    ids = tokenizer(list(texts), add_special_tokens=False, truncation=True, max_length=encoder.max_seq_length)
    kept = [(row, tokens) for row, tokens in enumerate(ids["input_ids"]) if tokens]
    rows = np.repeat(np.arange(len(kept)), [len(tokens) for _, tokens in kept])
    columns = np.concatenate([np.array(tokens) for _, tokens in kept])
    shares = np.repeat([1.0 / len(tokens) for _, tokens in kept], [len(tokens) for _, tokens in kept])
    means = sparse.csr_matrix((shares, (rows, columns)), shape=(len(kept), len(names)))
    wanted = vectors(encoder, [texts[row] for row, _ in kept], progress)
    return np.asarray(alone + ridge(means, wanted - means @ alone, PENALTY), np.float64), means


def ridge(rows: sparse.csr_matrix, wanted: Floats, penalty: float, most: int = 200) -> Floats:
    """The x with the least |rows x − wanted|² + penalty |x|²: float64[columns, d], by conjugate gradients.

    ``wanted`` float64[n, d], each column a problem of its own, all of them solved at once: scikit-learn's
    solver of sparse problems takes them one after the other, and minutes. ``most`` steps are made at most.
    """
    x = np.zeros((rows.shape[1], wanted.shape[1]))
    left = rows.T @ wanted
    direction = left.copy()
    size = np.einsum("cd,cd->d", left, left)
    enough = 1e-12 * size
    for _ in range(most):
        if (size <= enough).all():
            break
        through = rows.T @ (rows @ direction) + penalty * direction
        along = np.einsum("cd,cd->d", direction, through)
        step = np.divide(size, along, out=np.zeros_like(size), where=along > 0)
        x += step * direction
        left -= step * through
        before, size = size, np.einsum("cd,cd->d", left, left)
        direction = left + np.divide(size, before, out=np.zeros_like(size), where=before > 0) * direction
    return x
