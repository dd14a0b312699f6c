"""Gradient descent of an encoder: its parameters, the optimiser, how the rate rises and falls, its state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from training.tuning.encoder import Encoder

Tensor = Any
"""Of torch, a library that may be absent."""

HEAD_RATE = 1e-2
"""The learning rate of a head, a few numbers among millions."""


class Descent:
    """An encoder on its way down a loss: it is changed in place, a step at a time, by AdamW.

    ``step`` counts the steps that were made; the rate rises over the first ``warm_up`` of all ``steps``, and
    falls to 0 over the others. ``head``: numbers that are fitted besides.
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        rate: float,
        warm_up: float,
        decay: float,
        steps: int,
        seed: int,
        head: Mapping[str, float] = {},
    ) -> None:
        self._torch = import_module("torch")
        self.encoder = encoder
        self.step = 0
        self._steps, self._warm_up, self._seed = steps, warm_up, seed
        self.head: dict[str, Tensor] = {
            name: self._torch.nn.Parameter(self._torch.tensor(value, device=encoder.device))
            for name, value in head.items()
        }
        self._parameters = dict(encoder.named_parameters())
        groups = [{"params": list(self._parameters.values()), "lr": rate, "top": rate}]
        if self.head:
            heads = {"params": list(self.head.values()), "lr": HEAD_RATE, "top": HEAD_RATE}
            groups.append(heads | {"weight_decay": 0.0})
        self._optimiser = self._torch.optim.AdamW(groups, weight_decay=decay)

    def begin(self) -> None:
        """Get ready for the next step, whose dropout is the same after a resume."""
        self._torch.manual_seed(self._seed * 1_000_003 + self.step)
        for group in self._optimiser.param_groups:
            group["lr"] = group["top"] * self._share_of_rate()
        self.encoder.train()

    def descend(self, loss: Tensor) -> float:
        """Make a step down ``loss``; its value."""
        self._optimiser.zero_grad()
        loss.backward()
        self._torch.nn.utils.clip_grad_norm_(list(self._parameters.values()), 1.0)
        self._optimiser.step()
        self.step += 1
        return float(loss.detach())

    def _share_of_rate(self) -> float:
        warm = max(1.0, self._warm_up * self._steps)
        return min((self.step + 1) / warm, max(0.0, (self._steps - self.step) / max(1.0, self._steps - warm)))

    def weights(self) -> dict[str, Tensor]:
        """A copy of the encoder's parameters, by name."""
        return {name: parameter.detach().clone() for name, parameter in self._parameters.items()}

    def set_weights(self, weights: Mapping[str, Tensor]) -> None:
        """Take parameters from ``weights``."""
        with self._torch.no_grad():
            for name, parameter in self._parameters.items():
                parameter.copy_(weights[name])

    def state(self) -> dict[str, Tensor]:
        """All that the next steps depend on but the step's number, as tensors by name."""
        tensors = {f"weights/{name}": parameter.detach() for name, parameter in self._named()}
        for name, parameter in self._named():
            for part, tensor in self._optimiser.state.get(parameter, {}).items():
                tensors[f"{part}/{name}"] = tensor
        return {name: tensor.clone().contiguous() for name, tensor in tensors.items()}

    def set_state(self, tensors: Mapping[str, Tensor], step: int) -> None:
        """Go on from a state that was kept after ``step`` steps."""
        with self._torch.no_grad():
            for name, parameter in self._named():
                parameter.copy_(tensors[f"weights/{name}"])
                kept = {
                    part: tensors[f"{part}/{name}"].to(parameter.device if part != "step" else "cpu")
                    for part in ("step", "exp_avg", "exp_avg_sq")
                    if f"{part}/{name}" in tensors
                }
                if kept:
                    self._optimiser.state[parameter] = kept
        self.step = step

    def _named(self) -> Iterator[tuple[str, Tensor]]:
        yield from self._parameters.items()
        yield from ((f"head/{name}", parameter) for name, parameter in self.head.items())


def embedded(encoder: Encoder, texts: Sequence[str], groups: int = 3) -> Tensor:
    """The unit vectors of texts, in order, float32[n, d]: gradients flow through them, unless turned off.

    The texts are encoded in so many ``groups``, by length, since all of a group are padded to one.
    """
    torch = import_module("torch")
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    halved = multiplies_halves(encoder.device.type)
    parts = []
    for part in np.array_split(order, min(groups, len(order))):
        features = encoder.preprocess([texts[place] for place in part])
        features = import_module("sentence_transformers.util").batch_to_device(features, encoder.device)
        with torch.autocast(encoder.device.type, dtype=torch.bfloat16, enabled=halved):
            rows = encoder(features)["sentence_embedding"]
        parts.append(torch.nn.functional.normalize(rows.float(), dim=1))
    return torch.cat(parts)[torch.from_numpy(np.argsort(order)).to(encoder.device)]


def multiplies_halves(device: str) -> bool:
    """Whether a device multiplies 16-bit floats itself: where it does not, they are slower than 32-bit ones.

    ``device``: as torch names its type. A processor without such instructions takes twelve times as long.
    """
    if device != "cpu":
        return True
    capabilities = import_module("torch").cpu.get_capabilities()
    return any(capabilities.get(name) for name in ("amx_bf16", "avx512_bf16", "bf16"))
