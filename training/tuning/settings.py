"""How an encoder is tuned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a tuning depends on besides its pairs and the encoder that it starts from.

    The values are those that did best on topics of WORD that were left out; docs/tuning.md has others.

    ``passes``: how often each pair is shown. ``rate``: the highest learning rate; it rises over the first
    ``warm_up`` of all steps and falls to 0 over the others. ``decay``: weight decay. ``batch``: pairs in a
    step, all of one topic, whose sides recur and are encoded once. ``tokens``: what is read of a text; the
    rest is cut off. ``openings``: how often a side whose article's beginning is known is shown with it.
    ``kept``: the share of its first weights in the encoder's last (Wortsman et al. 2022, section 3).
    ``misses``: where topics are held out, how many times in a row their figure may fall short of the best
    before tuning stops; it is judged ``judged`` times a pass.

    Raises:
        ValueError: a number is beyond what it may be.
    """

    passes: int = 1
    rate: float = 5e-5
    warm_up: float = 0.1
    decay: float = 0.01
    batch: int = 48
    tokens: int = 64
    openings: float = 0.5
    kept: float = 0.15
    misses: int = 3
    judged: int = 4
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("passes", "batch", "tokens", "misses", "judged"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, and has to be 1 or more.")
        for name in ("warm_up", "openings", "kept"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} is {getattr(self, name)}, and has to be between 0 and 1.")
