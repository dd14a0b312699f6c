"""What a project takes: its settings, its items, and the answers to them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from datasets.annotation.errors import BadAnswer, BadProject
from datasets.annotation.records import Answer, Kind, NewItem, ProjectSettings
from models.registry.entries import checked_text
from models.registry.errors import BadEntry

T = TypeVar("T", bound=msgspec.Struct)

LONGEST_TITLE = 200
"""Characters of a project's title."""

LONGEST_DETAIL = 1000
"""Characters of what an annotator says of themselves, a detail."""

FEWEST, MOST = 3, 10
"""How many pairs or terms an item of best-worst scaling has."""

_WEB = re.compile(r"https?://[^\s]+")


def checked_title(title: str) -> str:
    """A project's title. Raises: BadProject."""
    if len(title) > LONGEST_TITLE or "\n" in title:
        raise BadProject(f"a title is one line of at most {LONGEST_TITLE} characters. Shorten it.")
    return words(title, "the title", needed=True).strip()


def checked_settings(settings: ProjectSettings, kind: Kind) -> ProjectSettings:
    """The settings of a project of a kind. Raises: BadProject."""
    converted = _converted(settings, "the settings")
    if kind == "graded" and not converted.low < converted.high:
        raise BadProject(
            f"the scale goes from {converted.low} to {converted.high}. Name a lower and a higher end."
        )
    if kind != "graded" and (converted.low, converted.high) != (0, 1):
        raise BadProject("only graded judgements have a scale. Leave its ends at 0 and 1.")
    if len(set(converted.details)) < len(converted.details):
        raise BadProject("a detail is asked for twice. Name each once.")
    for detail in converted.details:
        words(detail, "what annotators are asked of themselves")
    return converted


def checked_items(items: Iterable[NewItem], kind: Kind, settings: ProjectSettings) -> list[NewItem]:
    """The items of a project. Raises: BadProject."""
    converted = [_converted(item, f"item {place}") for place, item in enumerate(items, start=1)]
    names: set[str] = set()
    for item in converted:
        _check_item(item, kind, settings)
        if item.name in names:
            raise BadProject(f"the item {item.name!r} stands there twice. Each needs a name of its own.")
        names.add(item.name)
    if all(item.gold is not None for item in converted):
        raise BadProject("there is no item to be judged, but for gold questions. Is it the right file?")
    return converted


def checked_answer(answer: Answer, kind: Kind, settings: ProjectSettings, size: int) -> Answer:
    """An answer to an item of ``size`` pairs or terms. Raises: BadAnswer."""
    if answer.unknown:
        return answer
    if kind == "best-worst":
        places = answer.best, answer.worst
        named = all(isinstance(place, int) and 0 <= place < size for place in places)
        if answer.value is not None or not named or answer.best == answer.worst:
            raise BadAnswer(f"name a best and another worst, each from 0 to {size - 1}, or neither.")
        return answer
    low, high = settings.low, settings.high
    value = answer.value
    if (
        value is None
        or answer.best is not None
        or answer.worst is not None
        or value not in range(low, high + 1)
    ):
        raise BadAnswer(f"the answer is a whole number from {low} to {high}, or nothing.")
    return Answer(float(value))


def checked_key(key: str) -> str:
    """A UUID, as its sender made it, in its usual form. Raises: BadAnswer."""
    try:
        return str(uuid.UUID(key))
    except (ValueError, AttributeError):
        raise BadAnswer("the key is no UUID. Make a new one for each answer.") from None


def checked_details(given: Mapping[str, str], asked: Iterable[str]) -> dict[str, str]:
    """What an annotator says of themselves, of what they are asked. Raises: BadAnswer."""
    wanted = tuple(asked)
    if given.keys() - set(wanted):
        raise BadAnswer("details that the owner does not ask for are not kept. Leave them out.")
    details = {}
    for name in wanted:
        if text := given.get(name, "").strip():
            if len(text) > LONGEST_DETAIL:
                raise BadAnswer(f"{name} has at most {LONGEST_DETAIL:,} characters. Shorten it.")
            try:
                details[name] = checked_text(text, name)
            except BadEntry as error:
                raise BadAnswer(str(error)) from None
    return details


def words(text: str, what: str, *, needed: bool = False) -> str:
    """A text for people, as a registry takes it. Raises: BadProject."""
    try:
        return checked_text(text, what, needed=needed)
    except BadEntry as error:
        raise BadProject(str(error)) from None


def _converted(record: T, what: str) -> T:
    """The record with its fields checked, which making one does not."""
    try:
        return msgspec.convert(msgspec.to_builtins(record), type(record))
    except msgspec.ValidationError as error:
        raise BadProject(f"{what}: {error}.") from None


def _check_item(item: NewItem, kind: Kind, settings: ProjectSettings) -> None:
    name = f"the item {item.name!r}"
    texts = [item.name, item.topic or "", item.group or "", item.note]
    for asked in item.asked:
        texts += [asked.name, *(text for side in asked.sides for text in (side.name, side.gloss, side.url))]
        if any(side.url and _WEB.fullmatch(side.url) is None for side in asked.sides):
            raise BadProject(f"{name} has an address that is none of the web's. Begin it with https://.")
    for text in texts:
        words(text, name)
    if kind == "best-worst":
        if not FEWEST <= len(item.asked) <= MOST:
            raise BadProject(f"{name} has {len(item.asked)} to choose among; {FEWEST} to {MOST} are asked.")
        if len({asked.name for asked in item.asked}) < len(item.asked):
            raise BadProject(f"{name} has one pair or term twice. Name different ones.")
    elif len(item.asked) != 1 or len(item.asked[0].sides) != 2:
        raise BadProject(f"{name} is no pair. Name its left and its right side.")
    if item.gold is not None:
        _check_gold(item, kind, settings)


def _check_gold(item: NewItem, kind: Kind, settings: ProjectSettings) -> None:
    gold, size = item.gold or Answer(), len(item.asked)
    if gold.unknown:
        raise BadProject(f"the item {item.name!r} is a gold question without an answer. Name one.")
    if kind == "best-worst" and gold.value is None and None in (gold.best, gold.worst):
        # One of the two alone may be beyond doubt; the other one is any.
        there = gold.worst if gold.best is None else gold.best
        other = next(place for place in range(size) if place != there)
        gold = Answer(best=other, worst=there) if gold.best is None else Answer(best=there, worst=other)
    try:
        checked_answer(gold, kind, settings, size)
    except BadAnswer as error:
        raise BadProject(f"the gold question {item.name!r}: {error}") from None
