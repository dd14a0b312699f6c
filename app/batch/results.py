"""How the rows of a file are scored: as pairs of concepts, or as pairs of free terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

from app.batch.files.rows import FileRow
from app.scoring.concepts import Scorer
from app.scoring.references import quoted
from app.scoring.terms import LONGEST_TERM, TermScorer
from features.terms.extract import TermPair
from wort.schemas.described import ModelInfo, SnapshotInfo
from wort.schemas.relatedness import Ambiguous, Explanation, PairResult, Side
from wort.schemas.terms import TermResult, TermSide

NUMBERS = ("score", "left_prior", "right_prior")
"""The columns that hold numbers, besides those of explanations."""

BETWEEN = "|"
"""What stands between titles in one cell: no title has it."""


class Provenance(msgspec.Struct, frozen=True):
    """What results rest on: the model, and the snapshot with those whose work it was computed from."""

    model: ModelInfo
    snapshot: SnapshotInfo


RowResult = tuple[str, list[Any]]
"""The status of a row, and the values of the added columns."""


class RowScorer(Protocol):
    """What scores the rows of a file.

    ``columns``: the names of the added columns, of which ``status`` and ``error`` are two. ``explanation``:
    those that are added where an explanation is asked for. ``terms``: the cells of a row are free terms.
    ``provenance``: what the results rest on, as every response of the interface says it.
    """

    columns: tuple[str, ...]
    explanation: tuple[str, ...]
    terms: bool
    provenance: Provenance

    def of(self, rows: Sequence[FileRow], explain: bool) -> Iterable[RowResult]:
        """The result of each row, none of which has an error."""
        ...

    def identity(self) -> list[Any]:
        """What scores: another thing scores otherwise."""
        ...


class ConceptRowScorer:
    """Rows as pairs of concepts.

    Where senses are chosen, ``choices`` are added, which say of each side how it was found (as a ``sense``
    where it was chosen), how likely that sense was by itself, and which others there were.
    """

    columns: tuple[str, ...] = ("score", "status", "left_title", "right_title", "error")
    choices: tuple[str, ...] = (
        "left_matched",
        "right_matched",
        "left_prior",
        "right_prior",
        "left_alternatives",
        "right_alternatives",
    )
    terms: bool = False

    def __init__(self, scorer: Scorer, ambiguous: Ambiguous = "report") -> None:
        self._scorer = scorer
        self._ambiguous = ambiguous
        self.provenance = Provenance(scorer.model_info, scorer.snapshot_info)
        self.explanation: tuple[str, ...] = explained(scorer.model.reads)
        if ambiguous == "resolve":
            self.columns = (*self.columns, *self.choices)

    def of(self, rows: Sequence[FileRow], explain: bool) -> Iterable[RowResult]:
        """The result of each row."""
        pairs = [(row.left, row.right) for row in rows]
        results = self._scorer.score(
            pairs,
            explain=explain,
            features=explain,
            suggest=0,
            candidates=None,
            ambiguous=self._ambiguous,
            compare=False,
        )
        return (self._row_result(result, explain) for result in results)

    def identity(self) -> list[Any]:
        """The snapshot and the model, and what becomes of ambiguous titles."""
        return [self._scorer.snapshot.id, self._scorer.model, self._ambiguous]

    def _row_result(self, result: PairResult, explain: bool) -> RowResult:
        sides = (("left", result.resolved.left), ("right", result.resolved.right))
        trouble = "; ".join(f"{name} {_trouble(side)}" for name, side in sides if side.status != "ok")
        titles = [side.title if side.status == "ok" else None for _, side in sides]
        cells = [result.score, result.status, *titles, trouble or None]
        if self._ambiguous == "resolve":
            cells += [side.matched for _, side in sides]
            cells += [side.prior for _, side in sides]
            cells += [_listed(side) for _, side in sides]
        if explain:
            cells += values(result.features, result.explanation, len(self.explanation))
        return result.status, cells


class TermRowScorer:
    """Rows as pairs of free terms, with a context where the row has one."""

    columns: tuple[str, ...] = (
        "score",
        "status",
        "left_sense",
        "right_sense",
        "left_unknown",
        "right_unknown",
        "error",
    )
    terms: bool = True

    def __init__(self, scorer: TermScorer) -> None:
        self._scorer = scorer
        self.provenance = Provenance(scorer.model_info, scorer.snapshot_info)
        self.explanation: tuple[str, ...] = explained(scorer.model.reads)

    def of(self, rows: Sequence[FileRow], explain: bool) -> Iterable[RowResult]:
        """The result of each row."""
        pairs = [TermPair(str(row.left), str(row.right), row.context) for row in rows]
        results = self._scorer.score(pairs, explain=explain, features=explain)
        return (self._row_result(result, explain) for result in results)

    def identity(self) -> list[Any]:
        """The snapshot and the model."""
        return ["terms", self._scorer.snapshot.id, self._scorer.model]

    def _row_result(self, result: TermResult, explain: bool) -> RowResult:
        sides = (("left", result.resolved.left), ("right", result.resolved.right))
        # Two identical terms are related whatever is known of them.
        faults = [] if result.status == "identical" else [side for side in sides if side[1].status != "ok"]
        trouble = "; ".join(f"{name} {_term_trouble(side)}" for name, side in faults)
        senses = [None if side.sense is None else side.sense.title for _, side in sides]
        unknown = [" ".join(side.unknown_words) or None for _, side in sides]
        cells = [result.score, result.status, *senses, *unknown, trouble or None]
        if explain:
            cells += values(result.features, result.explanation, len(self.explanation))
        return result.status, cells


def explained(features: Sequence[str]) -> tuple[str, ...]:
    """The columns of an explanation: values, intercept, contributions, and their sum."""
    return (*features, "intercept", *(f"{name} contribution" for name in features), "raw")


def values(features: dict[str, float] | None, explanation: Explanation | None, width: int) -> list[Any]:
    """What stands in the columns of an explanation."""
    if explanation is None or features is None:
        return [None] * width
    contributions = [entry.contribution for entry in explanation.contributions]
    return [*features.values(), explanation.intercept, *contributions, explanation.raw]


def _listed(side: Side) -> str | None:
    """The senses that a side has as well, the likeliest first."""
    return BETWEEN.join(other.title for other in side.alternatives) or None


def _trouble(side: Side) -> str:
    asked = quoted(side.asked)
    if side.status == "ambiguous":
        return f"{asked} may mean {' or '.join(map(repr, side.candidates)) or 'several articles'}"
    if side.status == "invalid":
        return f"{asked} cannot be a title"
    return f"{asked} is no concept of the snapshot"


def _term_trouble(side: TermSide) -> str:
    if side.status == "invalid":
        return f"has more than {LONGEST_TERM} characters"
    return f"{side.asked!r} has no word that the snapshot knows"
