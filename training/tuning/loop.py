"""Tuning: an encoder's two towers, fitted to the share of people who call two texts related.

Both sides pass through the same encoder (Reimers & Gurevych 2019, section 3). The share is the target of
a logistic function of their cosine, scaled and shifted by two numbers that are fitted too; the loss is the
binomial deviance, as of the model that reads the cosines later.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.progress import Progress
from training.statistics.correlation import pearson_spearman
from training.tuning.checkpoint import Checkpoint
from training.tuning.cosines import cosines
from training.tuning.encoder import Encoder
from training.tuning.examples import Batch, JudgedTexts, batches
from training.tuning.settings import Tuning

SCALE, SHIFT = 6.0, -3.5
"""Where the logistic function of the cosine begins: near what suits an encoder that was never tuned."""

HEAD_RATE = 1e-2
"""The learning rate of scale and shift, two numbers among millions."""

GROUPS = 3
"""The texts of a batch are encoded in so many parts, by length, since all of a part are padded to one."""

SECONDS = 60.0
"""Between two states that are kept on disk, at least; unless said otherwise."""


@dataclass(frozen=True, slots=True)
class Point:
    """How well the encoder orders held-out pairs after ``step`` steps, by the cosines ``cross``."""

    step: int
    pearson: float
    spearman: float


class Tuner:
    """An encoder on its way: its parameters, the optimiser's state and the step it has reached."""

    def __init__(self, encoder: Encoder, settings: Tuning, steps: int) -> None:
        """``encoder`` is changed in place. ``steps``: how many there will be."""
        self._torch = import_module("torch")
        self.encoder = encoder
        self.step = 0
        self._device = encoder.device
        self._halved = multiplies_halves(encoder.device.type)
        self._settings = settings
        self._steps = steps
        encoder.max_seq_length = settings.tokens
        self._head = {
            "scale": self._torch.nn.Parameter(self._torch.tensor(SCALE, device=self._device)),
            "shift": self._torch.nn.Parameter(self._torch.tensor(SHIFT, device=self._device)),
        }
        self._parameters = dict(encoder.named_parameters())
        self._first = self.weights()
        self._optimiser = self._torch.optim.AdamW(
            [
                {"params": list(self._parameters.values()), "lr": settings.rate, "top": settings.rate},
                {"params": list(self._head.values()), "lr": HEAD_RATE, "top": HEAD_RATE, "weight_decay": 0.0},
            ],
            weight_decay=settings.decay,
        )

    def advance(self, batch: Batch) -> float:
        """Learn from a batch; its loss."""
        torch = self._torch
        torch.manual_seed(self._settings.seed * 1_000_003 + self.step)  # dropout, the same after a resume
        for group in self._optimiser.param_groups:
            group["lr"] = group["top"] * self._share_of_rate()
        self.encoder.train()
        rows = self._encoded(batch.texts)
        dots = (rows[self._on_device(batch.left)] * rows[self._on_device(batch.right)]).sum(1)
        shares = self._on_device(batch.shares.astype(np.float32))
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            self._head["scale"] * dots + self._head["shift"], shares
        )
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self._parameters.values()), 1.0)
        self._optimiser.step()
        self.step += 1
        return float(loss.detach())

    def _share_of_rate(self) -> float:
        """Of the highest learning rate: up from 0 while warming up, then down to 0."""
        warm = max(1.0, self._settings.warm_up * self._steps)
        return min((self.step + 1) / warm, max(0.0, (self._steps - self.step) / max(1.0, self._steps - warm)))

    def _encoded(self, texts: tuple[str, ...]) -> Any:  # noqa: ANN401 - a tensor of an optional library
        """The unit vectors of texts, in order, encoded by parts of like length."""
        torch = self._torch
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        parts = []
        for part in np.array_split(order, min(GROUPS, len(order))):
            features = self.encoder.preprocess([texts[place] for place in part])
            features = import_module("sentence_transformers.util").batch_to_device(features, self._device)
            with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._halved):
                encoded = self.encoder(features)["sentence_embedding"]
            parts.append(torch.nn.functional.normalize(encoded.float(), dim=1))
        return torch.cat(parts)[self._on_device(np.argsort(order))]

    def _on_device(self, values: NDArray[Any]) -> Any:  # noqa: ANN401 - a tensor of an optional library
        return self._torch.from_numpy(values).to(self._device)

    def weights(self) -> dict[str, Any]:
        """A copy of the encoder's parameters, by name."""
        return {name: parameter.detach().clone() for name, parameter in self._parameters.items()}

    def set_weights(self, weights: dict[str, Any]) -> None:
        """Take parameters from ``weights``."""
        with self._torch.no_grad():
            for name, parameter in self._parameters.items():
                parameter.copy_(weights[name])

    def mix(self) -> None:
        """Mix the encoder's weights with those that it began with, so that it forgets less of other texts."""
        kept = self._settings.kept
        self.set_weights(
            {name: (1 - kept) * now + kept * self._first[name] for name, now in self.weights().items()}
        )

    def state(self) -> dict[str, Any]:
        """All that the next steps depend on but the step's number, as tensors by name."""
        tensors = {f"weights/{name}": parameter.detach() for name, parameter in self._named()}
        for name, parameter in self._named():
            for part, tensor in self._optimiser.state.get(parameter, {}).items():
                tensors[f"{part}/{name}"] = tensor
        return {name: tensor.clone().contiguous() for name, tensor in tensors.items()}

    def set_state(self, tensors: dict[str, Any], step: int) -> None:
        """Go on from a state that was kept after ``step`` steps."""
        with self._torch.no_grad():
            for name, parameter in self._named():
                parameter.copy_(tensors[f"weights/{name}"])
                kept = {
                    part: tensors[f"{part}/{name}"]
                    for part in ("step", "exp_avg", "exp_avg_sq")
                    if f"{part}/{name}" in tensors
                }
                if kept:
                    self._optimiser.state[parameter] = kept
        self.step = step

    def _named(self) -> Iterator[tuple[str, Any]]:
        yield from self._parameters.items()
        yield from ((f"head/{name}", parameter) for name, parameter in self._head.items())


