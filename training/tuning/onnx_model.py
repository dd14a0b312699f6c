"""The encoder as an ONNX graph, its weights as 8-bit integers: what a server runs, without torch.

Weights alone are rounded, and made floats again where they are used, so that a text's vector does not depend
on the texts that it is encoded with. To round what flows between the layers too, as dynamic quantisation
does, is faster and moves cosines by some hundredths.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.tuning.encoder import Encoder

Tensor = Any
Graph = Any
"""Of torch and of onnx, libraries that may be absent."""

OPSET = 17

SMALLEST = 1 << 14
"""Weights of fewer numbers stay floats: there is nothing to win."""

INPUTS, OUTPUT = ("input_ids", "attention_mask"), "embedding"


def write_onnx(encoder: Encoder, file: Path) -> None:
    """Write the graph from tokens to the text's vector: pooled, not yet of unit length.

    ``encoder``: of ``encoder.open_encoder``. Inputs: int64[n, tokens] ids, and a mask that is 1 for tokens
    and 0 for padding. Output: float32[n, d].
    """
    torch = import_module("torch")

    class Pooled(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder

        def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
            features = {"input_ids": input_ids, "attention_mask": attention_mask}
            return self.encoder(features)["sentence_embedding"]

    with warnings.catch_warnings():
        # The exporter by tracing is the one that needs no other library; it says that there is a newer one.
        warnings.simplefilter("ignore")
        example = encoder.preprocess(["a text", "a longer text beside it"])
        torch.onnx.export(
            Pooled().eval(),
            tuple(example[name].to(encoder.device) for name in INPUTS),
            str(file),
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_axes={**{name: {0: "texts", 1: "tokens"} for name in INPUTS}, OUTPUT: {0: "texts"}},
            opset_version=OPSET,
            dynamo=False,
        )
    onnx = import_module("onnx")
    graph = onnx.load(str(file))
    round_weights(graph)
    onnx.checker.check_model(graph)
    onnx.save(graph, str(file))


def round_weights(model: Graph) -> None:
    """Put 8-bit integers and scales in place of large weights, in place; the graph multiplies them out.

    A matrix that inputs are multiplied with has a scale a column, a table that is looked up in a scale a row:
    what is rounded together is of one size.
    """
    onnx = import_module("onnx")
    graph = model.graph
    looked_up = {node.input[0] for node in graph.node if node.op_type == "Gather"}
    kept, added = [], []
    for weight in graph.initializer:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.ndim != 2 or values.size < SMALLEST:
            kept.append(weight)
            continue
        axis = 0 if weight.name in looked_up else 1
        rounded, scales = rounded_by(values, axis)
        names = f"{weight.name}.rounded", f"{weight.name}.scales"
        kept += [
            onnx.numpy_helper.from_array(part, name)
            for part, name in zip((rounded, scales), names, strict=True)
        ]
        added.append(onnx.helper.make_node("DequantizeLinear", list(names), [weight.name], axis=axis))
    del graph.initializer[:]
    graph.initializer.extend(kept)
    nodes = [*added, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def rounded_by(values: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix as 8-bit integers, int8 of its shape, and a scale for each row (0) or column (1).

    >>> rounded, scales = rounded_by(np.array([[1.27, -0.635], [0.0, 0.0]], np.float32), 0)
    >>> rounded.tolist()
    [[127, -64], [0, 0]]
    """
    largest = np.abs(values).max(axis=1 - axis)
    scales = np.where(largest > 0, largest / 127, 1.0).astype(np.float32)
    spread = scales[:, None] if axis == 0 else scales[None, :]
    return np.rint(values / spread).astype(np.int8), scales
