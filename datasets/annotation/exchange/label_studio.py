"""Label Studio's JSON: a list of tasks, each with its ``data`` and its ``annotations``.

An annotation has ``completed_by`` and a ``result``: regions of a ``type``, with a ``value`` by it. Pairs are
judged by ``choices`` or a ``rating``; of best-worst scaling two choices are made, ``from_name`` best and
worst (labelstud.io/guide/task_format). One that ``was_cancelled`` is of who did not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from datasets.annotation.errors import UnusableExchange
from datasets.annotation.exchange.given import (
    Given,
    Named,
    chosen_of,
    object_in,
    objects_in,
    objects_of,
    text_in,
    value_of,
)
from datasets.annotation.owning import Said
from datasets.annotation.records import Answer, Project, ProjectItem

_NAME = "relatedness"


def write(project: Project, said: Sequence[Said], items: Sequence[ProjectItem]) -> bytes:
    """Tasks with their annotations, items in their order; those that nobody judged are there too.

    ``completed_by`` is an annotator's number. A repeated judgement is marked ``turn`` in its annotation.
    """
    of_item: dict[int, list[Said]] = {}
    for one in said:
        of_item.setdefault(one.item.id, []).append(one)
    asked = [item for item in items if item.gold is None or item.id in of_item]
    tasks = [
        {
            "id": item.id,
            "data": _data(item),
            "annotations": [_annotation(project, one) for one in of_item.get(item.id, [])],
            "predictions": [],
        }
        for item in asked
    ]
    return msgspec.json.format(msgspec.json.encode(tasks), indent=1) + b"\n"


def read(content: bytes, named: Named) -> list[Given]:
    """The judgements in such a file.

    Raises:
        UnusableExchange: it is none, or of other items.
    """
    judgements = []
    for where, task in objects_of(content, "export of Label Studio"):
        item = _item(where, object_in(where, task, "data"), named)
        for annotation in objects_in(where, task, "annotations"):
            cancelled = annotation.get("was_cancelled") is True
            result = [] if cancelled else objects_in(where, annotation, "result")
            answer = (_choice if len(item.asked) > 1 else _value)(where, result, item)
            turn = annotation.get("turn", 0)
            if turn not in (0, 1):
                raise UnusableExchange(f"{where}: the turn is neither 0 nor 1.")
            annotator = _completed_by(where, annotation)
            judgements.append(Given(annotator, item, named.answer(where, item, answer), int(turn)))
    return judgements


def _data(item: ProjectItem) -> dict[str, object]:
    named: dict[str, object] = {"item": item.name, "topic": item.topic, "group": item.group}
    if len(item.asked) > 1:
        return named | {f"item{place}": asked.name for place, asked in enumerate(item.asked, start=1)}
    left, right = item.asked[0].sides
    return named | {"left": left.name, "right": right.name}


def _annotation(project: Project, one: Said) -> dict[str, object]:
    answer, names = one.judgement.answer, [asked.name for asked in one.item.asked]
    result: list[dict[str, object]] = []
    if answer.value is not None and project.kind == "binary":
        result = [_region(_NAME, "choices", ["related" if answer.value else "unrelated"])]
    elif answer.value is not None:
        # A rating begins at 1, and a scale of ours may at 0: what was said stands in a choice.
        result = [_region(_NAME, "choices", [str(int(answer.value))])]
    elif answer.best is not None and answer.worst is not None:
        chosen = {"best": answer.best, "worst": answer.worst}
        result = [_region(name, "choices", [names[place]]) for name, place in chosen.items()]
    return {
        "id": one.judgement.id,
        "completed_by": one.annotator.number,
        "result": result,
        "was_cancelled": answer.unknown,
        "ground_truth": False,
        "created_at": one.judgement.at,
        "updated_at": one.judgement.at,
        "task": one.item.id,
        "turn": one.judgement.turn,
    }


def _region(name: str, kind: str, value: object) -> dict[str, object]:
    return {"from_name": name, "to_name": "pair", "type": kind, "value": {kind: value}}


def _item(where: str, data: Mapping[str, Any], named: Named) -> ProjectItem:
    if data.get("item"):
        return named.by_name(where, text_in(where, data, "item"))
    if named.project.kind == "best-worst":
        columns = [name for name in data if name.startswith("item") and name[4:].isdecimal()]
        return named.by_asked(where, [text_in(where, data, column) for column in columns])
    sides = text_in(where, data, "left"), text_in(where, data, "right")
    return named.by_sides(where, *sides, str(data.get("topic") or ""))


def _completed_by(where: str, annotation: Mapping[str, Any]) -> str:
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        return text_in(where, by, "email", "id")
    return text_in(where, annotation, "completed_by")


def _value(where: str, result: Sequence[Mapping[str, Any]], item: ProjectItem) -> Answer:
    if not result:
        return Answer()
    if len(result) > 1:
        raise UnusableExchange(f"{where}: {len(result)} answers to {item.name!r} in one annotation.")
    return value_of(where, _chosen(where, result[0]))


def _choice(where: str, result: Sequence[Mapping[str, Any]], item: ProjectItem) -> Answer:
    chosen = {str(region.get("from_name")): str(_chosen(where, region)) for region in result}
    names = [asked.name for asked in item.asked]
    return chosen_of(where, chosen.get("best", ""), chosen.get("worst", ""), names)


def _chosen(where: str, region: Mapping[str, Any]) -> object:
    kind = str(region.get("type"))
    value = object_in(where, region, "value").get(kind)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str | int | float):
        raise UnusableExchange(f"{where}: a region of the type {kind[:50]!r} is no choice and no rating.")
    return value
