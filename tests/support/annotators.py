"""Annotators for tests, who answer from true scores: each with a leniency of their own, and with noise.

What is related to a person, when they see a pair, is its true score and their leniency and noise; said is the
nearest grade, whether it is above a half, or which of a few seem the most and the least. A panel of them has
the agreement that its leniencies and noise make, and enough of them find the true order again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer, Desk, Kind, Stimulus
from tests.datasets.annotation.asked import new_key


@dataclass(frozen=True)
class SimulatedAnnotator:
    """One who answers by the true scores, from 0 to 1, of what is asked, by its name.

    ``leniency`` is added to every score, and noise of the deviation ``noise``, which is the same whenever the
    same is asked in the same turn. Who is ``careless`` answers at random. ``unknown``: the names that this
    annotator does not know.
    """

    name: str
    truth: Mapping[str, float]
    leniency: float = 0.0
    noise: float = 0.1
    careless: bool = False
    unknown: frozenset[str] = frozenset()

    def answer(
        self, kind: Kind, asked: Sequence[Stimulus], turn: int = 0, low: int = 0, high: int = 4
    ) -> Answer:
        """What they say of an item, with places as it was shown."""
        names = [one.name for one in asked]
        if self.unknown & set(names):
            return Answer()
        seen = [self._seen(name, turn) for name in names]
        if kind == "best-worst":
            best, worst = int(np.argmax(seen)), int(np.argmin(seen))
            return Answer(best=best, worst=worst)
        if kind == "binary":
            return Answer(float(seen[0] >= 0.5))
        return Answer(float(min(high, max(low, math.floor(low + seen[0] * (high - low) + 0.5)))))

    def answer_desk(self, desk: Desk) -> Answer:
        """What they say of what a desk shows first."""
        shown, settings = desk.shown[0], desk.project.settings
        return self.answer(desk.project.kind, shown.asked, shown.turn, settings.low, settings.high)

    def judge(self, projects: Projects, token: str, most: int | None = None) -> int:
        """Answer by the store itself as long as something is asked, ``most`` at most: how many it were."""
        given = 0
        while most is None or given < most:
            desk = projects.desk(token)
            if desk.state != "ask":
                break
            shown = desk.shown[0]
            projects.submit(token, shown.item, shown.turn, self.answer_desk(desk), new_key())
            given += 1
        return given

    def _seen(self, name: str, turn: int) -> float:
        digest = blake2b(f"{self.name}\0{name}\0{turn}".encode(), digest_size=8).digest()
        drawn = np.random.default_rng(int.from_bytes(digest))
        if self.careless:
            return float(drawn.random())
        return self.truth[name] + self.leniency + float(drawn.normal(0, self.noise))


def simulated_panel(
    size: int, truth: Mapping[str, float], *, leniency: float = 0.1, noise: float = 0.1, seed: int = 0
) -> list[SimulatedAnnotator]:
    """So many annotators, whose leniencies are drawn with a deviation of ``leniency``."""
    drawn = np.random.default_rng(seed).normal(0, leniency, size)
    return [
        SimulatedAnnotator(f"simulated {at} of {seed}", truth, float(lenient), noise)
        for at, lenient in enumerate(drawn)
    ]
