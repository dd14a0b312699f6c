"""Every format by its name: how a project is written in it, and judgements read from it."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from datasets.annotation.errors import BadProject
from datasets.annotation.exchange import label_studio, potato, released, table
from datasets.annotation.exchange.given import Given, Named
from datasets.annotation.owning import Said
from datasets.annotation.projects import Projects
from datasets.annotation.records import Project, ProjectItem
from datasets.annotation.taking_in import ImportedJudgement

Writer = Callable[[Project, Sequence[Said], Sequence[ProjectItem]], bytes]

_WRITERS: dict[str, Writer] = {
    "csv": table.write,
    "items": table.write_items,
    "potato": potato.write,
    "label-studio": label_studio.write,
    "tr9856": released.tr9856,
}
_OF_SCORES = {"word": released.word, "bird": released.bird, "zesch-gurevych": released.zesch_gurevych}
_READERS: dict[str, Callable[[bytes, Named], list[Given]]] = {
    "csv": table.read,
    "potato": potato.read,
    "label-studio": label_studio.read,
    "tr9856": released.read_tr9856,
}

EXPORTS = (*_WRITERS, *_OF_SCORES)
"""What a project can be exported as."""

IMPORTS = tuple(_READERS)
"""What judgements can be imported from."""

ENDINGS = {"csv": ".csv", "items": ".csv", "potato": ".jsonl", "label-studio": ".json", "tr9856": ".csv"}
"""How the name of a file of a format ends; that of the others as their data sets have it."""


def exported(projects: Projects, number: int, format_: str, *, gold: bool = False) -> bytes:
    """A project as a file. Refused annotators and answers that were taken back are left out.

    ``gold``: with the answers to gold questions, in the formats that have judgements.

    Raises:
        UnknownProject: there is none of that number.
        BadProject: there is no such format, or it cannot hold this project.
    """
    project = projects.project(number)
    items = projects.items(number)
    if format_ in _OF_SCORES:
        # What measures agreement takes seconds to load, and tables of judgements do without.
        from datasets.annotation.agreement import agreement_of  # noqa: PLC0415

        return _OF_SCORES[format_](project, agreement_of(projects, number), items)
    if format_ not in _WRITERS:
        raise BadProject(f"there is no format {format_!r}. There are {', '.join(EXPORTS)}.")
    return _WRITERS[format_](project, projects.said(number, gold=gold), items)


def imported(projects: Projects, number: int, format_: str, content: bytes) -> tuple[int, int]:
    """Add the judgements of a file to a project: how many are new, and how many were there already.

    Each annotator of the file becomes one of the project; the same file a second time adds nothing.

    Raises:
        UnknownProject: there is none of that number.
        BadProject: there is no such format.
        UnusableExchange: the file cannot be understood, or is of other items; nothing was added.
    """
    if format_ not in _READERS:
        raise BadProject(f"{format_!r} cannot be imported. There are {', '.join(IMPORTS)}.")
    named = Named(projects.project(number), projects.items(number))
    given = _READERS[format_](content, named)
    return projects.take_in(number, _keyed(format_, given))


def _keyed(format_: str, given: Iterable[Given]) -> list[ImportedJudgement]:
    """Judgements with keys by which the same ones are known when they come again."""
    space = uuid.uuid5(uuid.NAMESPACE_URL, f"wort:{format_}")
    seen: Counter[tuple[str, int]] = Counter()
    judgements = []
    for one in given:
        of = one.annotator, one.item.id
        # Files that mark no repetition have the same item of the same annotator again.
        turn = max(one.turn, seen[of])
        seen[of] = turn + 1
        judgements.append(
            ImportedJudgement(one.annotator, one.item.id, turn, one.answer, _key(space, one, turn))
        )
    return judgements


def _key(space: uuid.UUID, one: Given, turn: int) -> str:
    return str(uuid.uuid5(space, "\0".join((one.annotator, one.item.name, str(turn)))))
