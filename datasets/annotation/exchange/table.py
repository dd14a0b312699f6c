"""CSV of who said what, which ``wort dataset agree`` reads as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets.agreement.reading import rows_in
from datasets.annotation.errors import UnusableExchange
from datasets.annotation.exchange.given import Given, Named, chosen_of, text_in, value_of
from datasets.annotation.owning import Said
from datasets.annotation.records import Answer, Project, ProjectItem
from datasets.selection.selection import SelectionTable, as_csv
from training.errors import BenchmarkError

_PAIRS = ("annotator", "item", "left", "right", "topic", "group", "judgement", "turn", "at")


def write(project: Project, said: Sequence[Said], items: Sequence[ProjectItem]) -> bytes:
    """A row a judgement, in the order of time; who did not know is a blank one.

    Of best-worst scaling such answers are left out, since a row names a best and a worst.
    """
    if project.kind != "best-worst":
        return as_csv(SelectionTable(_PAIRS, [_row(one) for one in said]))
    size = max((len(item.asked) for item in items), default=0)
    places = [f"item{place}" for place in range(1, size + 1)]
    rows: list[tuple[object, ...]] = []
    for annotator, item, judgement in said:
        names = [asked.name for asked in item.asked]
        if judgement.best is not None and judgement.worst is not None:
            chosen = names[judgement.best], names[judgement.worst]
            filled = [*names, *([None] * (size - len(names)))]
            rows.append((annotator.label, item.name, *filled, *chosen, judgement.turn, judgement.at))
    return as_csv(SelectionTable(("annotator", "tuple", *places, "best", "worst", "turn", "at"), rows))


def write_items(project: Project, said: Sequence[Said], items: Sequence[ProjectItem]) -> bytes:
    """What is judged: a row a pair, for ``wort dataset agree --items``; terms have no sides, and no row."""
    asked = {one.name: (one, item) for item in items if item.gold is None for one in item.asked}
    rows = [
        (name, *(side.name for side in one.sides), item.topic, item.group)
        for name, (one, item) in asked.items()
        if len(one.sides) == 2
    ]
    return as_csv(SelectionTable(("item", "left", "right", "topic", "group"), rows))


def read(content: bytes, named: Named) -> list[Given]:
    """The judgements in such a file.

    Raises:
        UnusableExchange: it is none, or of other items.
    """
    judgements = []
    try:
        for line, row in rows_in(Path("judgements.csv"), content):
            where = f"line {line}"
            annotator = text_in(where, row, "annotator")
            turn = value_of(where, row.get("turn") or 0).value or 0.0
            if turn not in (0.0, 1.0):
                raise UnusableExchange(f"{where}: the turn is neither 0 nor 1.")
            if named.project.kind == "best-worst":
                item, answer = _choice(where, row, named)
            else:
                item = _pair(where, row, named)
                if "judgement" not in row:
                    raise UnusableExchange(f"{where} lacks the column judgement.")
                answer = value_of(where, row["judgement"])
            judgements.append(Given(annotator, item, named.answer(where, item, answer), int(turn)))
    except BenchmarkError as error:
        raise UnusableExchange(str(error)) from None
    return judgements


def _row(one: Said) -> tuple[object, ...]:
    left, right = one.item.asked[0].sides
    value = one.judgement.value
    judgement = None if value is None else int(value)
    of = (one.item.name, left.name, right.name, one.item.topic, one.item.group)
    return (one.annotator.label, *of, judgement, one.judgement.turn, one.judgement.at)


def _pair(where: str, row: Mapping[str, Any], named: Named) -> ProjectItem:
    if row.get("item"):
        return named.by_name(where, text_in(where, row, "item"))
    sides = text_in(where, row, "left"), text_in(where, row, "right")
    return named.by_sides(where, *sides, str(row.get("topic") or "").strip())


def _choice(where: str, row: Mapping[str, Any], named: Named) -> tuple[ProjectItem, Answer]:
    columns = [column for column in row if column.startswith("item") and column[4:].isdecimal()]
    asked = [text for column in columns if (text := str(row[column] or "").strip())]
    item = named.by_name(where, str(row["tuple"])) if row.get("tuple") else named.by_asked(where, asked)
    names = [one.name for one in item.asked]
    best, worst = (str(row.get(column) or "").strip() for column in ("best", "worst"))
    return item, chosen_of(where, best, worst, names)
