"""A row of any layout, before anything in it is believed, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from training.benchmarks.declared import Declaration
from training.benchmarks.judgements import Judgement, Split, belongs, score_of
from training.errors import BadRow


class BenchmarkRow(NamedTuple):
    """What a file has in a row. ``mark`` says Train or Test, None where the file does not mark its rows."""

    line: int
    left: object
    right: object
    score: object
    topic: object = None
    mark: object = None


class ReadRows(NamedTuple):
    """The judgements of the split asked for; rows left of the other split, and for want of an article.

    ``spellings``: for a title that lost letters to a broken encoding, every title that it may have been.
    """

    judgements: tuple[Judgement, ...]
    other_split: int
    absent: int = 0
    spellings: Mapping[str, tuple[str, ...]] = {}


def judged(rows: Iterable[BenchmarkRow], split: Split, declaration: Declaration) -> ReadRows:
    """The judgements in ``rows``.

    A row of the other split is counted and left before anything else of it is looked at.

    Raises:
        BadRow: a row is no judgement, or its score lies outside the declared range.
    """
    judgements: list[Judgement] = []
    other_split = absent = 0
    for row in rows:
        if not belongs(row.mark, split, row.line):
            other_split += 1
        elif declaration.absent and declaration.absent in (row.left, row.right):
            absent += 1
        else:
            judgements.append(_judgement(row, declaration))
    return ReadRows(tuple(judgements), other_split, absent)


def _judgement(row: BenchmarkRow, declaration: Declaration) -> Judgement:
    left, right = (
        _side(text, column, row.line, declaration)
        for text, column in ((row.left, declaration.left), (row.right, declaration.right))
    )
    if isinstance(row.score, bool) or not isinstance(row.score, str | int | float):
        raise BadRow(f"line {row.line}: the score {row.score!r} is not a number.")
    # A pair without a topic may stand in a table beside others that have one.
    blank = row.topic is None or (isinstance(row.topic, str) and not row.topic.strip())
    topic = None if blank else _title(row.topic, declaration.topic, row.line, declaration)
    return Judgement(
        left, right, in_range(score_of(row.score, row.line), row.line, declaration), topic, row.line
    )


def in_range(score: float, line: int, declaration: Declaration) -> float:
    """The score, if it lies in the declared range.

    Raises:
        BadRow: it does not.
    """
    if not declaration.low <= score <= declaration.high:
        raise BadRow(
            f"line {line}: the score {score:g} is outside the range of {declaration.name}, "
            f"{declaration.low:g} to {declaration.high:g}. Correct the file, or declare its range."
        )
    return score


def _title(text: object, column: str, line: int, declaration: Declaration) -> str:
    what = {"concepts": "a title", "terms": "a term"}.get(declaration.kind, "a text")
    if not isinstance(text, str) or not text.strip():
        raise BadRow(f"line {line}: {column} is {text!r} where {what} belongs.")
    return text.strip()


def _side(text: object, column: str, line: int, declaration: Declaration) -> str:
    title = _title(text, column, line, declaration)
    if not declaration.tag:
        return title
    word, tag, _ = title.rpartition(declaration.tag)
    if not tag or not word:
        raise BadRow(
            f"line {line}: {column} is {text!r}, without a part of speech after {declaration.tag!r}."
        )
    return word
