"""The pages of those who judge: guidelines, one item after the other, breaks. They work without scripts."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request, Response

from app.annotation.database import with_projects
from app.annotation.problems import problem_of
from app.annotation.rendering import AnnotationPageRoute, moved, page
from app.annotation.told import Told, progress_of, told_of
from app.pages.forms import Form, form_of
from app.pages.rendering import up
from app.web.problems import ProblemError
from datasets.annotation.errors import AlreadyAnswered, BadAnswer, NothingToUndo, UnknownLink
from datasets.annotation.projects import Projects
from datasets.annotation.records import Access, Answer, Desk, Receipt

router = APIRouter(include_in_schema=False, route_class=AnnotationPageRoute)


@router.get("/annotation/invitation/{token}")
async def invitation(request: Request, token: str) -> Response:
    """The guidelines, and how to begin."""

    def opened(projects: Projects) -> Access:
        access = projects.access(token)
        if access.link.scope != "invitation":
            raise UnknownLink("this link is no invitation")
        return access

    access = await with_projects(request, opened)
    return page(request, "invitation.html", project=access.project, token=token, key=str(uuid.uuid4()))


@router.post("/annotation/invitation/{token}")
async def begin(request: Request, token: str) -> Response:
    """Make an annotator of who begins, and lead to a page of their own."""
    form = await form_of(request)

    def begun(projects: Projects) -> str:
        asked = projects.access(token).project.settings.details
        given = {name: form.one(f"detail-{number}") for number, name in enumerate(asked, start=1)}
        _, own = projects.begin(token, form.one("key"), {name: text for name, text in given.items() if text})
        return own

    return moved(request, _desk_path(await with_projects(request, begun)))


@router.get("/annotation/annotate/{token}")
async def annotate(request: Request, token: str) -> Response:
    """What is to be judged now, or why nothing is."""
    desk = await with_projects(request, lambda projects: projects.desk(token))
    return _desk_page(request, token, desk)


@router.post("/annotation/annotate/{token}")
async def answer(request: Request, token: str) -> Response:
    """Keep an answer that is sent without scripts, and lead on."""
    form = await form_of(request)

    def submitted(projects: Projects) -> tuple[Desk, Receipt | None, ProblemError | None]:
        try:
            item, turn, said = _answer_of(form)
            receipt = projects.submit(token, item, turn, said, form.one("key"))
        except (AlreadyAnswered, BadAnswer) as error:
            return projects.desk(token), None, problem_of(error)
        return projects.desk(token), receipt, None

    desk, receipt, problem = await with_projects(request, submitted)
    if problem is not None:
        return _desk_page(request, token, desk, Told(problem.detail, amiss=True), problem.kind.status)
    told = None if receipt is None else told_of(receipt, desk.project.kind)
    if told is not None:
        # Sent again, it tells the same.
        return _desk_page(request, token, desk, told)
    return moved(request, _desk_path(token) + ("/rest" if desk.progress.pause and desk.shown else ""))


@router.post("/annotation/annotate/{token}/undo")
async def undo(request: Request, token: str) -> Response:
    """Take back the last answer, without scripts."""
    sent = (await form_of(request)).one("judgement")
    # None has the number 0: there is nothing to take back.
    judgement = int(sent) if sent.isdecimal() and len(sent) < 19 else 0

    def undone(projects: Projects) -> tuple[Desk, ProblemError | None]:
        try:
            return projects.undo(token, judgement), None
        except NothingToUndo as error:
            return projects.desk(token), problem_of(error)

    desk, problem = await with_projects(request, undone)
    if problem is not None:
        return _desk_page(request, token, desk, Told(problem.detail, amiss=True), problem.kind.status)
    return moved(request, _desk_path(token))


@router.get("/annotation/annotate/{token}/rest")
async def rest(request: Request, token: str) -> Response:
    """A break, for as long as one likes."""
    desk = await with_projects(request, lambda projects: projects.desk(token))
    return page(
        request, "break.html", project=desk.project, here=_here(request, token), progress=progress_of(desk)
    )


def _answer_of(form: Form) -> tuple[int, int, Answer]:
    """The item, the turn and the answer that a form sends.

    Raises:
        BadAnswer: it sends none.
    """
    try:
        item, turn = int(form.one("item")), int(form.one("turn"))
        if form.one("unknown"):
            return item, turn, Answer()
        if form.one("judgement"):
            return item, turn, Answer(value=float(form.one("judgement")))
        return item, turn, Answer(best=int(form.one("best")), worst=int(form.one("worst")))
    except ValueError:
        raise BadAnswer("choose an answer, and send it again") from None


def _desk_page(
    request: Request, token: str, desk: Desk, told: Told | None = None, status: int = 200
) -> Response:
    return page(
        request,
        "annotate.html",
        status=status,
        project=desk.project,
        annotator=desk.annotator,
        state=desk.state,
        until=desk.until,
        shown=desk.shown[0] if desk.shown else None,
        # Of the form that is sent without scripts: a second click on it is the same answer.
        key=str(uuid.uuid4()),
        progress=progress_of(desk),
        told=told,
        here=_here(request, token),
    )


def _desk_path(token: str) -> str:
    return f"annotation/annotate/{token}"


def _here(request: Request, token: str) -> str:
    """Where the page of an annotator stands, relative to the page that is shown."""
    return up(request) + _desk_path(token)
