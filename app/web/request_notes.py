"""What the parts of the service note of a request, for those that count and log it."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

from starlette.types import Scope

from app.serving.keyring import Caller
from app.web.problems import ProblemKind

_PLACE = "wort"

Scored = Literal["concepts", "terms"]

_ANSWERED: ContextVar[Notes | None] = ContextVar("answered", default=None)


@dataclass(slots=True)
class Notes:
    """Of one request: whose key it has, the kind of problem that answered it, how many pairs were scored."""

    caller: Caller | None = None
    problem: str | None = None
    pairs: dict[Scored, int] = field(default_factory=dict)


def notes_of(scope: Scope) -> Notes:
    """The notes of a request. Whoever has its scope, or a copy of it, reads and writes the same."""
    notes: Notes | None = scope.setdefault("state", {}).get(_PLACE)
    if notes is None:
        notes = scope["state"][_PLACE] = Notes()
    return notes


def answering(scope: Scope) -> Notes:
    """Begin the notes of the request that is answered from here on, on whichever thread."""
    notes = scope.setdefault("state", {})[_PLACE] = Notes()
    _ANSWERED.set(notes)
    return notes


def note_pairs(number: int, scored: Scored = "concepts") -> None:
    """Note that ``number`` more pairs were scored for the request that is answered here."""
    notes = _ANSWERED.get()
    if notes is not None:
        notes.pairs[scored] = notes.pairs.get(scored, 0) + number


def note_problem(scope: Scope, kind: ProblemKind) -> None:
    """Note which kind of problem answers a request."""
    notes_of(scope).problem = kind.name or str(kind.status)
