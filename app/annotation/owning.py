"""The page of a project's owner: how far it is, who takes part, and what can be changed."""

from __future__ import annotations

import datetime

from fastapi import APIRouter, Request, Response

from app.annotation.database import with_projects
from app.annotation.exporting import offered
from app.annotation.owned import owned
from app.annotation.rendering import AnnotationPageRoute, moved, page
from app.annotation.told import Told
from app.pages.forms import Form, form_of
from app.pages.rendering import up
from app.web.problems import WRONG_SHAPE, ProblemError
from datasets.annotation.errors import BadProject
from datasets.annotation.projects import Projects
from datasets.annotation.records import Access, AccessLink, Project, ProjectProgress, Scope

KINDS = {
    "binary": "Related or not",
    "graded": "On a scale",
    "best-worst": "The most and the least related of a few",
}

router = APIRouter(include_in_schema=False, route_class=AnnotationPageRoute)


@router.get("/annotation/project/{token}")
async def project(request: Request, token: str) -> Response:
    """How far the project is."""
    return await _project_page(request, token)


@router.post("/annotation/project/{token}/links")
async def invite(request: Request, token: str) -> Response:
    """Make a link, and show it this once."""
    form = await form_of(request)
    scope: Scope = "owner" if form.one("scope") == "owner" else "invitation"
    expires = _expiry(form)

    def invited(projects: Projects) -> str:
        project = owned(projects, token).project
        _, secret = projects.invite(project.id, scope, note=form.one("note"), expires=expires)
        return secret

    secret = await with_projects(request, invited)
    path = "project" if scope == "owner" else "invitation"
    told = Told("Here is the link. Copy it now: it is not shown again.")
    return await _project_page(request, token, told, f"{request.base_url}annotation/{path}/{secret}")


@router.post("/annotation/project/{token}/links/{link}/withdrawal")
async def withdraw(request: Request, token: str, link: int) -> Response:
    """End a link for good."""
    await form_of(request)

    def withdrawn(projects: Projects) -> None:
        access = owned(projects, token)
        if access.link.id == link:
            raise BadProject(
                "this is the link that you use. Make another one first, and withdraw this with it"
            )
        projects.withdraw(access.project.id, link)

    await with_projects(request, withdrawn)
    return moved(request, _path(token))


@router.post("/annotation/project/{token}/wanted")
async def want(request: Request, token: str) -> Response:
    """Set how many judgements each item needs."""
    form = await form_of(request)
    if not form.one("wanted").isdecimal():
        raise ProblemError(WRONG_SHAPE, "Say how many judgements each item needs: a number from 1 on.")
    number = int(form.one("wanted")[:9])
    await with_projects(request, lambda projects: projects.want(owned(projects, token).project.id, number))
    return moved(request, _path(token))


@router.post("/annotation/project/{token}/closing")
async def close(request: Request, token: str) -> Response:
    """Ask nothing any more."""
    await form_of(request)
    await with_projects(request, lambda projects: projects.close(owned(projects, token).project.id))
    return moved(request, _path(token))


@router.post("/annotation/project/{token}/opening")
async def reopen(request: Request, token: str) -> Response:
    """Ask again."""
    await form_of(request)
    await with_projects(request, lambda projects: projects.reopen(owned(projects, token).project.id))
    return moved(request, _path(token))


@router.get("/annotation/project/{token}/annotators/{number}")
async def ask_to_delete_annotator(request: Request, token: str, number: int) -> Response:
    """Whether an annotator is to be deleted."""
    await with_projects(request, lambda projects: owned(projects, token))
    here = up(request) + _path(token)
    return page(
        request,
        "sure.html",
        question=f"Delete annotator {number}?",
        consequence="All that is kept of them is deleted: every judgement, what they said of themselves, and "
        "their link. Items that they judged are given to others again. It cannot be taken back.",
        deed="Delete",
        action=f"{here}/annotators/{number}",
        back=here,
    )


@router.post("/annotation/project/{token}/annotators/{number}")
async def delete_annotator(request: Request, token: str, number: int) -> Response:
    """Delete all that is kept of an annotator."""
    await form_of(request)
    await with_projects(
        request, lambda projects: projects.delete_annotator(owned(projects, token).project.id, number)
    )
    return moved(request, _path(token))


@router.get("/annotation/project/{token}/deletion")
async def ask_to_delete(request: Request, token: str) -> Response:
    """Whether the project is to be deleted."""
    access = await with_projects(request, lambda projects: owned(projects, token))
    here = up(request) + _path(token)
    return page(
        request,
        "sure.html",
        question=f"Delete the project “{access.project.title}”?",
        consequence="Its items, its annotators and every judgement are deleted, and all its links end. "
        "Export what you want to keep first. It cannot be taken back.",
        deed="Delete all of it",
        action=f"{here}/deletion",
        back=here,
    )


@router.post("/annotation/project/{token}/deletion")
async def delete(request: Request, token: str) -> Response:
    """Delete the project with all that it holds."""
    await form_of(request)
    await with_projects(request, lambda projects: projects.delete(owned(projects, token).project.id))
    return page(request, "deleted.html")


async def _project_page(
    request: Request, token: str, told: Told | None = None, secret: str | None = None
) -> Response:
    def looked(projects: Projects) -> tuple[Access, ProjectProgress, list[AccessLink]]:
        access = owned(projects, token)
        return access, projects.progress(access.project.id), projects.links(access.project.id)

    access, progress, links = await with_projects(request, looked)
    return page(
        request,
        "project.html",
        project=progress.project,
        progress=progress,
        refused=sum(one.annotator.refused is not None for one in progress.annotators),
        words=_in_words(progress.project),
        links=links,
        labels={one.annotator.id: one.annotator.label for one in progress.annotators},
        own=access.link.id,
        exports=offered(progress.project.kind),
        told=told,
        secret=secret,
        here=up(request) + _path(token),
    )


def _in_words(project: Project) -> str:
    kind = KINDS[project.kind]
    if project.kind == "graded":
        kind += f" from {project.settings.low} to {project.settings.high}"
    return f"{kind}; {project.settings.wanted} judgements an item."


def _expiry(form: Form) -> datetime.datetime | None:
    days = form.one("days")
    if not days:
        return None
    if not days.isdecimal() or not 1 <= int(days[:9]) <= 3650:
        raise ProblemError(WRONG_SHAPE, "A link expires after 1 to 3,650 days, or never.")
    return datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=int(days))


def _path(token: str) -> str:
    return f"annotation/project/{token}"
