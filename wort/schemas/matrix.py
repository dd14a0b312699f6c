"""Matrices of scores: what is asked, and what is answered."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from wort.schemas.described import AskedModel, ModelInfo, SnapshotInfo
from wort.schemas.references import Concept
from wort.schemas.relatedness import Ambiguous
from wort.schemas.shown import MOST_COLUMNS, MOST_ROWS, counted, html_table, in_short, share
from wort.schemas.sides import Side, called


class MatrixRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The concepts to compare: some with one another, or each of some rows with each of some columns."""

    concepts: Annotated[
        list[Concept] | UnsetType, Meta(description="Concepts to compare with one another.")
    ] = UNSET
    rows: Annotated[list[Concept] | UnsetType, Meta(description="The concepts of the rows.")] = UNSET
    columns: Annotated[list[Concept] | UnsetType, Meta(description="The concepts of the columns.")] = UNSET

    ambiguous: Annotated[
        Ambiguous,
        Meta(
            description="What becomes of a concept that may mean several: `report` leaves its scores `null` "
            "and lists what it may mean; `resolve` takes the sense that is likely and suits the other "
            "concepts, the same for the whole matrix, and the answer says which."
        ),
    ] = "report"
    model: AskedModel = None

    def __post_init__(self) -> None:
        square = self.concepts is not UNSET
        if any(square == (part is not UNSET) for part in (self.rows, self.columns)):
            raise ValueError("Give `concepts`, or both `rows` and `columns`")


Score = Annotated[float, Meta(ge=0, le=1)]


class MatrixResponse(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The scores, a list a row, and how each concept was understood."""

    concepts: Annotated[
        list[Side] | None,
        Meta(description="How the concepts were understood, in their order, where they were asked for so."),
    ] = None
    rows: Annotated[
        list[Side] | None, Meta(description="How the concepts of the rows were understood, else.")
    ] = None
    columns: Annotated[
        list[Side] | None, Meta(description="How the concepts of the columns were understood, else.")
    ] = None
    scores: Annotated[
        list[list[Score | None]],
        Meta(
            description="The score of each row's concept with each column's, as for a pair of them: 1 where "
            "both are the same concept, `null` where one of them could not be resolved."
        ),
    ]
    model: ModelInfo
    snapshot: SnapshotInfo

    def __repr__(self) -> str:
        """What was compared; ``msgspec.to_builtins`` shows every field."""
        rows, columns = self._sides()
        return f"<MatrixResponse {in_short(rows)} | {in_short(columns)}: {len(rows):,} by {len(columns):,}>"

    def __str__(self) -> str:
        """A line a row: its scores, in the order of the columns, and what it is called; the first of many."""
        rows, columns = self._sides()
        cut = " …" if len(columns) > MOST_COLUMNS else ""
        lines = [
            f"{' '.join(f'{share(score):>4}' for score in scores[:MOST_COLUMNS])}{cut}  {row}"
            for row, scores in zip(rows[:MOST_ROWS], self.scores, strict=False)
        ]
        more = len(rows) - MOST_ROWS
        return "\n".join([*lines, f"and {counted(more, 'more row', 'more rows')}"] if more > 0 else lines)

    def _repr_html_(self) -> str:
        rows, columns = self._sides()
        shown = [(row, *map(share, scores)) for row, scores in zip(rows, self.scores, strict=True)]
        return html_table(("", *columns), shown, f"{len(rows):,} by {len(columns):,} scores")

    def _sides(self) -> tuple[list[str], list[str]]:
        """What the rows and the columns are called."""
        rows, columns = (self.concepts or part or [] for part in (self.rows, self.columns))
        return [str(called(side)) for side in rows], [str(called(side)) for side in columns]
