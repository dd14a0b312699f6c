"""What the page of an annotator asks by itself: items, and answers that are kept."""

from __future__ import annotations

import uuid
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from msgspec import Meta

from app.annotation.database import with_projects
from app.annotation.rendering import AnnotationRoute, fragment
from app.annotation.told import ShownProgress, Told, progress_of, told_of
from app.web.requests.body import parsed, read_body
from app.web.responses.answering import respond
from datasets.annotation.errors import AnnotationError, BadAnswer
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer, Desk, Receipt, Shown

AHEAD = 4
"""Items that a page has ready: so many can be judged while the network is gone."""

Ahead = Annotated[int, Query(ge=1, le=AHEAD)]
"""How many are asked for."""

Further = Annotated[int, Query(ge=0, le=AHEAD)]
"""How many are asked for with an answer: none while enough are at hand, which saves work."""


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer. ``key``: a UUID of its own; ``judgement``, ``best`` and ``worst``, or ``unknown``."""

    key: Annotated[str, Meta(max_length=100)]
    item: int
    turn: int = 0
    judgement: float | None = None
    best: int | None = None
    worst: int | None = None
    unknown: bool = False

    def answer(self) -> Answer:
        """What it says.

        Raises:
            BadAnswer: nothing, or two things.
        """
        answer = Answer(self.judgement, self.best, self.worst)
        if answer.unknown != self.unknown:
            raise BadAnswer("an answer has a judgement, or best and worst, or else unknown")
        return answer


class TakingBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That an answer is to be taken back, by its number."""

    judgement: int


class ItemCard(msgspec.Struct, frozen=True):
    """An item as it is shown, and what names it."""

    item: int
    turn: int
    html: str


class Cards(msgspec.Struct, frozen=True):
    """What is to be judged next, in order. ``panel``: what stands in its place where ``state`` is not ask."""

    state: str
    cards: list[ItemCard]
    panel: str
    progress: ShownProgress


class Acknowledgement(msgspec.Struct, frozen=True):
    """That an answer is kept.

    ``undo``: its number, None if it cannot be taken back. ``next``: None where it was not asked for, or could
    not be looked up.
    """

    key: str
    item: int
    turn: int
    at: str
    undo: int | None
    told: Told | None
    next: Cards | None


_SUBMISSION = msgspec.json.Decoder(Submission)
_TAKING_BACK = msgspec.json.Decoder(TakingBack)

router = APIRouter(include_in_schema=False, route_class=AnnotationRoute)


@router.get("/annotation/annotate/{token}/items")
async def items(request: Request, token: str, ahead: Ahead = AHEAD) -> Response:
    """What is to be judged next."""
    desk = await with_projects(request, lambda projects: projects.desk(token, ahead))
    return respond(_cards(token, desk))


@router.post("/annotation/annotate/{token}/answers")
async def submit(request: Request, token: str, ahead: Further = AHEAD) -> Response:
    """Keep an answer. It is acknowledged once it is committed; sent again, it is acknowledged alike."""
    sent = parsed(await read_body(request), _SUBMISSION)

    def kept(projects: Projects) -> tuple[Receipt, Desk | None]:
        receipt = projects.submit(token, sent.item, sent.turn, sent.answer(), sent.key)
        if not (ahead or receipt.feedback or receipt.refused):
            return receipt, None
        try:
            return receipt, projects.desk(token, max(1, ahead))
        except AnnotationError:
            return receipt, None  # whatever became of the database since: the answer is kept

    receipt, desk = await with_projects(request, kept)
    told = None if desk is None else told_of(receipt, desk.project.kind)
    following = None if desk is None else _cards(token, desk)
    undo = None if receipt.feedback or receipt.undone else receipt.judgement
    return respond(Acknowledgement(sent.key, receipt.item, receipt.turn, receipt.at, undo, told, following))


@router.post("/annotation/annotate/{token}/answers/undo")
async def undo(request: Request, token: str) -> Response:
    """Take back the last answer; what it was to is the first that is to be judged."""
    sent = parsed(await read_body(request), _TAKING_BACK)
    desk = await with_projects(request, lambda projects: projects.undo(token, sent.judgement))
    return respond(_cards(token, desk))


def _cards(token: str, desk: Desk) -> Cards:
    # As seen from the page that shows them.
    here = f"../../annotation/annotate/{token}"
    panel = "" if desk.shown else fragment("panel.html", state=desk.state, until=desk.until)
    cards = [_card(here, desk, shown) for shown in desk.shown]
    return Cards(desk.state, cards, panel, progress_of(desk))


def _card(here: str, desk: Desk, shown: Shown) -> ItemCard:
    html = fragment("card.html", project=desk.project, shown=shown, here=here, key=str(uuid.uuid4()))
    return ItemCard(shown.item, shown.turn, html)
