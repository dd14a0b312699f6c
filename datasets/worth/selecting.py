"""From many pairs and what a model says of them to those that are worth a person's judgement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np
from scipy.stats import rankdata

from datasets.selection.errors import SelectionError
from datasets.selection.selection import PAIRS, Selection, SelectionTable, generator
from datasets.worth.choosing import EVENLY, chances, choose
from datasets.worth.strategies import disagreement, spread, unsure
from measures.arrays import Bools, Floats

PROTOCOL = "worth"

ADDED = ("predicted", "low", "high", "weight")
"""The columns that a chosen pair gets besides its own."""

Strategy = Literal["spread", "unsure", "disagreement", "evenly"]


class WorthSettings(msgspec.Struct, frozen=True):
    """What is chosen.

    ``strategy``: ``spread`` over the predicted scores; where the model is ``unsure``; ``disagreement`` of the
    texts' evidence with that of links; or ``evenly``. ``number``: how many pairs. ``evenly``: the share that
    is drawn evenly, whatever the strategy.
    """

    strategy: Strategy = "spread"
    number: int = 300
    evenly: float = EVENLY


@dataclass(frozen=True, slots=True)
class Predicted:
    """What a model says of pairs, arrays float64[n], NaN where it cannot be asked.

    ``low``, ``high``: its interval, NaN of a model without one. ``texts``, ``links``: what the encoder's
    cosines of the articles' texts add to its sum, and what all other evidence adds.
    """

    score: Floats
    low: Floats
    high: Floats
    texts: Floats
    links: Floats


def select_by_worth(
    columns: Sequence[str],
    rows: Sequence[tuple[object, ...]],
    predicted: Predicted,
    settings: WorthSettings,
    seed: int,
    resources: Mapping[str, object],
) -> Selection:
    """The chosen rows, in their order, each with its prediction and with how many of all it stands for.

    Args:
        columns: of ``rows``, one of which is a pair.
        rows: the candidates.
        predicted: what the model says of each.
        settings: how many are chosen, and how.
        seed: what is drawn depends on it alone.
        resources: what predicted, for the provenance.

    Raises:
        SelectionError: there are too few pairs with a prediction, or the model lacks what the strategy asks.
    """
    known = ~np.isnan(predicted.score)
    if not 0 < settings.number <= known.sum():
        raise SelectionError(
            f"{settings.number:,} pairs cannot be chosen from {int(known.sum()):,} with a predicted score. "
            "Choose fewer with --number, or give more pairs."
        )
    if not 0 < settings.evenly <= 1:
        raise SelectionError("evenly is above 0 and at most 1, so that every pair can be drawn.")
    chance = chances(_worth(predicted, known, settings.strategy), settings.number, settings.evenly)
    drawn = choose(chance, generator(seed, PROTOCOL))
    places = np.flatnonzero(known)[drawn.places]
    chosen = [
        (*rows[place], *(f"{value:.6g}" for value in values))
        for place, *values in zip(
            places.tolist(),
            predicted.score[places].tolist(),
            predicted.low[places].tolist(),
            predicted.high[places].tolist(),
            drawn.weights.tolist(),
            strict=True,
        )
    ]
    counts = {"candidates": len(rows), "without_a_prediction": int((~known).sum())}
    table = SelectionTable((*columns, *ADDED), chosen)
    return Selection(PROTOCOL, settings, seed, {PAIRS: table}, resources, counts)


def _worth(predicted: Predicted, known: Bools, strategy: Strategy) -> Floats:
    if strategy == "spread":
        return spread(predicted.score[known])
    if strategy == "evenly":
        return np.ones(int(known.sum()))
    if strategy == "unsure":
        width = unsure(predicted.low[known], predicted.high[known])
        if np.isnan(width).any():
            raise SelectionError("The model gives no intervals. Name another model, or another strategy.")
        return width
    texts, links = predicted.texts[known], predicted.links[known]
    if not texts.any():
        raise SelectionError(
            "The model does not weigh texts by an encoder, so that nothing can disagree with the links. Name "
            "another model, such as wort-plus, or another strategy."
        )
    return disagreement(rankdata(texts) / len(texts), rankdata(links) / len(links))
