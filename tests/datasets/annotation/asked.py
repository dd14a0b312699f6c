"""Projects for tests: items of each kind, annotators, and answers with keys."""

from __future__ import annotations

import uuid
from typing import Any

from datasets.annotation.projects import Projects
from datasets.annotation.records import (
    Answer,
    Desk,
    ItemSide,
    Kind,
    NewItem,
    Project,
    ProjectSettings,
    Receipt,
    Stimulus,
)


def pair(left: str, right: str, gold: Answer | None = None, **more: Any) -> NewItem:
    """A pair as an item."""
    name = f"{left} – {right}"
    return NewItem(name=name, asked=(Stimulus(name, (ItemSide(left), ItemSide(right))),), gold=gold, **more)


def pairs(count: int, gold: int = 0) -> list[NewItem]:
    """So many pairs, and so many gold questions whose answer is 1."""
    items = [pair(f"left {at}", f"right {at}", topic=f"topic {at % 3}") for at in range(count)]
    return items + [pair(f"gold {at}", "known", Answer(1), note=f"because {at}") for at in range(gold)]


def tuples(count: int, size: int = 4, gold: Answer | None = None) -> list[NewItem]:
    """So many tuples of terms, of which each is in several."""
    return [
        NewItem(
            name=f"tuple {at}",
            asked=tuple(
                Stimulus(f"term {at + place}", (ItemSide(f"term {at + place}"),)) for place in range(size)
            ),
            gold=gold,
        )
        for at in range(count)
    ]


def items_of(kind: Kind, count: int) -> list[NewItem]:
    """So many items of a kind."""
    return tuples(count) if kind == "best-worst" else pairs(count)


def settings(kind: Kind = "binary", **more: Any) -> ProjectSettings:
    """Settings of a kind that ask for two judgements an item."""
    return ProjectSettings(**({"wanted": 2} | ({"high": 4} if kind == "graded" else {}) | more))


def made(projects: Projects, kind: Kind = "binary", count: int = 5, **more: Any) -> Project:
    """A project of a kind with so many items."""
    return projects.create("A test", kind, items_of(kind, count), settings(kind, **more))[0]


def joined(projects: Projects, project: Project) -> str:
    """The token of a new annotator."""
    _, invitation = projects.invite(project.id, "invitation")
    return projects.begin(invitation, new_key())[1]


def new_key() -> str:
    """A key for an answer or a click."""
    return str(uuid.uuid4())


def some_answer(kind: Kind, number: int = 1) -> Answer:
    """An answer that items of a kind take, one of two."""
    if kind == "best-worst":
        return Answer(best=number % 2, worst=2 + number % 2)
    return Answer(number % 2)


def answer(projects: Projects, token: str, said: Answer, desk: Desk | None = None) -> Receipt:
    """Answer what is shown first."""
    shown = (desk or projects.desk(token)).shown[0]
    return projects.submit(token, shown.item, shown.turn, said, new_key())
