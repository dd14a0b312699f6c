"""What annotation projects keep and tell: projects, items, links, annotators, showings, judgements."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Kind = Literal["binary", "graded", "best-worst"]
"""Related or not; a number on a scale; the most and the least related of a few."""

Sides = Literal["concepts", "terms"]
"""What the sides of a pair are: articles of a Wikipedia, or words."""

Direction = Literal["ltr", "rtl"]
"""How the language of the sides is written."""

Scope = Literal["owner", "invitation", "annotator"]
"""What a link opens: a project's administration; its guidelines, where one begins; one annotator's desk."""

Number = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Natural = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Time = Annotated[str, Meta(max_length=32)]
"""ISO 8601 in UTC, to the second."""
Digest = Annotated[str, Meta(max_length=64)]
"""SHA-256, in hex."""
Share = Annotated[float, Meta(ge=0, le=1)]


class ProjectSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a project asks. ``defaults.settings_for`` has what each kind of task begins with.

    ``wanted``: judgements that each item needs. ``low``, ``high``: the ends of the scale, in whole steps; 0
    and 1 where related or not is asked. ``language``: of the sides, as a code. ``gold_share``: of what an
    annotator is shown, this share are gold questions, as long as there are any; ``gold_threshold``: who
    answers a smaller share of them as expected is refused, from ``gold_minimum`` answers on;
    ``gold_tolerance``: how far from the expected grade an answer may be. ``repeat_share``: of the items that
    an annotator judged, so many are asked again, ``repeat_after`` seconds later at the earliest.
    ``session``: after so many answers a break is offered. ``hold``: for so many seconds an item that is shown
    to somebody counts as if it were judged already. ``details``: what annotators are asked of themselves.
    """

    wanted: Annotated[int, Meta(ge=1, le=1000)]
    low: Annotated[int, Meta(ge=0, le=100)] = 0
    high: Annotated[int, Meta(ge=1, le=100)] = 1
    sides: Sides = "terms"
    language: Annotated[str, Meta(min_length=1, max_length=35)] = "en"
    gold_share: Share = 0.0
    gold_threshold: Share = 0.7
    gold_minimum: Annotated[int, Meta(ge=1, le=1000)] = 5
    gold_tolerance: Annotated[int, Meta(ge=0, le=100)] = 0
    repeat_share: Share = 0.0
    repeat_after: Annotated[int, Meta(ge=0, le=366 * 86_400)] = 86_400
    session: Annotated[int, Meta(ge=1, le=10_000)] = 50
    hold: Annotated[int, Meta(ge=0, le=86_400)] = 600
    details: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=100)], ...], Meta(max_length=20)
    ] = ()


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """A project. ``closed``: since when nothing is asked, None while it is open.

    ``annotators``: how many ever began; the last one has this number, whoever was deleted since.
    """

    id: Number
    title: str
    kind: Kind
    guidelines: str
    settings: ProjectSettings
    created: Time
    closed: Time | None
    annotators: Natural

    @property
    def direction(self) -> Direction:
        """How the language of the sides is written."""
        return "rtl" if self.settings.language.lower().split("-")[0] in _RIGHT_TO_LEFT else "ltr"


