"""Windows of mentions, which vote for one another's senses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def windows(paragraph: NDArray[np.int32], longest: int) -> NDArray[np.int64]:
    """Where each window starts among the mentions, whose paragraphs are given, and where the last ends.

    A paragraph is cut into equal windows of at most ``longest`` mentions.

    >>> windows(np.int32([0, 0, 0, 2]), 2).tolist()
    [0, 1, 3, 4]
    """
    starts = np.flatnonzero(np.diff(paragraph, prepend=-1))
    sizes = np.diff(starts, append=len(paragraph))
    pieces = -(-sizes // longest)
    owner = np.repeat(np.arange(len(starts)), pieces)
    piece = np.arange(len(owner)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    return np.append(starts[owner] + piece * sizes[owner] // pieces[owner], len(paragraph))
