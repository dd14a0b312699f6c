"""What an encoder says of judged pairs: three cosines of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.arrays import Floats
from training.progress import Progress
from training.tuning.encoder import Encoder, vectors
from training.tuning.examples import JudgedTexts, ShownSide


@dataclass(frozen=True, slots=True)
class Cosines:
    """Three cosines of each pair, float64[n] each.

    ``title``: of the titles. ``cross``: the mean of those of each title with the other side's beginning.
    ``lead``: of the beginnings. A side whose beginning is not known has its title in its place.
    """

    title: Floats
    cross: Floats
    lead: Floats


def cosines(encoder: Encoder, pairs: JudgedTexts, progress: Progress | None = None) -> Cosines:
    """The cosines of pairs by an encoder of ``encoder.open_encoder``; ``progress`` counts texts."""
    titles = list(dict.fromkeys((*pairs.left, *pairs.right)))
    place_of = {title: place for place, title in enumerate(titles)}
    texts = [pairs.text(ShownSide(title, opened)) for opened in (False, True) for title in titles]
    distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    rows = vectors(encoder, list(distinct), progress)[[distinct[text] for text in texts]]
    left, right = (np.array([place_of[title] for title in side]) for side in (pairs.left, pairs.right))

    def between(first: int, second: int) -> Floats:
        sides = rows[left + first * len(titles)], rows[right + second * len(titles)]
        return np.asarray(np.einsum("nd,nd->n", *sides), np.float64)

    return Cosines(between(0, 0), (between(0, 1) + between(1, 0)) / 2, between(1, 1))
