"""TR9856 (Levy et al. 2015): term pairs with every labeler's vote, in the official table and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from models.given import content_of, refuse_repeated_keys
from training.benchmarks.declared import Declaration
from training.benchmarks.delimited import table_rows
from training.benchmarks.rows import BenchmarkRow
from training.errors import BadRow, NotABenchmark

COLUMNS = 26
"""Of the official table: two terms, their topic, 22 labelers and the score (release notes, section 1.2)."""

_VOTES = {"related": 1, "unrelated": 0, "null": None, "": None}

_ROUNDED = 0.0051
"""How far a score that was rounded to two digits may be from the share of votes."""


class _Pair(msgspec.Struct):
    term1: str
    term2: str
    value: float
    values: list[Literal[0, 1] | None]


Votes = Sequence[int | None]
"""What each labeler said of a pair: 1 for Related, 0 for Unrelated, None where it was not shown."""


def read_table(declaration: Declaration, path: Path, content: bytes) -> Iterator[BenchmarkRow]:
    """The rows of the official table, without their votes; it is refused as by ``table_votes``."""
    return (row for row, _ in table_votes(declaration, path, content))


def read_json(declaration: Declaration, path: Path, content: bytes) -> Iterator[BenchmarkRow]:
    """The rows of the JSON form, without their votes; it is refused as by ``json_votes``."""
    return (row for row, _ in json_votes(declaration, path, content))


def table_votes(declaration: Declaration, path: Path, content: bytes) -> Iterator[tuple[BenchmarkRow, Votes]]:
    """The rows of the official table, ``TermRelatednessResults.csv``, each with its topic and its votes.

    Raises:
        NotABenchmark: it has not the 26 columns.
        BadRow: a vote is none of Related, Unrelated and null, or the score is not the share of Related.
    """
    named = (declaration.left, declaration.right, declaration.score, declaration.topic)
    for line, row in table_rows(declaration, path, content):
        if len(row) != COLUMNS:
            raise NotABenchmark(
                f"line 1 names {len(row)} columns where there should be {COLUMNS}: two terms, the topic, 22 "
                "labelers and the score. Is it release 0.2 of TermRelatednessResults.csv?"
            )
        votes: list[int | None] = []
        for column, text in row.items():
            if column in named:
                continue
            vote = text.strip().lower()
            if vote not in _VOTES:
                raise BadRow(f"line {line}: {column} says {text!r}, not Related, Unrelated or null.")
            votes.append(_VOTES[vote])
        score = row[declaration.score]
        _check_votes(score, votes, line)
        left, right, topic = row[declaration.left], row[declaration.right], row[declaration.topic]
        yield BenchmarkRow(line, left, right, score, topic), votes


def json_votes(declaration: Declaration, path: Path, content: bytes) -> Iterator[tuple[BenchmarkRow, Votes]]:
    """The rows of the JSON form, which has no topics; those of the file beside it are taken.

    A row's line is its place in the list, counted from 1.

    Raises:
        NotABenchmark: it is no list of pairs with their votes.
        BadRow: a score is not the share of votes, or the topics are of other pairs.
    """
    try:
        pairs = msgspec.json.decode(content, type=list[_Pair])
        refuse_repeated_keys(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotABenchmark(f"not a list of pairs with term1, term2, value and values ({error}).") from None
    topics = _topics(declaration, path.parent)
    if topics is not None and len(topics) != len(pairs):
        raise NotABenchmark(
            f"{len(pairs)} pairs, and {' or '.join(declaration.beside)} beside it has {len(topics)}. "
            "Take both from one place."
        )
    for line, pair in enumerate(pairs, start=1):
        _check_votes(pair.value, pair.values, line)
        topic = None
        if topics is not None:
            left, right, topic = topics[line - 1]
            if (left, right) != (pair.term1, pair.term2):
                raise BadRow(
                    f"line {line}: {pair.term1!r} and {pair.term2!r}, where the topics beside it have "
                    f"{left!r} and {right!r}. Take both from one place."
                )
        yield BenchmarkRow(line, pair.term1, pair.term2, pair.value, topic), pair.values


def _check_votes(score: str | float, votes: Votes, line: int) -> None:
    given = [vote for vote in votes if vote is not None]
    try:
        stated = float(score)
    except (ValueError, OverflowError):
        return  # said of the row with all else that is wrong with scores
    if not given or not math.isclose(stated, sum(given) / len(given), abs_tol=_ROUNDED):
        raise BadRow(
            f"line {line}: the score {score} is not the share of its votes that say related, {sum(given)} of "
            f"{len(given)}. Get the file again."
        )


def _topics(declaration: Declaration, folder: Path) -> list[tuple[str, str, str]] | None:
    """(term, term, key terms of the topic) of each row of the file of topics; None where there is none."""
    for name in declaration.beside:
        path = folder / name
        if not path.is_file():
            continue
        wanted = ("term1", "term2", "inferred_topic_key_terms")
        table = Declaration(name=declaration.name, files=(name,), columns=wanted)
        try:
            return [
                (row["term1"], row["term2"], row["inferred_topic_key_terms"])
                for _, row in table_rows(table, path, content_of(path))
            ]
        except (BadRow, NotABenchmark) as error:
            raise type(error)(f"{name} beside it: {error}") from None
        except OSError as error:
            raise NotABenchmark(f"{name} beside it cannot be read: {error.strerror or error}.") from None
    return None