_RIGHT_TO_LEFT = frozenset(
    {"ar", "arc", "arz", "azb", "bgn", "ckb", "dv", "fa", "glk", "he", "ks"}
    | {"lrc", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi"}
)
"""The languages that are written from right to left, as Wikipedias have their codes."""


class ItemSide(msgspec.Struct, frozen=True):
    """One side of a stimulus.

    ``gloss``: its meaning or an article's first paragraph; ``url``: where to look it up; "" without.
    """

    name: Annotated[str, Meta(min_length=1)]
    gloss: str = ""
    url: str = ""


class Stimulus(msgspec.Struct, frozen=True):
    """What people judge: a pair, of two sides, or a term, of one. ``name``: what exports call it."""

    name: Annotated[str, Meta(min_length=1)]
    sides: Annotated[tuple[ItemSide, ...], Meta(min_length=1, max_length=2)]


class Answer(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What somebody says of an item.

    A value, or the places of the best and the worst; nothing of either is "I don't know this".
    """

    value: float | None = None
    best: int | None = None
    worst: int | None = None

    @property
    def unknown(self) -> bool:
        """Whether it says that the annotator does not know."""
        return self == Answer()


class NewItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item of a project that is to be made.

    ``asked``: one pair; of best-worst scaling three to ten, of which a gold question may expect the best or
    the worst alone. ``gold``: the answer that is expected, None of what is to be found out; ``note``: what is
    shown after a gold question.
    """

    name: Annotated[str, Meta(min_length=1)]
    asked: Annotated[tuple[Stimulus, ...], Meta(min_length=1, max_length=10)]
    topic: str | None = None
    group: str | None = None
    gold: Answer | None = None
    note: str = ""


class ProjectItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item of a project: what ``NewItem`` says of it, and what is counted.

    ``given``: how many first judgements count for it; ``unknown``: of how many who did not know it. ``draw``:
    a random number, no two items' alike, in whose order the next item is looked for from somewhere onwards.
    """

    id: Number
    project: Number
    name: str
    asked: tuple[Stimulus, ...]
    topic: str | None
    group: str | None
    gold: Answer | None
    note: str
    draw: Natural
    given: Natural
    unknown: Natural


class AccessLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link without its secret.

    ``annotator``: whose desk it opens. ``expires``, ``withdrawn``: None for never, and for not. ``note``:
    what the owner calls it.
    """

    id: Number
    project: Number
    scope: Scope
    annotator: Number | None
    digest: Digest
    note: str
    created: Time
    expires: Time | None
    withdrawn: Time | None


class ProjectAnnotator(msgspec.Struct, frozen=True, kw_only=True):
    """Who judges. ``number``: 1, 2, … in the project. ``details``: what they said of themselves, if asked.

    ``key``: which click began it. ``refused``: since when no answer counts, None while they do.
    ``gold_asked``, ``gold_right``: gold questions that were answered, and as expected.
    """

    id: Number
    project: Number
    number: Number
    key: str
    details: dict[str, str]
    began: Time
    refused: Time | None
    gold_asked: Natural
    gold_right: Natural

    @property
    def label(self) -> str:
        """What exports and pages call them; what they said of themselves stays apart from it."""
        return f"annotator {self.number}"


class Showing(msgspec.Struct, frozen=True, kw_only=True):
    """An item that was shown to an annotator. ``turn``: 0 the first time, 1 where it is repeated.

    ``answered``: None while it waits for an answer, and again where that was undone.
    """

    id: Number
    project: Number
    annotator: Number
    item: Number
    turn: Natural
    shown: Time
    answered: Time | None


class ProjectJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """What an annotator said of an item.

    ``id``: numbered in the order in which they were taken. ``key``: the sender's. ``value``, ``best``,
    ``worst``: as in ``Answer``. ``undone``: when it was taken back, None if it stands.
    """

    id: Number
    project: Number
    annotator: Number
    item: Number
    turn: Natural
    key: str
    value: float | None
    best: Natural | None
    worst: Natural | None
    at: Time
    undone: Time | None

    @property
    def answer(self) -> Answer:
        """The answer alone."""
        return Answer(self.value, self.best, self.worst)


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What an annotator is to judge now; whether it is a gold question is not told.

    ``asked``: of a tuple in an order of this annotator's own, by which answers name the best and the worst.
    """

    item: Number
    turn: Natural
    asked: tuple[Stimulus, ...]
    topic: str | None


class OwnProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an annotator is. ``answered``: answers that stand; ``left``: about how many are to come.

    ``session``: answers since the last break that was offered; ``pause``: it is time to offer one.
    """

    answered: Natural
    left: Natural
    session: Natural
    pause: bool


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """All that an annotator's page shows.

    ``state``: ``ask``, there is something to judge; ``wait``, others are shown what is left, or it is to be
    repeated, from ``until`` on; ``done``; ``closed``; ``refused``. ``shown``: what to judge, the first of it
    now, in order; only where ``state`` is ``ask``. ``undoable``: the number of the last answer if it can be
    taken back, None if it cannot.
    """

    project: Project
    annotator: ProjectAnnotator
    state: Literal["ask", "wait", "done", "closed", "refused"]
    shown: tuple[Shown, ...]
    until: Time | None
    progress: OwnProgress
    undoable: Number | None


class Feedback(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown after a gold question. ``expected``: in the order in which the item was shown."""

    right: bool
    expected: Answer
    note: str


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """That an answer is kept: committed, and not only received.

    ``repeated``: it was kept before, under the same key. ``undone``: it was taken back since. ``refused``:
    the annotator is refused from now on.
    """

    judgement: Number
    item: Number
    turn: Natural
    answer: Answer
    at: Time
    repeated: bool
    undone: bool
    feedback: Feedback | None
    refused: bool


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """What a link opens. ``annotator``: whose desk it is, None of an owner's link and an invitation."""

    link: AccessLink
    project: Project
    annotator: ProjectAnnotator | None


class AnnotatorProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an annotator is, for the owner.

    ``judgements``: first answers that stand, without "I don't know this", which ``unknown`` counts;
    ``repeated``: second ones; ``last``: when the last one was given.
    """

    annotator: ProjectAnnotator
    judgements: Natural
    unknown: Natural
    repeated: Natural
    last: Time | None


class ProjectProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a project is.

    ``items``: without ``gold`` questions; ``complete``: those with all the judgements that they need;
    ``judgements``: that count; ``wanted``: in all; ``unknown``: answers of who did not know.
    """

    project: Project
    items: Natural
    gold: Natural
    complete: Natural
    judgements: Natural
    wanted: Natural
    unknown: Natural
    annotators: tuple[AnnotatorProgress, ...]
