"""Tuning: an encoder's two towers, fitted to the share of people who call two texts related.

Both sides pass through the same encoder (Reimers & Gurevych 2019, section 3). The share is the target of
a logistic function of their cosine, scaled and shifted by two numbers that are fitted too; the loss is the
binomial deviance, as of the model that reads the cosines later.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.progress import Progress
from training.statistics.correlation import pearson_spearman
from training.tuning.checkpoint import SECONDS, Checkpoint
from training.tuning.cosines import cosines
from training.tuning.descent import Descent, Tensor, embedded
from training.tuning.encoder import Encoder
from training.tuning.examples import Batch, JudgedTexts, batches
from training.tuning.settings import Tuning

SCALE, SHIFT = 6.0, -3.5
"""Where the logistic function of the cosine begins: near what suits an encoder that was never tuned."""


@dataclass(frozen=True, slots=True)
class Point:
    """How well the encoder orders held-out pairs after ``step`` steps, by the cosines ``cross``."""

    step: int
    pearson: float
    spearman: float


class Tuner(Descent):
    """A descent to judgements: down the deviance of their shares."""

    def __init__(self, encoder: Encoder, settings: Tuning, steps: int) -> None:
        """``encoder`` is changed in place. ``steps``: how many there will be."""
        super().__init__(
            encoder,
            rate=settings.rate,
            warm_up=settings.warm_up,
            decay=settings.decay,
            steps=steps,
            seed=settings.seed,
            head={"scale": SCALE, "shift": SHIFT},
        )
        self._first = self.weights()
        self._kept = settings.kept

    def advance(self, batch: Batch) -> float:
        """Learn from a batch; its loss."""
        self.begin()
        rows = embedded(self.encoder, batch.texts)
        dots = (rows[self._on_device(batch.left)] * rows[self._on_device(batch.right)]).sum(1)
        loss = self._torch.nn.functional.binary_cross_entropy_with_logits(
            self.head["scale"] * dots + self.head["shift"], self._on_device(batch.shares.astype(np.float32))
        )
        return self.descend(loss)

    def _on_device(self, values: NDArray[Any]) -> Tensor:
        return self._torch.from_numpy(values).to(self.encoder.device)

    def mix(self) -> None:
        """Mix the encoder's weights with those that it began with, so that it forgets less of other texts."""
        self.set_weights(
            {
                name: (1 - self._kept) * now + self._kept * self._first[name]
                for name, now in self.weights().items()
            }
        )


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
