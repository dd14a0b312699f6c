"""Potato's annotations: an object an annotated instance, as JSON lines or a list.

An instance has ``user_id``, ``instance_id`` and ``label_annotations``: by the name of a scheme its labels
with their values. Of a radio or Likert scheme one label is chosen; of ``bws`` the labels ``best`` and
``worst`` name positions, A, B, …, of ``_bws_items``, as Potato's tuples have them
(docs/annotation-types/comparison/bws.md and potato/bws_tuple_generator.py of davidjurgens/potato).
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

SCHEME = "relatedness"
"""The name of the scheme in what is written; what is read may have any, if it is the only one."""


def write(project: Project, said: Sequence[Said], items: Sequence[ProjectItem]) -> bytes:
    """Annotated instances as JSON lines, in the order of time; repetitions are marked ``turn``."""
    return b"".join(msgspec.json.encode(_instance(project, one)) + b"\n" for one in said)


def read(content: bytes, named: Named) -> list[Given]:
    """The judgements in such a file.

    Raises:
        UnusableExchange: it is none, or of other items.
    """
    judgements = []
    for where, one in objects_of(content, "export of Potato"):
        annotator = text_in(where, one, "user_id", "user", "annotator")
        item = named.by_name(where, text_in(where, one, "instance_id", "id"))
        schemes = object_in(where, one, "label_annotations")
        if len(schemes) > 1 and SCHEME not in schemes:
            raise UnusableExchange(f"{where} has several schemes. Name that of relatedness {SCHEME!r}.")
        scheme = SCHEME if SCHEME in schemes or not schemes else next(iter(schemes))
        labels = object_in(where, schemes, scheme)
        chosen = _choice if named.project.kind == "best-worst" else _label
        answer = named.answer(where, item, chosen(where, one, labels, item))
        turn = one.get("turn", 0)
        if turn not in (0, 1):
            raise UnusableExchange(f"{where}: the turn is neither 0 nor 1.")
        judgements.append(Given(annotator, item, answer, int(turn)))
    return judgements


def _instance(project: Project, one: Said) -> dict[str, object]:
    answer = one.judgement.answer
    labels: dict[str, object] = {}
    if answer.value is not None:
        value = int(answer.value)
        labels = {_binary(value): "true"} if project.kind == "binary" else {str(value): str(value)}
    elif answer.best is not None and answer.worst is not None:
        labels = {"best": _letter(answer.best), "worst": _letter(answer.worst)}
    instance: dict[str, object] = {
        "user_id": one.annotator.label,
        "instance_id": one.item.name,
        "displayed_text": one.item.name,
        "label_annotations": {SCHEME: labels},
        "span_annotations": {},
        "turn": one.judgement.turn,
    }
    if project.kind == "best-worst":
        instance["_bws_items"] = [
            {"source_id": asked.name, "text": asked.name, "position": _letter(place)}
            for place, asked in enumerate(one.item.asked)
        ]
    return instance


def _binary(value: int) -> str:
    return "related" if value else "unrelated"


def _letter(place: int) -> str:
    return chr(ord("A") + place)


def _label(where: str, _: Mapping[str, Any], labels: Mapping[str, Any], item: ProjectItem) -> Answer:
    """The one label that is chosen: by its name, or where names only number a scale, by its value."""
    chosen = [(name, value) for name, value in labels.items() if _is_chosen(value)]
    if not chosen:
        return Answer()
    if len(chosen) > 1:
        raise UnusableExchange(f"{where}: {len(chosen)} labels are chosen, and one is asked.")
    name, value = chosen[0]
    try:
        return value_of(where, name)
    except UnusableExchange:
        return value_of(where, value)


def _is_chosen(value: object) -> bool:
    if isinstance(value, bool | int | float):
        return bool(value)
    return isinstance(value, str) and value.strip().lower() not in ("", "false", "off", "no", "null")


def _choice(where: str, one: Mapping[str, Any], labels: Mapping[str, Any], item: ProjectItem) -> Answer:
    names = [asked.name for asked in item.asked]
    positions = {
        text_in(where, shown, "position"): text_in(where, shown, "source_id", "text")
        for shown in objects_in(where, one, "_bws_items")
    } or {_letter(place): name for place, name in enumerate(names)}
    said = [str(labels.get(label) or "") for label in ("best", "worst")]
    best, worst = (positions.get(position, position) for position in said)
    return chosen_of(where, best, worst, names)
