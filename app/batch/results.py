"""How the rows of a file are scored: as pairs of concepts, or as pairs of free terms."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from app.batch.files.rows import PairRow
from app.scoring.concepts import Scorer
from app.scoring.judged import level_of
from app.scoring.terms import LONGEST_TERM, TermScorer
from features.terms.extract import TermPair
from wort.schemas.described import ModelInfo
from wort.schemas.naming import quoted
from wort.schemas.relatedness import Ambiguous, PairResult
from wort.schemas.sides import Side
from wort.schemas.streaming import StreamHead
from wort.schemas.terms import TermResult, TermSide

INTERVAL = ("interval_low", "interval_high")
"""The columns of the ends of an interval, after the others, where the model knows one."""

NUMBERS = ("score", "left_prior", "right_prior", *INTERVAL)
"""The columns that hold numbers, besides those of explanations."""

_PAGE_ID = re.compile(r"\d+(?:\.0)?")
"""How a cell looks that was meant as a page id, after a spreadsheet, too."""

SEPARATOR = "|"
"""What stands between titles in one cell: no title has it."""

COUNTED = 10_000
"""Different unknown names that are counted, the first of a file."""

RowResult = tuple[str, list[Any]]
"""The status of a row, and the values of the added columns."""


class Provenance(StreamHead, frozen=True, omit_defaults=True):
    """What results rest on; of terms, the model of ``concepts`` too, which scores terms that name some."""

    concepts: ModelInfo | None = None


class UnknownName(NamedTuple):
    """A name that no concept has: on how many sides it stood, and titles that may be meant by it."""

    name: str
    sides: int
    suggestions: tuple[str, ...]


class RowScorer(ABC):
    """What scores the rows of a file.

    ``columns``: the names of the added columns, of which ``status`` and ``error`` are two. ``explanation``:
    those that are added where an explanation is asked for. ``terms``: the cells of a row are free terms.
    ``provenance``: what the results rest on. ``identity``: what
    scores; another thing scores otherwise.
    """

    columns: tuple[str, ...]
    terms: bool

    def __init__(self, scorer: Scorer | TermScorer) -> None:
        self.has_intervals = level_of(scorer.model) is not None
        self.explanation = explained(scorer.model.reads)
        self.provenance = Provenance(scorer.model_info, scorer.snapshot_info)
        self.identity: list[Any] = [scorer.snapshot.id, scorer.model]

    @abstractmethod
    def of(self, rows: Sequence[PairRow], explain: bool) -> Iterable[RowResult]:
        """The result of each row, none of which has an error."""

    def most_unknown(self, most: int) -> list[UnknownName]:
        """The names that were unknown most often, ``most`` of them, since this was made; of terms none is."""
        return []

    @property
    def unknown(self) -> int:
        """How many different names were unknown, of those that are counted, since this was made."""
        return 0

    @property
    def chosen(self) -> int:
        """On how many sides a sense was chosen among several, since this was made."""
        return 0

    def _interval(self, result: PairResult | TermResult) -> list[Any]:
        """What stands in the columns of the interval, where there are some."""
        if not self.has_intervals:
            return []
        interval = result.interval
        return [None, None] if interval is None else [interval.low, interval.high]

    def _explanation(self, result: PairResult | TermResult) -> list[Any]:
        """What stands in the columns of the explanation."""
        explanation = result.explanation
        if explanation is None:
            return [None] * len(self.explanation)
        values = [entry.value for entry in explanation.contributions]
        contributions = [entry.contribution for entry in explanation.contributions]
        return [*values, explanation.intercept, *contributions, explanation.raw]


class ConceptRowScorer(RowScorer):
    """Rows as pairs of concepts.

    Where senses are chosen, ``choices`` are added, which say of each side how it was found (as a ``sense``
    where it was chosen), how likely that sense was by itself, and which others there were.
    """

    columns: tuple[str, ...] = ("score", "status", "left_title", "right_title", "error")
    choices = (
        "left_matched",
        "right_matched",
        "left_prior",
        "right_prior",
        "left_alternatives",
        "right_alternatives",
    )
    terms = False

    def __init__(self, scorer: Scorer, ambiguous: Ambiguous = "report") -> None:
        super().__init__(scorer)
        self.identity.append(ambiguous)
        self._scorer = scorer
        self._ambiguous = ambiguous
        self._unknown: Counter[str] = Counter()
        self._written: dict[str, str] = {}
        self._chosen = 0
        if ambiguous == "resolve":
            self.columns = (*self.columns, *self.choices)
        if self.has_intervals:
            self.columns = (*self.columns, *INTERVAL)

    def of(self, rows: Sequence[PairRow], explain: bool) -> Iterable[RowResult]:
        """The result of each row."""
        results = self._scorer.score(
            [(row.left, row.right) for row in rows],
            explain=explain,
            suggest=0,
            candidates=None,
            ambiguous=self._ambiguous,
            compare=False,
        )
        return ((result.status, self._values(result, explain)) for result in results)

    def most_unknown(self, most: int) -> list[UnknownName]:
        """The names that were unknown most often, as each was written first, with suggestions."""
        one, counted = self._scorer.pairs.one, self._unknown.most_common(most)
        named = [(self._written[folded], sides) for folded, sides in counted]
        return [UnknownName(name, sides, one(name).suggestions) for name, sides in named]

    @property
    def unknown(self) -> int:
        """How many different names were unknown, whatever their case, of those that are counted."""
        return len(self._unknown)

    @property
    def chosen(self) -> int:
        """On how many sides a sense was chosen among several, since this was made."""
        return self._chosen

    def _count(self, side: Side) -> None:
        self._chosen += side.matched == "sense"
        if side.status != "unknown":
            return
        folded = str(side.asked).casefold()
        if folded in self._unknown or len(self._unknown) < COUNTED:
            self._unknown[folded] += 1
            self._written.setdefault(folded, str(side.asked))

    def _values(self, result: PairResult, explain: bool) -> list[Any]:
        for side in (result.resolved.left, result.resolved.right):
            self._count(side)
        sides = (("left", result.resolved.left), ("right", result.resolved.right))
        trouble = "; ".join(f"{name} {trouble_of(side)}" for name, side in sides if side.status != "ok")
        titles = [side.title if side.status == "ok" else None for _, side in sides]
        values = [result.score, result.status, *titles, trouble or None]
        if self._ambiguous == "resolve":
            values += [side.matched for _, side in sides]
            values += [side.prior for _, side in sides]
            values += [
                SEPARATOR.join(sense.title for sense in side.alternatives) or None for _, side in sides
            ]
        values += self._interval(result)
        return values + self._explanation(result) if explain else values


class TermRowScorer(RowScorer):
    """Rows as pairs of free terms, with a context where the row has one.

    ``used`` says what a score rests on. That of two concepts is explained by the features of concepts, which
    have no columns here.
    """

    columns: tuple[str, ...] = (
        "score",
        "status",
        "left_sense",
        "right_sense",
        "left_unknown",
        "right_unknown",
        "used",
        "error",
    )
    terms = True

    def __init__(self, scorer: TermScorer) -> None:
        super().__init__(scorer)
        self.identity = ["terms", *self.identity, scorer.concepts.model]
        self.provenance = Provenance(scorer.model_info, scorer.snapshot_info, scorer.concepts.model_info)
        self._scorer = scorer
        self.has_intervals = self.has_intervals or level_of(scorer.concepts.model) is not None
        if self.has_intervals:
            self.columns = (*self.columns, *INTERVAL)

    def of(self, rows: Sequence[PairRow], explain: bool) -> Iterable[RowResult]:
        """The result of each row."""
        pairs = [TermPair(str(row.left), str(row.right), row.context) for row in rows]
        results = self._scorer.score(pairs, explain=explain, compare=False)
        return ((result.status, self._values(result, explain)) for result in results)

    def _values(self, result: TermResult, explain: bool) -> list[Any]:
        sides = (("left", result.resolved.left), ("right", result.resolved.right))
        # Two identical terms are related whatever is known of them.
        faults = [] if result.status == "identical" else [side for side in sides if side[1].status != "ok"]
        trouble = "; ".join(f"{name} {_term_trouble(side)}" for name, side in faults)
        senses = [None if side.sense is None else side.sense.title for _, side in sides]
        unknown = [" ".join(side.unknown_words) or None for _, side in sides]
        used = None if result.used is None else SEPARATOR.join(result.used)
        values = [result.score, result.status, *senses, *unknown, used, trouble or None]
        values += self._interval(result)
        return values + self._explanation(result) if explain else values

    def _explanation(self, result: TermResult | PairResult) -> list[Any]:
        # The explanation of two concepts has other features.
        if result.model != self._scorer.model.name:
            return [None] * len(self.explanation)
        return super()._explanation(result)


def explained(features: Sequence[str]) -> tuple[str, ...]:
    """The columns of an explanation: values, intercept, contributions, and their sum."""
    return (*features, "intercept", *(f"{name} contribution" for name in features), "raw")


def trouble_of(side: Side) -> str:
    """Why a side has no concept."""
    asked = quoted(side.asked)
    if side.status == "ambiguous":
        if len(side.candidates) == 1:
            return f"{asked} alone is no concept, but {side.candidates[0]!r} is"
        return f"{asked} may mean {' or '.join(map(repr, side.candidates)) or 'several articles'}"
    if side.status == "invalid":
        return f"{asked} cannot be a title"
    is_id = isinstance(side.asked, str) and _PAGE_ID.fullmatch(side.asked)
    advice = "; a page id is a number without quotes, in JSON Lines or Parquet" if is_id else ""
    return f"{asked} is no concept of the snapshot{advice}"


def _term_trouble(side: TermSide) -> str:
    if side.status == "invalid":
        return f"has more than {LONGEST_TERM} characters"
    return f"{side.asked!r} has no word that the snapshot knows"
