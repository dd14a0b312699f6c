"""How measures fare on pairs of rare and of popular concepts: correlations by decile of popularity.

A measure that counts links or mentions has little to count where a concept is rare. A correlation over all
pairs hides that; ten correlations, each over a tenth of the pairs, show it.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from measures.arrays import Floats, Ints
from snapshots.snapshot import Snapshot
from training.statistics.correlation import pearson_spearman

PARTS = 10


class Decile(msgspec.Struct, frozen=True):
    """A tenth of the pairs, by popularity, and how each measure correlates with the gold on it.

    ``number``: 1 for the least popular tenth. ``low`` and ``high``: the least and the greatest popularity
    among its ``pairs``. ``pearson`` and ``spearman``: by measure, None where undefined.
    """

    number: int
    low: int
    high: int
    pairs: int
    pearson: dict[str, float | None]
    spearman: dict[str, float | None]


def by_decile(columns: Mapping[str, Floats], gold: Floats, popularity: Ints) -> tuple[Decile, ...]:
    """The correlations of each measure on each decile of popularity, the least popular first.

    ``columns``: the measures, float64[n] by name; ``gold``: float64[n]; ``popularity``: int64[n]. The pairs
    are sorted by popularity and cut into ten parts whose sizes differ by one at most; pairs of one popularity
    may so fall into two neighbouring parts, in the order in which they came. Parts without pairs are left
    out.

    Raises:
        ValueError: the arrays differ in length, or hold numbers that are not finite.
    """
    if len(popularity) != len(gold):
        raise ValueError(f"{len(popularity):,} popularities do not go with {len(gold):,} scores")
    order = np.argsort(popularity, kind="stable")
    parts = [part for part in np.array_split(order, PARTS) if part.size]
    deciles = []
    for number, part in enumerate(parts, start=1):
        both = {name: pearson_spearman(values[part], gold[part]) for name, values in columns.items()}
        deciles.append(
            Decile(
                number,
                int(popularity[part[0]]),
                int(popularity[part[-1]]),
                len(part),
                {name: r for name, (r, _) in both.items()},
                {name: rho for name, (_, rho) in both.items()},
            )
        )
    return tuple(deciles)


def pair_popularity(snapshot: Snapshot, left: Ints, right: Ints) -> Ints:
    """The popularity of each pair: the number of in-links of its less linked concept, int64[n].

    ``left`` and ``right``: concept ids, int64[n]. Evidence of co-occurrence is bounded by the rarer side.
    """
    in_links = snapshot.csr("in_links")
    return np.minimum(in_links.sizes(left), in_links.sizes(right))
