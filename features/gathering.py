"""Gathering: the evidence that some features ask for, of many pairs in one call.

What comes out is one array, a row for each number of each kind of evidence. It is filled a table after
another, and in each for all pairs: so the rows of the next pair are on their way from memory while those of
one are compared, which took a third less time than all tables of one pair after those of the other.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from features import filling
from features.kinds import BestMatches, Kind, Parts
from jit.formulas import measured
from measures.arrays import Floats, Ints
from snapshots.errors import damaged
from snapshots.snapshot import Snapshot


class Gatherer:
    """What gathers some kinds of evidence from one snapshot. It holds the arrays of the tables, ready.

    Raises:
        DamagedSnapshot: a table is not what the kernels can read.
    """

    def __init__(self, snapshot: Snapshot, evidence: Iterable[Kind | Parts]) -> None:
        """``evidence``: all that will be asked for; what is named twice is gathered once."""
        kinds = dict.fromkeys(item.kind if isinstance(item, Parts) else item for item in evidence)
        self._starts: dict[Kind, int] = {}
        self.size = 0
        for kind in kinds:
            self._starts[kind] = self.size
            self.size += len(kind.parts)
        matches = [kind for kind in kinds if isinstance(kind, BestMatches)]
        self._fills = [
            (kind.of(snapshot), self._starts[kind]) for kind in kinds if not isinstance(kind, BestMatches)
        ]
        self._matches = MatchGatherer(snapshot, matches) if matches else None
        self._match_rows = [self._starts[kind] for kind in matches]

    def rows(self, evidence: Iterable[Kind | Parts]) -> tuple[int, ...]:
        """The rows in which ``gather`` puts some evidence."""
        found: list[int] = []
        for item in evidence:
            kind, places = (
                (item.kind, item.places) if isinstance(item, Parts) else (item, range(len(item.parts)))
            )
            found += [self._starts[kind] + place for place in places]
        return tuple(found)

    def gather(self, left: Ints, right: Ints) -> Floats:
        """What is known of ``left[i]`` and ``right[i]``, int64[n] both, for each i: float64[size, n].

        Row numbers are trusted; those of words, which are columns of the table of titles, are checked.

        Raises:
            DamagedSnapshot: a word of a title is none of the vocabulary.
        """
        evidence = np.empty((self.size, len(left)))
        for fill, row in self._fills:
            fill(left, right, evidence, row)
        if self._matches is not None:
            self._matches.fill(left, right, evidence, self._match_rows)
        return evidence


class Evidence:
    """Some evidence of pairs, to be read by name. ``left`` and ``right`` as for ``Gatherer.gather``."""

    def __init__(self, snapshot: Snapshot, left: Ints, right: Ints, evidence: Iterable[Kind | Parts]) -> None:
        asked = tuple(evidence)
        self._gatherer = Gatherer(snapshot, asked)
        self._gathered = self._gatherer.gather(left, right)

    def __getitem__(self, item: Kind | Parts) -> Floats:
        """The numbers of a kind of evidence, or some of them: float64[parts, n]."""
        return self._gathered[list(self._gatherer.rows([item]))]


class Titles:
    """The words of the titles of concepts, beside each other."""

    def __init__(self, snapshot: Snapshot) -> None:
        table = snapshot.csr("title_words")
        self._arrays = (
            table.indptr,
            table.indices,
            snapshot.array("title_lengths"),
            len(snapshot.array("word_counts")),
        )
        self._folder = snapshot.folder

    def blocks(self, left: Ints, right: Ints) -> filling.Blocks:
        """Each known word of each left title beside each of its right one: a block a pair.

        Raises:
            DamagedSnapshot: a word of a title is none of the vocabulary.
        """
        try:
            return filling.title_blocks(*self._arrays, left, right)
        except IndexError:
            raise damaged(self._folder / "title_words", "words of titles are not in the vocabulary") from None


class MatchGatherer:
    """What gathers the best matches of the words of titles by some measures; words are looked up once."""

    def __init__(self, snapshot: Snapshot, kinds: Iterable[BestMatches]) -> None:
        self._titles = Titles(snapshot)
        self._words = Gatherer(snapshot, (item for kind in kinds for item in kind.evidence))
        self._measures = [(measured(kind.measure), self._words.rows(kind.evidence)) for kind in kinds]

    def fill(self, left: Ints, right: Ints, evidence: Floats, rows: Iterable[int]) -> None:
        """Write the best matches by each measure into ``evidence``, from one of ``rows`` on each."""
        words, others, blocks, titles = self._titles.blocks(left, right)
        of_words = self._words.gather(words, others)
        relatedness = np.empty((1, len(words)))
        for (measure, taken), row in zip(self._measures, rows, strict=True):
            measure(of_words, taken, relatedness, 0)
            filling.title_matches(relatedness[0], blocks, titles, evidence, row)
