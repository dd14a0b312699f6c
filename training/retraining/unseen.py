"""What an encoder says of judged pairs that it was tuned on, as if it had not seen them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from encoders.card import LEFT_OUT, read_card
from encoders.left_out import pair_digest, read_left_out
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from measures.arrays import Floats, Ints
from snapshots.snapshot import Snapshot
from training.left_out import Pair, encoder_behind, replaced
from training.retraining.validate import JudgedRow


@dataclass(frozen=True, slots=True)
class UnseenValues:
    """The features of judged pairs, as far as it is known by encoders that had not seen them.

    ``values``: float64[n, features of the catalogue]. ``replaced``: how many pairs have left-out cosines in
    them. ``fold``: int64[n], the fold of topics without which the encoder was tuned that gave them; -1 where
    the pair's topic is none that the snapshot's encoder was tuned on.
    """

    values: Floats
    replaced: int
    fold: Ints


def unseen_values(snapshot: Snapshot, left: Ints, right: Ints, rows: Sequence[JudgedRow]) -> UnseenValues:
    """The features of pairs of concepts, with left-out cosines of those that the encoder was tuned on.

    ``left``, ``right``: concept ids, int64[n]; ``rows``: how each pair is judged. Which pairs an encoder was
    tuned on is known of the one that comes with wort.
    """
    values, fold = extract(snapshot, left, right), np.full(len(left), -1, np.int64)
    encoder = encoder_behind(snapshot)
    if encoder is None or LEFT_OUT not in read_card(encoder).files:
        return UnseenValues(values, 0, fold)
    known = read_left_out(encoder)
    seen: dict[int, Pair] = {}
    for place, row in enumerate(rows):
        for key in _keys(row):
            if pair_digest(key) in known.rows:
                seen[place] = key
                break
    if seen:
        places, keys = list(seen), list(seen.values())
        values[places] = replaced(values[places], FEATURE_NAMES, keys, known)
        of_topic = [key[-1] == rows[place].topic for place, key in seen.items()]
        fold[places] = np.where(of_topic, known.folds(keys), -1)
    return UnseenValues(values, len(seen), fold)


def _keys(row: JudgedRow) -> Iterator[Pair]:
    """How a pair stands in files of judgements, as far as it has a topic there."""
    for left, right, topic in ((row.left, row.right, row.topic), *row.also):
        if topic is not None:
            yield left, right, topic
