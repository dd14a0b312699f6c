"""Gathering: the evidence that some formulas take, and their values, of many pairs in one call.

What comes out is an array with a row for each number of each kind of evidence, and then one for each formula.
Steps fill it (``jit.steps``), a table after another and at last the formulas, each for all pairs: so the rows
of the next pair are on their way from memory while those of one are compared, which took a third less time
than all tables of one pair after those of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from features import filling
from features.kinds import BestMatches, Formula, Kind, Parts
from jit.formulas import measured
from jit.steps import Program, run
from measures.arrays import Floats, Ints
from snapshots.errors import DamagedSnapshot, damaged
from snapshots.snapshot import Snapshot


class Gatherer:
    """What gathers some evidence from one snapshot, and applies formulas. It holds the arrays of the tables.

    ``size``: how many rows the evidence has, after which those of the formulas come, in their order.

    Raises:
        DamagedSnapshot: a table is not what the kernels can read.
    """

    def __init__(
        self, snapshot: Snapshot, formulas: Sequence[Formula] = (), evidence: Sequence[Kind | Parts] = ()
    ) -> None:
        """``evidence``: what else is asked for; what is named twice is gathered once."""
        asked = (*evidence, *(item for formula in formulas for item in formula.evidence))
        kinds = dict.fromkeys(item.kind if isinstance(item, Parts) else item for item in asked)
        matches = [kind for kind in kinds if isinstance(kind, BestMatches)]
        others = [kind for kind in kinds if not isinstance(kind, BestMatches)]
        self._starts: dict[Kind, int] = {}
        self.size = 0
        for kind in (*matches, *others):
            self._starts[kind] = self.size
            self.size += len(kind.parts)
        self._formulas = formulas
        self._folder = snapshot.folder
        self._fills = [(*kind.of(snapshot), self._starts[kind]) for kind in others]
        # One for all that is asked of the words of titles: they are looked up once.
        self._words = Gatherer(snapshot, matches) if matches else None
        self._titles = Titles(snapshot) if matches else None

    @cached_property
    def program(self) -> Program:
        """What fills the array; compiled when it is first asked for."""
        steps, words = list(self._fills), None
        if self._words is not None and self._titles is not None:
            words = self._words.program
            bound = (*self._titles.arrays, words.calls, words.size, self._words.size)
            steps.append((filling.all_title_matches, bound, 0))
        for row, formula in enumerate(self._formulas, self.size):
            steps.append((measured(formula.measure), self.rows(formula.evidence), row))
        return Program(steps, self.size + len(self._formulas), words)

    def rows(self, evidence: Iterable[Kind | Parts]) -> tuple[int, ...]:
        """The rows in which some evidence stands."""
        rows: list[int] = []
        for item in evidence:
            kind, places = (
                (item.kind, item.places) if isinstance(item, Parts) else (item, range(len(item.parts)))
            )
            rows += [self._starts[kind] + place for place in places]
        return tuple(rows)

    def gather(self, left: Ints, right: Ints) -> Floats:
        """What is known of ``left[i]`` and ``right[i]``, int64[n] both, for each i: the array, a column each.

        Row numbers are trusted; those of words, which are columns of the table of titles, are checked.

        Raises:
            DamagedSnapshot: a word of a title is none of the vocabulary.
        """
        program = self.program
        # In memory of their own, which steps need: what is given may be read-only, or every second of some.
        left, right = left.astype(np.int64, order="C"), right.astype(np.int64, order="C")
        try:
            return run(program.calls, left, right, np.empty((program.size, len(left))))
        except IndexError:
            raise unknown_words(self._folder) from None


_GATHERERS: WeakKeyDictionary[Snapshot, dict[tuple[object, ...], Gatherer]] = WeakKeyDictionary()


def gatherer_of(
    snapshot: Snapshot, formulas: tuple[Formula, ...] = (), evidence: tuple[Kind | Parts, ...] = ()
) -> Gatherer:
    """The gatherer of a snapshot, some formulas and some evidence, which is kept as long as the snapshot is.

    Raises:
        DamagedSnapshot: a table is not what the kernels can read.
    """
    of_snapshot = _GATHERERS.get(snapshot)
    if of_snapshot is None:
        of_snapshot = _GATHERERS[snapshot] = {}
    gatherer = of_snapshot.get((formulas, evidence))
    if gatherer is None:
        gatherer = of_snapshot[formulas, evidence] = Gatherer(snapshot, formulas, evidence)
    return gatherer


class Evidence:
    """Some evidence of pairs, to be read by name. ``left`` and ``right`` as for ``Gatherer.gather``."""

    def __init__(self, snapshot: Snapshot, left: Ints, right: Ints, evidence: Iterable[Kind | Parts]) -> None:
        self._gatherer = gatherer_of(snapshot, evidence=tuple(evidence))
        self._gathered = self._gatherer.gather(left, right)

    def __getitem__(self, item: Kind | Parts) -> Floats:
        """The numbers of a kind of evidence, or some of them: float64[parts, n]."""
        return self._gathered[list(self._gatherer.rows([item]))]


class Titles:
    """The words of the titles of concepts, beside each other.

    ``arrays``: the table of titles, how many words each title has, and how many words the snapshot knows.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        table = snapshot.csr("title_words")
        lengths, vocabulary = snapshot.array("title_lengths"), len(snapshot.array("word_counts"))
        self.arrays = (table.indptr, table.indices, lengths, vocabulary)
        self._folder = snapshot.folder

    def blocks(self, left: Ints, right: Ints) -> filling.Blocks:
        """Each known word of each left title beside each of its right one: a block a pair.

        Raises:
            DamagedSnapshot: a word of a title is none of the vocabulary.
        """
        try:
            return filling.title_blocks(*self.arrays, left, right)
        except IndexError:
            raise unknown_words(self._folder) from None


def unknown_words(folder: Path) -> DamagedSnapshot:
    """The error of a snapshot whose titles have words that are none of its vocabulary."""
    return damaged(folder / "title_words", "words of titles are not in the vocabulary")
