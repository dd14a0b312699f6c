"""Mutual links: how well a concept is known among those of one name.

A machine that places links may have all of a name lead to a concept that few mean by it: in the starter 75
articles link to Mercury (programming language), and it to none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from measures.arrays import Ints
from snapshots.snapshot import Snapshot


def mutual_links(snapshot: Snapshot, concepts: Sequence[int]) -> Ints:
    """The articles that link to each of some concepts, and to which it links: int64[n].

    Raises:
        DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
    """
    there, back = snapshot.csr("in_links"), snapshot.csr("out_links")
    # No row has a column twice; who knows that counts in a third of the time.
    both = (np.intersect1d(there.row(each), back.row(each), assume_unique=True) for each in concepts)
    return np.array(list(map(len, both)), np.int64)
