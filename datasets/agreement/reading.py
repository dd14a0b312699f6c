"""Files of judgements, read: a row a judgement, a row a tuple's answer, or votes as they were released.

================  =====================================================================================
one judgement     columns annotator, item, judgement; or left and right in the place of item, or beside it
one answer        columns item1, item2, …, best, worst, and annotator where it is known
votes             TR9856's table and JSON, and JSON lists of term1, term2, values
what items are    columns item, left, right
================  =====================================================================================

Wherever there are sides of pairs there may be the columns topic and group.
"""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from datasets.agreement.best_worst import BestWorst, Choice
from datasets.agreement.judgements import Item, Judged, Judgements
from datasets.written_answers import NO, NONE, YES
from models.given import content_of
from training.benchmarks.declared import shipped
from training.benchmarks.delimited import text_of
from training.benchmarks.judgements import check_header, score_of
from training.benchmarks.pairs import DELIMITERS, JSON_LINES
from training.benchmarks.table import delimiter_of, header_of, json_rows, rows_of
from training.benchmarks.tr9856 import json_votes, table_votes
from training.errors import BadRow, BenchmarkError, NotABenchmark

LARGEST = 256 << 20
"""Bytes of a file of judgements; a million rows have some fifty million."""

Kind = Literal["binary", "graded"]
"""Related or not; or a number on a scale."""

_BETWEEN = " – "
"""What stands between the sides of a pair that has no name of its own."""

Row = tuple[int, Mapping[str, Any]]
"""A line, and its cells by column, lower-cased."""


class _Listed(msgspec.Struct):
    term1: str
    term2: str
    values: list[float | None]


class Read(NamedTuple):
    """The judgements of a file; ``unknown``: rows without one, of what an annotator did not know."""

    judgements: Judgements
    unknown: int = 0


def read_judgements(path: Path, kind: Kind) -> Read:
    """The judgements in a file, in its order; who judges an item again repeats the judgement.

    Raises:
        NotABenchmark: it is no such file, or has no judgements.
        BadRow: a row is no judgement of that kind; the message says which line.
        UnusableFile: it is too large, or no file.
    """
    content = content_of(path, LARGEST)
    with _named(path):
        released = [form for form in shipped()["tr9856"].forms if path.name.lower() in _names(form.files)]
        if released:
            votes = json_votes if path.suffix.lower() == ".json" else table_votes
            voted = votes(released[0], path, content)
            read = Read(
                _of_votes(
                    (Item(str(row.line), str(row.left), str(row.right), _text(row.topic)), given)
                    for row, given in voted
                )
            )
        elif path.suffix.lower() == ".json":
            read = Read(_of_votes(_listed(content)))
        else:
            read = _of_rows(rows_in(path, content), kind)
        if not len(read.judgements):
            raise NotABenchmark("it has no judgements. Is it the right file?")
    return read


def read_best_worst(path: Path) -> BestWorst:
    """The answers in a file of best-worst scaling, in its order.

    Raises:
        NotABenchmark: it is no such file, or has no answers.
        BadRow: a row is no answer; the message says which line.
        UnusableFile: it is too large, or no file.
    """
    with _named(path):
        choices = list(_choices(rows_in(path, content_of(path, LARGEST))))
        if not choices:
            raise NotABenchmark("it has no answers. Is it the right file?")
        return BestWorst.of(choices)


def read_items(path: Path) -> dict[str, Item]:
    """What items are, by their names: a table with the columns item, left and right.

    Raises:
        BenchmarkError: it is no such table, or says two things of one item.
    """
    items: dict[str, Item] = {}
    with _named(path):
        for line, row in rows_in(path, content_of(path, LARGEST)):
            item = _item(line, row)
            if not item.left:
                raise NotABenchmark("it lacks the columns item, left and right, which say what items are.")
            if items.setdefault(item.name, item) != item:
                raise BadRow(f"line {line}: the item {item.name!r} stands here for another pair than before.")
    return items


def described(items: tuple[Item, ...], known: Mapping[str, Item]) -> tuple[Item, ...]:
    """Items with their sides, as ``known`` has them by name.

    Raises:
        NotABenchmark: one of them is not known.
    """
    lacking = [item.name for item in items if item.name not in known]
    if lacking:
        shown = ", ".join(map(repr, lacking[:3]))
        raise NotABenchmark(
            f"{len(lacking):,} of {len(items):,} items are not in the table of items: {shown}. Add them."
        )
    return tuple(known[item.name] for item in items)


