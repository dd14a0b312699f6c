"""The static table: a vector a token, and a text's vector is the sum of its tokens', of unit length.

It is distilled from an encoder, in whose space it lies, as Model2Vec does (Tulkens & van Dongen 2024). What a
token counts for in a text is the length of its vector. Rows are 8-bit integers, each with a scale of its own.
Where there is a basis, rows are coordinates along fewer directions than the space has, which it spans.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from encoders.card import BASIS, SCALES, TOKENS, Card, content_of
from encoders.errors import damaged


class StaticTable:
    """Vectors of tokens.

    ``tokens`` int8[tokens, k]; ``scales`` float32[tokens]; ``basis`` float32[k, dimensions], the k directions
    that the coordinates are along; None where k is all dimensions.
    """

    def __init__(
        self, tokens: NDArray[np.int8], scales: NDArray[np.float32], basis: NDArray[np.float32] | None = None
    ) -> None:
        self._tokens, self._scales = tokens, scales
        self._basis = None if basis is None else basis.astype(np.float64)

    def vector(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """The sum of the vectors of ``tokens``, without those that mark a text: float32[dimensions]."""
        chosen = np.asarray(tokens, np.int64)
        rows = self._tokens[chosen].astype(np.float64) * self._scales[chosen, None].astype(np.float64)
        summed = rows.sum(axis=0)
        vector: NDArray[np.float32] = (summed if self._basis is None else summed @ self._basis).astype(
            np.float32
        )
        return vector


def read_static(folder: Path, card: Card, size: int) -> StaticTable:
    """The static table of an encoder whose tokens are below ``size``.

    Raises:
        DamagedEncoder: a file is not what the card says, or the arrays do not fit each other, the card or
            the tokens.
    """
    tokens, scales = _array(folder, card, TOKENS), _array(folder, card, SCALES)
    if tokens.dtype != np.int8 or scales.dtype != np.float32 or tokens.ndim != 2 or scales.ndim != 1:
        raise damaged(folder / TOKENS, f"it holds {tokens.dtype}, and its scales {scales.dtype}")
    basis = _array(folder, card, BASIS) if BASIS in card.files else None
    if basis is not None and (
        basis.dtype != np.float32
        or basis.ndim != 2
        or basis.shape[1] != card.dimensions
        or not np.isfinite(basis).all()
    ):
        raise damaged(
            folder / BASIS, f"it is no basis of numbers in a space of {card.dimensions:,} dimensions"
        )
    dimensions = card.dimensions if basis is None else len(basis)
    if tokens.shape != (len(scales), dimensions) or len(tokens) < size:
        raise damaged(
            folder / TOKENS,
            f"it holds {tokens.shape[0]:,} vectors of {tokens.shape[1]:,} dimensions and {len(scales):,} "
            f"scales, where there are {size:,} tokens and {dimensions:,} dimensions",
        )
    if not np.isfinite(scales).all() or scales.min(initial=0) < 0:
        raise damaged(folder / SCALES, "it holds scales that are no numbers from 0")
    return StaticTable(tokens, scales, basis)


def _array(folder: Path, card: Card, name: str) -> NDArray[Any]:
    content = content_of(folder, card, name)
    try:
        array: NDArray[Any] = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise damaged(folder / name, f"it holds no array: {error}") from None
    return array
