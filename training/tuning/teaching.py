"""Learning from a larger encoder, the teacher: what an encoder can say of texts that nobody judged.

A large encoder knows more of the world than a small one, and is too large to come with a package. Much of
what it knows shows in how near it puts any two texts, and that can be learnt (Hinton et al. 2015): each text
is to come where the teacher puts it, in as few dimensions as the encoder has (Reimers & Gurevych 2020,
section 2), and each two texts of a batch as near each other as by the teacher (Tung & Mori 2019). It is
learnt before the encoder is tuned, from the teacher as it comes, which knows of no judgement.

Texts that are drawn at random have little in common. So every second batch is of groups: a text, and others
that the teacher puts near it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.arrays import Ints
from training.progress import Progress
from training.tuning.checkpoint import SECONDS, Checkpoint
from training.tuning.descent import Descent, Tensor, embedded
from training.tuning.encoder import Encoder

RANKS = (0, 1, 2, 4, 8, 16, 28, 40)
"""Which of the texts nearest to a text make a group: itself, the nearest, and others less and less near."""

ENCODED_AT_ONCE = 512
COMPARED_AT_ONCE = 2048
"""Texts in a step, where no gradients are kept."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """How an encoder learns from another.

    ``steps`` of ``batch`` texts; ``rate``: the highest learning rate, which rises over the first ``warm_up``
    of all steps and falls to 0 over the others; ``decay``: weight decay. ``nearness``: the weight of how near
    two texts are, as a squared difference of cosines, beside where each text is.
    """

    steps: int = 2000
    batch: int = 512
    rate: float = 2e-4
    warm_up: float = 0.06
    decay: float = 0.01
    nearness: float = 20.0


class Lessons:
    """Texts to learn from, and which of them belong together: their groups, int64[n, g] of places."""

    def __init__(self, texts: Sequence[str], groups: Ints) -> None:
        self.texts = texts
        self.groups = groups

    def drawn(self, random: np.random.Generator, size: int, grouped: bool) -> Ints:
        """The places of about ``size`` texts, each once, sorted: at random, or some groups."""
        if grouped:
            first = random.integers(0, len(self.groups), max(1, size // self.groups.shape[1]))
            return np.unique(self.groups[first])
        return np.unique(random.integers(0, len(self.texts), size))

    def chosen(self, places: Ints) -> list[str]:
        """The texts of some places."""
        return [self.texts[place] for place in places.tolist()]


def teach(
    encoder: Encoder,
    lessons: Lessons,
    wanted: Tensor,
    teaching: Teaching,
    seed: int,
    checkpoint: Checkpoint,
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> None:
    """Bring an encoder, in place, to put texts where a teacher does.

    ``wanted``: the teacher's unit vectors of the texts, of ``unit_vectors``. ``progress`` counts steps. It
    goes on from its ``checkpoint``, in which a state is kept after so many ``seconds``.
    """
    places = turned(reduced(wanted, _dimensions(encoder)), unit_vectors(encoder, lessons.texts))
    descent = Descent(
        encoder,
        rate=teaching.rate,
        warm_up=teaching.warm_up,
        decay=teaching.decay,
        steps=teaching.steps,
        seed=seed,
    )
    if (kept := checkpoint.load()) is not None:
        descent.set_state(kept[0], kept[1]["step"])
    kept_at = time.monotonic()
    while descent.step < teaching.steps:
        descent.begin()
        random = np.random.default_rng([seed, descent.step])
        drawn = lessons.drawn(random, teaching.batch, grouped=descent.step % 2 == 1)
        rows = embedded(encoder, lessons.chosen(drawn))
        at = import_module("torch").from_numpy(drawn).to(wanted.device)
        away = (1 - (rows * places[at]).sum(1)).mean()
        apart = ((rows @ rows.T - wanted[at] @ wanted[at].T) ** 2).mean()
        descent.descend(away + teaching.nearness * apart)
        if progress is not None:
            progress(descent.step, teaching.steps)
        if time.monotonic() - kept_at > seconds:
            checkpoint.save(descent.state(), {"step": descent.step})
            kept_at = time.monotonic()
    encoder.eval()


def lessons_of(texts: Sequence[str], wanted: Tensor) -> Lessons:
    """The lessons that a teacher's unit vectors of texts make: each text's group are those near it."""
    ranks = [min(rank, len(texts) - 1) for rank in RANKS]
    groups = []
    for start in range(0, len(texts), COMPARED_AT_ONCE):
        cosines = wanted[start : start + COMPARED_AT_ONCE] @ wanted.T
        groups.append(cosines.topk(max(ranks) + 1, dim=1).indices[:, ranks].cpu().numpy())
    return Lessons(texts, np.concatenate(groups).astype(np.int64))


def reduced(vectors: Tensor, dimensions: int) -> Tensor:
    """Unit vectors along the main axes of ``vectors``: their cosines, in fewer ``dimensions`` or as many."""
    torch = import_module("torch")
    _, axes = torch.linalg.eigh((vectors.T @ vectors).double())
    kept = vectors @ axes[:, -dimensions:].float()
    short = dimensions - kept.shape[1]
    return torch.nn.functional.normalize(torch.nn.functional.pad(kept, (0, max(0, short))), dim=1)


def turned(vectors: Tensor, towards: Tensor) -> Tensor:
    """Vectors turned as a whole to come nearest to others (Schönemann 1966); float32[n, d] both."""
    left, _, right = import_module("torch").linalg.svd((vectors.T @ towards).double())
    return vectors @ (left @ right).float()


def _dimensions(encoder: Encoder) -> int:
    return int(embedded(encoder, ["a"]).shape[1])


def unit_vectors(encoder: Encoder, texts: Sequence[str], progress: Progress | None = None) -> Tensor:
    """Unit vectors of texts, without gradients: float32[n, d] on the encoder's device.

    They are encoded by length, since a batch is padded to its longest. ``progress`` counts texts.
    """
    torch = import_module("torch")
    encoder.eval()
    order: NDArray[Any] = np.argsort([len(text) for text in texts], kind="stable")
    blocks = []
    with torch.no_grad():
        for start in range(0, len(order), ENCODED_AT_ONCE):
            part = order[start : start + ENCODED_AT_ONCE].tolist()
            blocks.append(embedded(encoder, [texts[place] for place in part], groups=1))
            if progress is not None:
                progress(start + len(part), len(order))
    return torch.cat(blocks)[torch.from_numpy(np.argsort(order)).to(encoder.device)]
