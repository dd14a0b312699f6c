"""The kinds of evidence: what can be said of two rows of a snapshot's tables, whatever the tables are.

A kind names its tables and the numbers that it gives of a pair. Left and right are concepts or words: what
the rows of the tables are. Swapping a pair swaps the sides, and changes no bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from features import filling
from jit.steps import Step
from measures.arrays import Array, Ints
from snapshots.errors import damaged
from snapshots.snapshot import Snapshot

Fill = tuple[Step, tuple[Any, ...]]
"""The step that writes what is known of ``left[i]`` and ``right[i]``, and what it is to be bound to."""


@dataclass(frozen=True)
class Kind:
    """A kind of evidence over some tables. ``parts``: what its numbers are, by name."""

    parts: ClassVar[tuple[str, ...]]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of ``snapshots.layout`` that it is read from."""
        raise NotImplementedError

    def of(self, snapshot: Snapshot) -> Fill:
        """What writes this evidence of a snapshot.

        Raises:
            DamagedSnapshot: a table is not what the kernels can read.
        """
        raise NotImplementedError

    def only(self, *parts: str) -> Parts:
        """Some of its parts."""
        return Parts(self, tuple(self.parts.index(part) for part in parts))


@dataclass(frozen=True)
class Parts:
    """Some of the numbers of a kind, by their places."""

    kind: Kind
    places: tuple[int, ...]


@dataclass(frozen=True)
class Overlap(Kind):
    """What the left one's row in one table and the right one's row in another, or the same, have in common.

    ``both``: how many columns they share; in tables with values, the dot product. ``left`` and ``right``: how
    many columns each has.
    """

    table: str
    other: str | None = None
    parts = ("both", "left", "right")

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of the left and of the right ones."""
        return (self.table,) if self.other is None else (self.table, self.other)

    def of(self, snapshot: Snapshot) -> Fill:
        """What writes this evidence of a snapshot."""
        return filling.overlap, (_rows(snapshot, self.table), _rows(snapshot, self.tables[-1]))


@dataclass(frozen=True)
class LinksBetween(Kind):
    """Whether the left one's row has the right one as a column, and the right one's the left one: 1 or 0."""

    table: str
    parts = ("there", "back")

    @property
    def tables(self) -> tuple[str, ...]:
        """The table of links."""
        return (self.table,)

    def of(self, snapshot: Snapshot) -> Fill:
        """What writes this evidence of a snapshot."""
        table = snapshot.csr(self.table)
        return filling.direct_links, (table.indptr, table.indices)


@dataclass(frozen=True)
class CoOccurrence(Kind):
    """The units with both things, with the left and with the right one; a thing is always with itself.

    ``table`` has each pair under the smaller of its ids at least, and ``counts`` a number a thing.
    """

    table: str
    counts: str
    parts = ("both", "left", "right")

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of pairs and of single things."""
        return (self.table, self.counts)

    def of(self, snapshot: Snapshot) -> Fill:
        """What writes this evidence of a snapshot."""
        return filling.co_occurrence, (_rows(snapshot, self.table), snapshot.array(self.counts))


@dataclass(frozen=True)
class Vectors(Kind):
    """The dot product of two vectors of a table, of plain or of scaled ones.

    In a table of unit vectors it is 1 for a vector with itself; the zero vector, that of what has none, gives
    0 even so.
    """

    table: str
    parts = ("dot",)

    @property
    def tables(self) -> tuple[str, ...]:
        """The table of vectors."""
        return (self.table,)

    def of(self, snapshot: Snapshot) -> Fill:
        """What writes this evidence of a snapshot."""
        table = snapshot.tables[self.table]
        if table.scaled:
            return filling.scaled_dot, (_scaled(snapshot, self.table), int(table.unit))
        return filling.vectors_dot, (snapshot.array(self.table), int(table.unit))


@dataclass(frozen=True)
class VectorsAcross(Kind):
    """The dot products of vectors of two tables of scaled vectors, which lie in one space.

    ``there``: of the left one's in ``table`` and the right one's in ``other``; ``back``: the other way about.
    """

    table: str
    other: str
    parts = ("there", "back")

    @property
    def tables(self) -> tuple[str, ...]:
        """Both tables of vectors."""
        return (self.table, self.other)

    def of(self, snapshot: Snapshot) -> Fill:
        """What writes this evidence of a snapshot."""
        first, second = _scaled(snapshot, self.table), _scaled(snapshot, self.other)
        widths = {first[0].shape[1], second[0].shape[1]}
        if len(widths) > 1 and 1 not in widths:  # 1: that of a table that the build left out
            raise damaged(
                snapshot.folder / self.other,
                f"its vectors have {second[0].shape[1]:,} dimensions, and those of {self.table} "
                f"{first[0].shape[1]:,}",
            )
        return filling.scaled_dots_across, (first, second)


@dataclass(frozen=True)
class Total(Kind):
    """How many units a snapshot counts in, the same number for each pair: one of its attributes."""

    count: str
    parts = ("total",)

    @property
    def tables(self) -> tuple[str, ...]:
        """None: the manifest has it."""
        return ()

    def of(self, snapshot: Snapshot) -> Fill:
        """What writes this evidence of a snapshot."""
        return filling.total, (getattr(snapshot, self.count),)


@dataclass(frozen=True)
class BestMatches(Kind):
    """The best match of each word of a title among the words of the other, by a measure of two words.

    ``best_left`` and ``best_right``: the sums of the best matches of the words of each title; ``left`` and
    ``right``: how many words it has. A word that the snapshot does not know is related to none, which is 0.
    ``measure`` is one of ``measures``, and ``evidence`` what it takes, of words.
    """

    measure: Callable[..., Any]
    evidence: tuple[Kind | Parts, ...]
    parts = ("best_left", "left", "best_right", "right")

    @property
    def tables(self) -> tuple[str, ...]:
        """Those of titles, and those of words."""
        return ("title_words", "title_lengths", *tables_of(self.evidence))


class Formula(Protocol):
    """What is computed from evidence: a feature, or a relatedness of words."""

    @property
    def measure(self) -> Callable[..., Any]:
        """One of ``measures``."""

    @property
    def evidence(self) -> tuple[Kind | Parts, ...]:
        """What the measure takes, in order."""


def tables_of(evidence: tuple[Kind | Parts, ...]) -> tuple[str, ...]:
    """The tables that some evidence is read from, each once."""
    kinds = (item.kind if isinstance(item, Parts) else item for item in evidence)
    return tuple(dict.fromkeys(table for kind in kinds for table in kind.tables))


def _scaled(snapshot: Snapshot, name: str) -> tuple[Array, Array]:
    """Scaled vectors as kernels take them."""
    table = snapshot.scaled(name)
    return table.vectors, table.scales


def _rows(snapshot: Snapshot, name: str) -> tuple[Ints, Array, Array | None, float]:
    """A sparse table as kernels take it."""
    table = snapshot.csr(name)
    return table.indptr, table.indices, table.values, table.scale
