"""What titles lead to, and how many links, of a few titles made up."""

from __future__ import annotations

from collections.abc import Sequence

import marisa_trie
import numpy as np

from snapshots.csr import CSR
from snapshots.naming.names import RECORD


def leading_and_links(
    titles: Sequence[str], kinds: Sequence[int], links: Sequence[int]
) -> tuple[marisa_trie.RecordTrie, CSR]:
    """The trie of titles, the row of each its concept, and a table with so many in-links of each."""
    records = [(title, (kind, row)) for row, (title, kind) in enumerate(zip(titles, kinds, strict=True))]
    indptr = np.cumsum([0, *links])
    in_links = CSR(indptr, np.zeros(indptr[-1], np.int32), None, 100)
    return marisa_trie.RecordTrie(RECORD, records), in_links
