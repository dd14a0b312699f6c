"""What files of judgements have in common: who said what of which item of a project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from datasets.annotation.checking import checked_answer
from datasets.annotation.errors import BadAnswer, UnusableExchange
from datasets.annotation.records import Answer, Project, ProjectItem
from datasets.written_answers import NO, NONE, YES


class Given(NamedTuple):
    """A judgement from a file: who gave it, of which item, and what; in which turn."""

    annotator: str
    item: ProjectItem
    answer: Answer
    turn: int = 0


class Named:
    """The items of a project by what files call them."""

    def __init__(self, project: Project, items: Iterable[ProjectItem]) -> None:
        self.project = project
        self._by_name = {item.name: item for item in items}
        self._by_sides: dict[tuple[str, ...], list[ProjectItem]] = {}
        self._in_topics: dict[tuple[str, ...], list[ProjectItem]] = {}
        for item in self._by_name.values():
            topic, *sides = _sides(item)
            self._by_sides.setdefault((topic, *sides), []).append(item)
            self._in_topics.setdefault(tuple(sides), []).append(item)

    def by_name(self, where: str, name: str) -> ProjectItem:
        """The item of a name. Raises: UnusableExchange."""
        if name not in self._by_name:
            raise self._lacks(where, name)
        return self._by_name[name]

    def by_sides(self, where: str, left: str, right: str, topic: str = "", before: int = 0) -> ProjectItem:
        """The item of a pair; where there are several, after so many ``before``.

        Without a topic it is the one that has these sides, whatever its topic.

        Raises:
            UnusableExchange: there is none, or without a topic there are several.
        """
        items = self._by_sides.get((topic, left, right), [])
        if not items and not topic:
            items = self._in_topics.get((left, right), [])
            if len(items) > 1:
                raise UnusableExchange(
                    f"{where}: the project {self.project.id} has {len(items):,} items "
                    f"{f'{left} – {right}'[:200]!r}, of several topics. Name the topic in a column `topic`."
                )
        if before >= len(items):
            raise self._lacks(where, f"{left} – {right}")
        return items[before]

    def by_asked(self, where: str, names: Sequence[str]) -> ProjectItem:
        """The item of best-worst scaling that asks about these, in any order. Raises: UnusableExchange."""
        items = self._by_sides.get(("", *sorted(names)))
        if not items:
            raise self._lacks(where, ", ".join(names))
        return items[0]

    def answer(self, where: str, item: ProjectItem, answer: Answer) -> Answer:
        """The answer, which the item takes. Raises: UnusableExchange."""
        try:
            return checked_answer(answer, self.project.kind, self.project.settings, len(item.asked))
        except BadAnswer as error:
            raise UnusableExchange(f"{where}: {error}") from None

    def _lacks(self, where: str, name: str) -> UnusableExchange:
        return UnusableExchange(
            f"{where}: the project {self.project.id} has no item {name[:200]!r}. Import into the project "
            "that the items were taken from."
        )


def value_of(where: str, text: object) -> Answer:
    """The answer that a cell or a label says, of a pair. Raises: UnusableExchange."""
    cell = "" if text is None else str(text).strip().lower()
    if cell in NONE:
        return Answer()
    if cell in YES | NO:
        return Answer(float(cell in YES))
    try:
        return Answer(float(cell))
    except ValueError:
        raise UnusableExchange(f"{where}: {cell[:100]!r} is no judgement.") from None


def chosen_of(where: str, best: str, worst: str, names: Sequence[str]) -> Answer:
    """The answer that names the best and the worst of ``names``. Raises: UnusableExchange."""
    if not best and not worst:
        return Answer()
    if best not in names or worst not in names:
        raise UnusableExchange(f"{where}: best or worst is none of those that were to be chosen from.")
    return Answer(best=names.index(best), worst=names.index(worst))


def objects_of(content: bytes, what: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The objects of a JSON list, or of JSON lines, each with where it stands.

    Raises:
        UnusableExchange: it is neither.
    """
    text = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    try:
        if text.startswith(b"["):
            listed = msgspec.json.decode(text, type=list[dict[str, Any]])
            return [(f"element {place}", one) for place, one in enumerate(listed, start=1)]
        return [
            (f"line {line}", msgspec.json.decode(one, type=dict[str, Any]))
            for line, one in enumerate(text.split(b"\n"), start=1)
            if one.strip()
        ]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnusableExchange(f"this is no {what}: {error}. Export it again.") from None


def text_in(where: str, found: Mapping[str, Any], *names: str) -> str:
    """The text or number under the first of ``names`` that there is. Raises: UnusableExchange."""
    for name in names:
        value = found.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    raise UnusableExchange(f"{where} lacks {' or '.join(names)}.")


def object_in(where: str, found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object under a name, an empty one where there is none. Raises: UnusableExchange."""
    value = found.get(name, {})
    if not isinstance(value, dict):
        raise UnusableExchange(f"{where}: {name} is no object.")
    return value


def objects_in(where: str, found: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The list of objects under a name, empty where there is none. Raises: UnusableExchange."""
    value = found.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise UnusableExchange(f"{where}: {name} is no list of objects.")
    return value


def _sides(item: ProjectItem) -> tuple[str, ...]:
    if len(item.asked) > 1:
        return ("", *sorted(asked.name for asked in item.asked))
    return (item.topic or "", *(side.name for side in item.asked[0].sides))
