"""Mutual links: how well a concept is known among those of one name.

Links may be placed by how often a text is a link, and all lead to one of those that have the name, which few
mean: in the starter 75 articles link to Mercury (programming language), and none that it links to.
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
    return np.array([len(np.intersect1d(there.row(each), back.row(each))) for each in concepts], np.int64)
