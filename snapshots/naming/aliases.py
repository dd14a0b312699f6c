"""Aliases: other names of concepts than titles and redirects, with the share of a name that each concept has.

A build takes them from titles and from how articles begin (``building.aliases``). A name that a title or a
redirect of the wiki is, is no alias: these say themselves what they lead to.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Self, get_args

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from measures.ranks import greatest
from snapshots.arrays import map_csr
from snapshots.csr import CSR
from snapshots.naming.mentions import mention_of
from snapshots.naming.resolution import AliasKind
from snapshots.snapshot import Snapshot
from wiki.inflections import Inflection

TRIE = "aliases.marisa"
"""The file that holds the names, in a stage's folder and in a snapshot."""

KINDS: tuple[AliasKind, ...] = get_args(AliasKind)
"""Each has the bit of its place in the table ``alias_kinds``."""

LONGEST = 12
"""Words of the longest alias."""

CERTAIN = 0.5
"""The share of a name from which on, and above, it stands for the concept that has it."""


class AliasSense(NamedTuple):
    """A concept that has a name, the share of the name that is its own, and what makes it its name."""

    concept: int
    share: float
    kinds: tuple[AliasKind, ...]


@lru_cache(1 << len(KINDS))
def kinds_of(bits: int) -> tuple[AliasKind, ...]:
    """The kinds whose bits are set."""
    return tuple(kind for place, kind in enumerate(KINDS) if bits >> place & 1)


def bits_of(*kinds: AliasKind) -> int:
    """The bits of some kinds."""
    return sum(1 << KINDS.index(kind) for kind in kinds)


class Aliases:
    """The aliases of a snapshot. Reads only; usable from several threads."""

    def __init__(
        self,
        trie: marisa_trie.Trie,
        shares: CSR,
        kinds: CSR,
        concepts: int,
        articles: NDArray[np.int32] | None = None,
    ) -> None:
        """``trie``: the names; ``shares`` and ``kinds``: their tables; ``concepts``: those that are rows.

        ``articles`` int32[names]: how many articles have a name, 0 where that is not known.
        """
        self.trie = trie
        self._shares, self._kinds, self._concepts, self._articles = shares, kinds, concepts, articles

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Self:
        """Those of a snapshot; none of one that was built without them.

        Raises:
            DamagedSnapshot: a file was altered, or replaced since the snapshot was opened.
        """
        there = TRIE in snapshot.manifest.files
        trie = snapshot.mapped_trie("aliases", marisa_trie.Trie()) if there else marisa_trie.Trie()
        shares, kinds = snapshot.csr("alias_shares"), snapshot.csr("alias_kinds")
        return cls(trie, shares, kinds, snapshot.concepts, snapshot.array("alias_articles"))

    @classmethod
    def none(cls) -> Self:
        """No aliases of anything."""
        nothing = CSR.empty(0, 0, np.dtype(np.float32))
        return cls(marisa_trie.Trie(), nothing, nothing, 0)

    @classmethod
    def of_stage(cls, folder: Path) -> Self:
        """Those that the stage "aliases" left in its folder."""
        shares, kinds = map_csr(folder, "alias_shares"), map_csr(folder, "alias_kinds")
        return cls(marisa_trie.Trie().mmap(str(folder / TRIE)), shares, kinds, shares.columns)

    def __len__(self) -> int:
        return len(self.trie)

    def named(self, name: str) -> list[AliasSense]:
        """The concepts that have a name, whatever its case, those with the greatest shares first.

        In an excerpt, those that are left; their shares are those of the whole.
        """
        key = mention_of(name, LONGEST) if len(self.trie) else None
        return [] if key is None or key not in self.trie else self.row(self.trie.key_id(key))

    def articles(self, name: str) -> int:
        """How many articles have a name; 0 if it is none, has several words, or was not counted."""
        key = mention_of(name, LONGEST)
        if self._articles is None or key is None or key not in self.trie:
            return 0
        return int(self._articles[self.trie.key_id(key)])

    def is_surname(self, name: str, concept: int) -> bool:
        """Whether a name is the surname of a concept, who is a person."""
        return any(each.concept == concept and "surname" in each.kinds for each in self.named(name))

    def row(self, number: int) -> list[AliasSense]:
        """The concepts that have the name of a row, as ``named`` gives them."""
        concepts, shares = self._shares.row(number), self._shares.row_values(number)
        kinds = self._kinds.row_values(number)
        return [
            AliasSense(concept, float(shares[place]), kinds_of(int(kinds[place])))
            for place in greatest(shares, len(shares)).tolist()
            if (concept := int(concepts[place])) < self._concepts
        ]


def inflected(word: str, inflections: Iterable[Inflection], aliases: Aliases) -> list[int]:
    """The concepts whose articles write ``word`` as a noun, by the aliases that are its other number."""
    return [
        named.concept
        for inflect in inflections
        if (form := inflect(word)) is not None
        for named in aliases.named(form)
        if "inflected" in named.kinds
    ]
