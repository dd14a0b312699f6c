"""The encoder itself, an ONNX graph, run by ONNX Runtime, which the extra ``encoder`` brings.

The graph takes ``input_ids`` and ``attention_mask``, int64[texts, tokens] both, and its first output is a
vector a text, float32[texts, dimensions], pooled already; of unit length it need not be. Each text is run by
itself, on one thread: so its vector is the same to the last bit, whatever it is encoded with.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from encoders.card import MODEL, Card, content_of
from encoders.errors import MissingRuntime, damaged

RUNTIME = "onnxruntime"

_INPUTS = {"input_ids", "attention_mask"}

_FATAL = 4
"""The level from which on the runtime prints what it finds; errors are raised."""


def installed() -> bool:
    """Whether ONNX Runtime is there; it is not loaded."""
    return find_spec(RUNTIME) is not None


class OnnxModel:
    """An encoder's graph, ready to run. ``session``: the runtime's."""

    def __init__(self, session: Any, source: Path) -> None:  # noqa: ANN401 - of an optional library
        self._session, self._source = session, source

    def vector(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """The vector of a text, given as all of its tokens: float32[dimensions].

        Raises:
            DamagedEncoder: the graph cannot be run on them.
        """
        ids = np.asarray([tokens], np.int64)
        try:
            vectors = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0]
        except Exception as error:  # the runtime has a dozen kinds, none of them public
            raise damaged(self._source, f"it cannot be run: {_first_line(error)}") from None
        if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or len(vectors) != 1:
            raise damaged(self._source, "it gives no vector a text")
        vector: NDArray[np.float32] = vectors[0].astype(np.float32)
        return vector


def read_onnx(folder: Path, card: Card) -> OnnxModel:
    """The graph of an encoder, of the bytes that were checked: it cannot name other files.

    Raises:
        MissingRuntime: ONNX Runtime is not installed.
        DamagedEncoder: the file is not what the card says, or is no graph that takes tokens.
    """
    path = folder / MODEL
    # Version 1.32 keeps a number of this machine, and what it would tell its makers, in the user's cache, or
    # warns that it cannot. It reads this while it is loaded.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        runtime = import_module(RUNTIME)
    except ImportError as error:
        raise MissingRuntime(
            f"{path} is run by ONNX Runtime, which cannot be loaded ({error}). Install it into the "
            "environment that wort is in (the extra `encoder` of wort asks for it), or use the encoder's "
            "static table."
        ) from None
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _FATAL
    content = content_of(folder, card, MODEL)
    try:
        session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # as above
        raise damaged(path, f"it is no graph that this ONNX Runtime reads: {_first_line(error)}") from None
    inputs = {given.name for given in session.get_inputs()}
    if inputs != _INPUTS:
        raise damaged(
            path, f"it takes {', '.join(sorted(inputs))} where {', '.join(sorted(_INPUTS))} are given"
        )
    return OnnxModel(session, path)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
