"""The encoder of texts: where it is, and opened when somebody first needs it."""

from __future__ import annotations

import threading
from pathlib import Path

from app.errors import UnusableModel
from encoders.encoder import open_encoder
from encoders.errors import EncoderError
from encoders.shipped import shipped_encoder
from features.terms.encoded import EncodesTexts


class EncoderPlace:
    """Where an encoder is. Opening it takes time and memory: it is done once, for who asks first."""

    def __init__(self, folder: Path | None) -> None:
        """``folder``: None for the encoder that comes with wort, if one does."""
        self.folder = folder or shipped_encoder()
        self._opened: EncodesTexts | None = None
        self._opening = threading.Lock()

    def open(self) -> EncodesTexts:
        """The encoder.

        Raises:
            UnusableModel: there is none, or it cannot be opened; the message says why.
        """
        with self._opening:
            if self._opened is None:
                self._opened = _open(self.folder)
            return self._opened


def _open(folder: Path | None) -> EncodesTexts:
    if folder is None:
        raise UnusableModel("there is no encoder of texts here. Name its folder with WORT_ENCODER.")
    try:
        return open_encoder(folder)
    except EncoderError as error:
        raise UnusableModel(str(error)) from error
