"""Opening an encoder, and encoding: any text in, a vector of unit length out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from encoders import onnx
from encoders.card import MODEL, TOKENIZER, TOKENS, Card, content_of, read_card
from encoders.errors import MissingRuntime, NotAnEncoder, damaged
from encoders.onnx import read_onnx
from encoders.static import read_static
from encoders.wordpiece import WordPiece, read_wordpiece

Kind = Literal["onnx", "static"]
"""What encodes: the encoder itself, or the table of tokens that was distilled from it."""

Progress = Callable[[int, int], None]
"""Called with the texts encoded so far, and all of them."""


class _EncodesTokens(Protocol):
    def vector(self, tokens: Sequence[int], /) -> NDArray[np.float32]: ...


class TextEncoder:
    """What turns texts into vectors, by the encoder ``name``: the ``kind`` says how.

    ``dimensions``: of the vectors. ``digest``: what decides them, beside the kind. ``card``: the rest.
    """

    def __init__(
        self, card: Card, kind: Kind, tokenizer: WordPiece, model: _EncodesTokens, source: Path
    ) -> None:
        self.card, self.kind = card, kind
        self.name, self.digest, self.dimensions = card.name, card.digest, card.dimensions
        self._tokenizer, self._model, self._source = tokenizer, model, source
        # The static table has no vectors of the tokens that mark a text, and the same words count.
        self._most = card.longest_text - len(tokenizer.marked([]))

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """A vector of unit length for each of ``texts``: float32[n, dimensions].

        A text of white space has the zero vector. Row i depends on text i alone, to the last bit. What comes
        after the tokens that the encoder takes does not count.

        Raises:
            TypeError: a text is none.
            DamagedEncoder: the encoder gives no number.
        """
        if isinstance(texts, str):
            raise TypeError("texts come as a sequence of strings, not as one")
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for place, text in enumerate(texts):
            if not isinstance(text, str):
                raise TypeError(f"a text is a string, not {type(text).__name__}")
            rows[place] = self._vector(text)
            if progress is not None:
                progress(place + 1, len(texts))
        return rows

    def _vector(self, text: str) -> NDArray[np.float32]:
        tokens = self._tokenizer.tokens(text, self._most)
        if not tokens:
            return np.zeros(self.dimensions, np.float32)
        vector = self._model.vector(self._tokenizer.marked(tokens) if self.kind == "onnx" else tokens)
        if len(vector) != self.dimensions:
            raise damaged(self._source, f"it gives {len(vector):,} dimensions of {self.dimensions:,}")
        length = float(np.sqrt((vector.astype(np.float64) ** 2).sum()))
        if not np.isfinite(length):
            raise damaged(self._source, "it gives what is no number")
        unit: NDArray[np.float32] = (vector / length if length else vector).astype(np.float32)
        return unit


def open_encoder(folder: Path | str, kind: Kind | None = None) -> TextEncoder:
    """The encoder in ``folder``; every file that is read is checked against the card.

    ``kind``: which to open; by default the encoder itself, where the folder has it and ONNX Runtime is
    installed, else its static table.

    Raises:
        EncoderError: the folder is no encoder, or is damaged, or what would run it is not installed.
    """
    folder = Path(folder)
    card = read_card(folder)
    chosen = kind or _possible(folder, card)
    if (MODEL if chosen == "onnx" else TOKENS) not in card.files:
        raise NotAnEncoder(f"{folder} has no {MODEL if chosen == 'onnx' else TOKENS}.")
    tokenizer = read_wordpiece(content_of(folder, card, TOKENIZER), str(folder / TOKENIZER))
    if card.longest_text <= len(tokenizer.marked([])):
        raise NotAnEncoder(
            f"{folder} takes texts of {card.longest_text} tokens, which are their marks alone."
        )
    model = read_onnx(folder, card) if chosen == "onnx" else read_static(folder, card, tokenizer.size)
    encoder = TextEncoder(card, chosen, tokenizer, model, folder)
    encoder.encode(["a"])  # what gives no vector is found here, and not by the first request
    return encoder


def _possible(folder: Path, card: Card) -> Kind:
    if MODEL in card.files and onnx.installed():
        return "onnx"
    if TOKENS in card.files:
        return "static"
    raise MissingRuntime(
        f"{folder} has no static table, and ONNX Runtime, which would run the encoder itself, is not "
        "installed. Install it into the environment that wort is in (the extra `encoder` of wort asks for "
        "it)."
    )