def with_items(judgements: Judgements, known: Mapping[str, Item]) -> Judgements:
    """The judgements, their items with sides; see ``described``."""
    return replace(judgements, items=described(judgements.items, known))


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors say which file they are of."""
    try:
        yield
    except BenchmarkError as error:
        raise type(error)(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error


def _names(files: Iterable[str]) -> set[str]:
    return {Path(file).name.lower() for file in files}


def rows_in(path: Path, content: bytes) -> Iterator[Row]:
    """The rows of a table or of JSON lines, as the name of the file says; columns in lower case.

    Raises:
        BenchmarkError: it is neither, or a row cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix in JSON_LINES:
        rows = json_rows(content.removeprefix(codecs.BOM_UTF8))
    elif suffix in DELIMITERS:
        text = text_of(content, "UTF-8", "Save the file as UTF-8 (spreadsheets call that CSV UTF-8).")
        delimiter = delimiter_of(text, DELIMITERS[suffix])
        check_header(header_of(text, delimiter))
        rows = rows_of(text, delimiter)
    else:
        known = ", ".join([*DELIMITERS, *sorted(JSON_LINES), ".json"])
        raise NotABenchmark(f"the name of a file of judgements ends in one of {known}.")
    for line, row in rows:
        yield line, {str(name).strip().lower(): cell for name, cell in row.items()}


def _of_rows(rows: Iterable[Row], kind: Kind) -> Read:
    judged: list[Judged] = []
    items: dict[str, Item] = {}
    unknown = 0
    for line, row in rows:
        annotator = _cell(line, row, "annotator")
        item = _item(line, row)
        if items.setdefault(item.name, item) != item:
            raise BadRow(f"line {line}: the item {item.name!r} stands here for another pair than before.")
        if "judgement" not in row:
            raise _lacks(line, row, "judgement")
        value = _value(line, row["judgement"], kind)
        if math.isnan(value):
            unknown += 1
        else:
            judged.append(Judged(annotator, item, value))
    return Read(Judgements.of(judged), unknown)


def _value(line: int, cell: object, kind: Kind) -> float:
    text = str(cell).strip().lower()
    if cell is None or text in NONE:
        return math.nan
    if kind == "graded":
        return score_of(text, line)
    if text in YES | NO:
        return float(text in YES)
    raise BadRow(
        f"line {line}: the judgement {cell!r} is neither related (1, yes) nor unrelated (0, no). Judgements "
        "on a scale are read with --kind graded."
    )


def _item(line: int, row: Mapping[str, Any]) -> Item:
    left, right = (_text(row.get(side)) or "" for side in ("left", "right"))
    if bool(left) != bool(right):
        raise BadRow(f"line {line}: the pair has one side alone, {left or right!r}. Name left and right.")
    topic, group = _text(row.get("topic")), _text(row.get("group"))
    if "item" in row:
        return Item(_cell(line, row, "item"), left, right, topic, group)
    if not left:
        raise _lacks(line, row, "item")
    name = f"{left}{_BETWEEN}{right}" + (f" ({topic})" if topic else "")
    return Item(name, left, right, topic, group)


def _choices(rows: Iterable[Row]) -> Iterator[Choice]:
    size = 0
    for line, row in rows:
        places = [name for name in row if name.removeprefix("item").isdecimal() and name.startswith("item")]
        if len(places) < 3:
            raise _lacks(line, row, "item1, item2, item3 and further")
        names = [_cell(line, row, place) for place in places]
        if len(set(names)) < len(names):
            raise BadRow(f"line {line}: one item stands twice in a tuple.")
        if len(names) != (size := size or len(names)):
            raise BadRow(f"line {line}: {len(names)} items, and {size} in the lines before.")
        chosen = []
        for what in ("best", "worst"):
            column = what if what in row else f"{what}item"
            choice = _cell(line, row, column if column in row else what)
            if choice not in names:
                raise BadRow(f"line {line}: {what} is {choice!r}, which is none of the items of the row.")
            chosen.append(names.index(choice))
        if chosen[0] == chosen[1]:
            raise BadRow(f"line {line}: best and worst are the same item, {names[chosen[0]]!r}.")
        annotator = _text(row.get("annotator")) or ""
        yield Choice(annotator, tuple(map(Item, names)), *chosen)


def _listed(content: bytes) -> Iterator[tuple[Item, list[float | None]]]:
    try:
        pairs = msgspec.json.decode(content, type=list[_Listed])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotABenchmark(f"not a list of pairs with term1, term2 and values ({error}).") from None
    for place, pair in enumerate(pairs, start=1):
        yield Item(str(place), pair.term1, pair.term2), pair.values


def _of_votes(votes: Iterable[tuple[Item, Iterable[float | None]]]) -> Judgements:
    """Votes in columns, one an annotator, who is known by its number from 1."""
    return Judgements.of(
        Judged(str(column), item, float(vote))
        for item, given in votes
        for column, vote in enumerate(given, start=1)
        if vote is not None
    )


def _cell(line: int, row: Mapping[str, Any], column: str) -> str:
    if column not in row:
        raise _lacks(line, row, column)
    text = _text(row[column])
    if text is None:
        raise BadRow(f"line {line}: {column} is empty.")
    return text


def _text(cell: object) -> str | None:
    text = "" if cell is None else str(cell).strip()
    return text or None


def _lacks(line: int, row: Mapping[str, Any], column: str) -> BenchmarkError:
    has = ", ".join(list(row)[:20]) or "none"
    return NotABenchmark(
        f"line {line} lacks the column {column}; it has {has}. Judgements have the columns annotator, item "
        "(or left and right) and judgement; answers of best-worst scaling item1, item2, …, best and worst."
    )