def multiplies_halves(device: str) -> bool:
    """Whether a device multiplies 16-bit floats itself: where it does not, they are slower than 32-bit ones.

    ``device``: as torch names its type. A processor without such instructions takes twelve times as long.
    """
    if device != "cpu":
        return True
    capabilities = import_module("torch").cpu.get_capabilities()
    return any(capabilities.get(name) for name in ("amx_bf16", "avx512_bf16", "bf16"))


def tune(
    encoder: Encoder,
    pairs: JudgedTexts,
    settings: Tuning,
    checkpoint: Checkpoint,
    held_out: JudgedTexts | None = None,
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> tuple[Point, ...]:
    """Tune an encoder, in place, to judged pairs; the curve of its figures on held-out pairs.

    With ``held_out`` pairs it goes back to the weights that did best on them, and stops early where it gets
    no better. At the end its weights are mixed with those it began with. ``progress`` counts steps. A tuning
    that was killed goes on from its ``checkpoint``, in which a state is kept after so many ``seconds``.
    """
    planned = [batch for number in range(settings.passes) for batch in batches(pairs, settings, number)]
    tuner = Tuner(encoder, settings, len(planned))
    curve: list[Point] = []
    best: dict[str, Any] | None = None
    every = max(1, len(planned) // (settings.passes * settings.judged))
    if (kept := checkpoint.load()) is not None:
        tensors, numbers = kept
        tuner.set_state(tensors, numbers["step"])
        curve = [Point(**point) for point in numbers["curve"]]
        best = {name.removeprefix("best/"): tensor for name, tensor in tensors.items() if "best/" in name}
    kept_at = time.monotonic()
    for batch in planned[tuner.step :]:
        tuner.advance(batch)
        if progress is not None:
            progress(tuner.step, len(planned))
        if held_out is not None and (tuner.step % every == 0 or tuner.step == len(planned)):
            curve.append(judged(encoder, held_out, tuner.step))
            top = max(range(len(curve)), key=lambda place: curve[place].pearson)
            if top == len(curve) - 1:
                best = tuner.weights()
            elif len(curve) - 1 - top >= settings.misses:
                break
        if time.monotonic() - kept_at > seconds:
            state = tuner.state() | {f"best/{name}": tensor for name, tensor in (best or {}).items()}
            checkpoint.save(state, {"step": tuner.step, "curve": [_said(point) for point in curve]})
            kept_at = time.monotonic()
    if best:
        tuner.set_weights(best)
    tuner.mix()
    encoder.eval()
    return tuple(curve)


def judged(encoder: Encoder, pairs: JudgedTexts, step: int) -> Point:
    """How well the cosines of an encoder agree with people on pairs."""
    pearson, spearman = pearson_spearman(cosines(encoder, pairs).cross, pairs.shares)
    return Point(step, float(pearson or 0.0), float(spearman or 0.0))


def _said(point: Point) -> dict[str, float]:
    return {"step": point.step, "pearson": point.pearson, "spearman": point.spearman}
