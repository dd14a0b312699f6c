"""Page ids as they are shown and accepted: those that a dump made up are neither."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class PageIds:
    """The page ids of a snapshot's concepts.

    A dump that was assembled of several wikis numbers some pages anew, from an id on that its builder names
    (``Manifest.invented_ids_from``). Such an id leads to nothing anywhere else: its concept has none here.
    """

    def __init__(self, ids: NDArray[np.int64], invented_from: int | None = None) -> None:
        """``ids``: by concept, ascending. ``invented_from``: the least that is made up, if any is."""
        self._known = ids if invented_from is None else ids[: int(ids.searchsorted(invented_from))]
        self.invented = len(ids) - len(self._known)
        """How many concepts have an id that is made up."""

    def __getitem__(self, concept: int) -> int | None:
        """The page id of a concept, a row of the snapshot; None where it is made up."""
        return self._known.item(concept) if concept < len(self._known) else None

    def concepts(self, page_ids: Sequence[int]) -> list[int]:
        """The concept of each page id; -1 where there is none."""
        asked = np.array([page_id if 0 <= page_id < 2**63 else -1 for page_id in page_ids], np.int64)
        concepts: list[int] = self.rows(asked).tolist()
        return concepts

    def rows(self, page_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The concept of each page id, int64[n]; -1 where there is none."""
        before, up_to = (self._known.searchsorted(page_ids, side) for side in ("left", "right"))
        return np.where(before < up_to, before, -1)

    def concept(self, page_id: int) -> int:
        """The concept of a page id; -1 where there is none."""
        # A Python int may be beyond what the array's dtype holds.
        if 0 <= page_id < 2**63:
            concept = int(self._known.searchsorted(page_id))
            if concept < len(self._known) and self._known.item(concept) == page_id:
                return concept
        return -1
