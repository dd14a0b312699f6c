"""Projects for tests of the pages, and a service that has them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx
import msgspec

from datasets.annotation.defaults import settings_of
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer, ItemSide, Kind, NewItem, Stimulus
from tests.support.served import serving, toy_app

T = TypeVar("T")

URL = "https://en.wikipedia.org/wiki/"
TITLE = "What belongs together"


def pairs(number: int) -> list[NewItem]:
    """Items of one pair each, with topics and glosses."""
    return [
        NewItem(
            name=f"pair {place}",
            asked=(Stimulus(f"pair {place}", (_side(f"Left {place}"), _side(f"Right {place}"))),),
            topic=f"Topic {place % 3}",
        )
        for place in range(number)
    ]


def tuples(number: int, size: int = 4) -> list[NewItem]:
    """Items of four pairs each."""
    return [
        NewItem(
            name=f"tuple {place}",
            asked=tuple(
                Stimulus(
                    f"{place}.{each}", (ItemSide(f"one {place}.{each}"), ItemSide(f"other {place}.{each}"))
                )
                for each in range(size)
            ),
        )
        for place in range(number)
    ]


def gold(name: str, expected: Answer, note: str = "") -> NewItem:
    """A question whose answer is known."""
    asked = (Stimulus(name, (ItemSide(f"{name} left"), ItemSide(f"{name} right"))),)
    return NewItem(name=name, asked=asked, gold=expected, note=note)


class Made(NamedTuple):
    """A project in a database, with the tokens of an owner's link and of an invitation."""

    url: str
    number: int
    owner: str
    invitation: str

    def ask(self, ask: Callable[[Projects], T]) -> T:
        """What the database answers, past the service."""
        with Projects.open(self.url) as projects:
            return ask(projects)

    def stored(self, **with_: bool) -> list[tuple[str, str, str, Answer]]:
        """Who said what of what, under which key, in the order of time."""
        return self.ask(
            lambda projects: [
                (one.annotator.label, one.item.name, one.judgement.key, one.judgement.answer)
                for one in projects.said(self.number, **with_)
            ]
        )


def make(url: str, kind: Kind, items: list[NewItem], guidelines: str | None = None, **settings: Any) -> Made:
    """Make a project."""
    given = msgspec.structs.replace(settings_of(kind), **settings)
    with Projects.open(url) as projects:
        project, owner = projects.create(TITLE, kind, items, given, guidelines)
        _, invitation = projects.invite(project.id, "invitation")
    return Made(url, project.id, owner, invitation)


@contextmanager
def annotation_served(folder: Path, url: str, **settings: Any) -> Iterator[str]:
    """The address of the service over the toy wiki, with the projects at ``url``."""
    with serving(toy_app(folder, annotation=url, **settings)) as address:
        yield address


def begun(http: httpx.Client, made: Made) -> str:
    """The path of the page of a new annotator."""
    answer = http.post(f"/annotation/invitation/{made.invitation}", data={"key": str(uuid.uuid4())})
    assert answer.status_code == 303, answer.text
    return str(httpx.URL(str(answer.url)).join(answer.headers["location"]).path)


def fields(html: str) -> dict[str, str]:
    """The hidden fields of the item that a page shows."""
    found = re.findall(r'<input type="hidden" name="(item|turn|key)" value="([^"]*)">', html)
    assert {name for name, _ in found} == {"item", "turn", "key"}
    return dict(found)


def submission(card: dict[str, Any], **answer: Any) -> dict[str, Any]:
    """An answer to a card, as a page's script sends it."""
    return {"key": str(uuid.uuid4()), "item": card["item"], "turn": card["turn"], **answer}


def _side(name: str) -> ItemSide:
    return ItemSide(name, f"What {name} is.", URL + name.replace(" ", "_"))
