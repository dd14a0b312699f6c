"""Items from files: pairs as ``wort dataset select`` writes them, or any table of pairs, and tuples of them.

=====================  ==================================================================================
left, right            the sides; also term1 and term2, as the data sets have them
item                   the pair's name, by which judgements refer to it; the sides with a dash without it
pair                   its number, by which tuples refer to it
topic                  the context in which it is judged; also context
group                  what scores are compared by; also parts or split
left_text, right_text  a meaning or a first paragraph; also left_gloss, right_gloss
left_url, right_url    where to look it up; also left_uri, right_uri
gold, gold_note        the answer that is expected, and what is said after it
=====================  ==================================================================================

A table of tuples has the columns pair1, pair2, … with numbers of pairs, or item1, item2, … with terms; and
gold_best, gold_worst, gold_note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from datasets.agreement.reading import LARGEST, rows_in
from datasets.annotation.errors import BadProject
from datasets.annotation.records import Answer, ItemSide, Kind, NewItem, Stimulus
from models.given import content_of
from training.benchmarks.declared import shipped
from training.benchmarks.read import read_any
from training.errors import BenchmarkError

_ALIASES = {
    "left": ("left", "term1", "word1"),
    "right": ("right", "term2", "word2"),
    "topic": ("topic", "context"),
    "group": ("group", "parts", "split"),
    "left_text": ("left_text", "left_gloss"),
    "right_text": ("right_text", "right_gloss"),
    "left_url": ("left_url", "left_uri"),
    "right_url": ("right_url", "right_uri"),
}
_YES = {"yes": 1.0, "related": 1.0, "true": 1.0, "no": 0.0, "unrelated": 0.0, "false": 0.0}
_BETWEEN = " – "

Row = tuple[int, Mapping[str, Any]]


def items_in(kind: Kind, pairs: Path | None, tuples: Path | None = None) -> list[NewItem]:
    """The items in files; of the four data sets, and other benchmarks that come declared, as released.

    Raises:
        BadProject: a file is no such table, or they do not fit together; the message says which line.
        OSError: a file cannot be read.
    """
    released = None if pairs is None or kind == "best-worst" else _released(pairs)
    if released is not None and tuples is None:
        return released
    read = None if pairs is None else content_of(pairs, LARGEST)
    of_tuples = None if tuples is None else content_of(tuples, LARGEST)
    return items_of(
        kind,
        None if pairs is None or read is None else (pairs.name, read),
        None if tuples is None or of_tuples is None else (tuples.name, of_tuples),
    )


def items_of(
    kind: Kind, pairs: tuple[str, bytes] | None, tuples: tuple[str, bytes] | None = None
) -> list[NewItem]:
    """The items in files that were read: the name and the content of each. Raises: BadProject."""
    if kind != "best-worst":
        if pairs is None or tuples is not None:
            raise BadProject("pairs are judged one by one from a table of pairs alone. Name that.")
        return _pairs(*pairs)
    if tuples is None:
        raise BadProject(
            "best and worst are chosen from tuples. `wort dataset select tuples` makes some of pairs."
        )
    return _tuples(*tuples, None if pairs is None else _numbered(*pairs))


def _released(path: Path) -> list[NewItem] | None:
    """The pairs of a benchmark that is declared under the name of the file, None where none is."""
    named = [
        one
        for one in shipped().values()
        if any(Path(file).name == path.name for form in one.forms for file in form.files)
    ]
    if not named:
        return None
    with _named(path.name):
        benchmark = read_any(named[0], path)
    if benchmark.kind not in ("concepts", "terms"):
        raise BadProject(f"{path.name} has no pairs of concepts or terms.")
    rows = ({"left": one.left, "right": one.right, "topic": one.topic} for one in benchmark.judgements)
    return _renamed([_pair(place, row) for place, row in enumerate(rows, start=1)])


def _pairs(name: str, content: bytes) -> list[NewItem]:
    with _named(name):
        items = [_pair(line, row) for line, row in rows_in(Path(name), content)]
    if not items:
        raise BadProject(f"{name} has no pairs. Is it the right file?")
    return _renamed(items)


def _numbered(name: str, content: bytes) -> dict[str, NewItem]:
    """The pairs of a table by their numbers, which are their places where it has none."""
    with _named(name):
        rows = list(rows_in(Path(name), content))
    items = _renamed([_pair(line, row) for line, row in rows])
    keys = [_text(row, "pair") or str(place) for place, (_, row) in enumerate(rows, start=1)]
    numbered = dict(zip(keys, items, strict=True))
    if len(numbered) < len(items):
        raise BadProject(f"{name}: two pairs have one number. Give each its own.")
    return numbered


def _tuples(name: str, content: bytes, pairs: Mapping[str, NewItem] | None) -> list[NewItem]:
    items: list[NewItem] = []
    with _named(name):
        for line, row in rows_in(Path(name), content):
            columns = [column for column in row if column[:4] in ("pair", "item") and column[4:].isdecimal()]
            cells = [text for column in columns if (text := _text(row, column))]
            asked = tuple(_asked(line, cell, columns[0][:4], pairs) for cell in cells)
            gold = Answer(
                best=_place(line, row, "gold_best", cells), worst=_place(line, row, "gold_worst", cells)
            )
            items.append(
                NewItem(
                    name=_text(row, "tuple") or str(len(items) + 1),
                    asked=asked,
                    gold=None if gold.unknown else gold,
                    note=_text(row, "gold_note"),
                )
            )
    if not items:
        raise BadProject(f"{name} has no tuples. Is it the right file?")
    return _renamed(items)


def _asked(line: int, cell: str, column: str, pairs: Mapping[str, NewItem] | None) -> Stimulus:
    if pairs is not None:
        if cell not in pairs:
            raise BadProject(f"line {line}: the table of pairs has none with the number {cell!r}.")
        return pairs[cell].asked[0]
    if column == "pair":
        raise BadProject("the tuples name pairs by their numbers. Name the table of pairs as well.")
    return Stimulus(cell, (ItemSide(cell),))


def _pair(line: int, row: Mapping[str, Any]) -> NewItem:
    left, right = _text(row, "left"), _text(row, "right")
    if not left or not right:
        has = ", ".join(list(row)[:20])
        raise BadProject(f"line {line} lacks a left or a right side. It has the columns {has}.")
    topic = _text(row, "topic")
    name = _text(row, "item") or f"{left}{_BETWEEN}{right}" + (f" ({topic})" if topic else "")
    sides = (
        ItemSide(left, _text(row, "left_text"), _text(row, "left_url")),
        ItemSide(right, _text(row, "right_text"), _text(row, "right_url")),
    )
    return NewItem(
        name=name,
        asked=(Stimulus(name, sides),),
        topic=topic or None,
        group=_text(row, "group") or None,
        gold=_gold(line, _text(row, "gold")),
        note=_text(row, "gold_note"),
    )


def _gold(line: int, text: str) -> Answer | None:
    if not text:
        return None
    try:
        return Answer(_YES[text.lower()] if text.lower() in _YES else float(text))
    except ValueError:
        raise BadProject(f"line {line}: the gold answer {text!r} is no judgement.") from None


def _place(line: int, row: Mapping[str, Any], column: str, cells: list[str]) -> int | None:
    text = _text(row, column)
    if not text:
        return None
    if text not in cells:
        raise BadProject(f"line {line}: {column} is {text!r}, which the tuple does not have.")
    return cells.index(text)


def _renamed(items: Sequence[NewItem]) -> list[NewItem]:
    """Items of one name told apart by numbers: TR9856 has some pairs twice in a topic."""
    seen: Counter[str] = Counter()
    taken = {item.name for item in items}
    renamed = []
    for item in items:
        seen[item.name] += 1
        if seen[item.name] > 1:
            name = f"{item.name} #{seen[item.name]}"
            while name in taken:
                seen[item.name] += 1
                name = f"{item.name} #{seen[item.name]}"
            taken.add(name)
            asked = item.asked
            if len(asked) == 1:
                asked = (msgspec.structs.replace(asked[0], name=name),)
            item = msgspec.structs.replace(item, name=name, asked=asked)  # noqa: PLW2901
        renamed.append(item)
    return renamed


def _text(row: Mapping[str, Any], column: str) -> str:
    for name in _ALIASES.get(column, (column,)):
        if row.get(name) is not None and (text := str(row[name]).strip()):
            return text
    return ""


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Errors say which file they are of."""
    try:
        yield
    except (BenchmarkError, BadProject) as error:
        raise BadProject(f"{name}: {str(error).removeprefix(f'{name}: ')}") from None
