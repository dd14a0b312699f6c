"""What an owner takes away: judgements and scores in several formats, and the report on agreement."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from cachetools import LRUCache
from fastapi import APIRouter, Request, Response

from app.annotation.commands import Commands
from app.annotation.database import with_projects
from app.annotation.owned import owned
from app.annotation.problems import UNKNOWN_LINK
from app.annotation.rendering import AnnotationPageRoute, AnnotationRoute
from app.pages.models import REPORT_POLICY
from app.web.problems import ProblemError
from app.web.responses.answering import respond
from datasets.annotation.records import Kind, ProjectProgress

REPORTS = 16
"""Reports that are kept, each until something is judged again; one has some hundred kilobytes."""

Filter = Literal["none", "word"]
"""Whether a report is of all annotators, or of those whom WORD's filter leaves."""

_ALL: tuple[Kind, ...] = ("binary", "graded", "best-worst")
_CSV = "text/csv; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Export:
    """A format: what people call it, the kinds of project that it can hold, and its file."""

    label: str
    kinds: tuple[Kind, ...]
    ending: str
    media_type: str = _CSV


OFFERED: dict[str, Export] = {
    "csv": Export("Judgements (CSV)", _ALL, ".csv"),
    "items": Export("Items (CSV)", _ALL, ".csv"),
    "potato": Export("Potato (JSON Lines)", _ALL, ".jsonl", "application/x-ndjson"),
    "label-studio": Export("Label Studio (JSON)", _ALL, ".json", "application/json"),
    "word": Export("Scores as WORD has them", ("binary",), ".csv"),
    "tr9856": Export("Votes as TR9856 has them", ("binary",), ".csv"),
    "bird": Export("Scores as BiRD has them", ("best-worst",), ".txt", "text/plain; charset=utf-8"),
    "zesch-gurevych": Export("Scores as Zesch & Gurevych have them", ("graded",), ".csv"),
}
"""The formats by the names that the command line has for them."""

router = APIRouter(include_in_schema=False, route_class=AnnotationPageRoute)
figures_router = APIRouter(include_in_schema=False, route_class=AnnotationRoute)


class ReportedAnnotator(msgspec.Struct, frozen=True):
    """How well an annotator's judgements go with the others', as a report has it."""

    annotator: str
    rest: float | None


class ReportedAgreement(msgspec.Struct, frozen=True):
    """What is read of a report; it has much more."""

    of_annotators: tuple[ReportedAnnotator, ...]


class Figures(msgspec.Struct, frozen=True):
    """Pearson's r of each annotator with the mean of the others, None where it is not defined."""

    with_the_rest: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class AgreementPage:
    """A report on agreement: what it was made of, the page, and the figures of annotators."""

    of: ProjectProgress
    page: bytes
    figures: Figures


class Reports:
    """The reports of projects, each made once for what was judged."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands
        self._made: LRUCache[tuple[int, bool], AgreementPage] = LRUCache(REPORTS)
        self._making = asyncio.Lock()

    async def report(self, progress: ProjectProgress, filtered: bool = False) -> AgreementPage:
        """The report on a project that is so far; ``filtered``: of whom WORD's filter leaves.

        Raises:
            ProblemError: it cannot be made; nothing was judged yet, say.
        """
        key = progress.project.id, filtered
        async with self._making:
            made = self._made.get(key)
            if made is None or made.of != progress:
                made = self._made[key] = await self._make(progress, filtered)
            return made

    async def _make(self, progress: ProjectProgress, filtered: bool) -> AgreementPage:
        with tempfile.TemporaryDirectory(prefix="wort-agreement-") as folder:
            page = Path(folder) / "report.html"
            arguments = ("agree", str(progress.project.id), f"--html={page}", "--json")
            written = await self._commands.run((*arguments, "--filter") if filtered else arguments)
            read = msgspec.json.decode(written, type=ReportedAgreement)
            figures = Figures({one.annotator: one.rest for one in read.of_annotators})
            return AgreementPage(progress, page.read_bytes(), figures)


def offered(kind: Kind) -> list[tuple[str, str]]:
    """The formats of a kind of project: their names, and what people call them."""
    return [(name, export.label) for name, export in OFFERED.items() if kind in export.kinds]


@router.get("/annotation/project/{token}/agreement")
async def agreement(request: Request, token: str, filter: Filter = "none") -> Response:
    """The report on agreement, with its plots."""
    report = await _report(request, token, filter == "word")
    return Response(report.page, headers={"Content-Security-Policy": REPORT_POLICY}, media_type="text/html")


@figures_router.get("/annotation/project/{token}/agreement/figures")
async def figures(request: Request, token: str) -> Response:
    """How well each annotator's judgements go with the others'."""
    return respond((await _report(request, token)).figures)


@router.get("/annotation/project/{token}/export/{name}")
async def export(request: Request, token: str, name: str) -> Response:
    """What was judged, as a file."""
    project = (await with_projects(request, lambda projects: owned(projects, token))).project
    if (form := OFFERED.get(name)) is None:
        raise ProblemError(UNKNOWN_LINK, f"There is no such format. There are {', '.join(OFFERED)}.")
    commands: Commands = request.app.state.annotation_commands
    content = await commands.run(("export", str(project.id), "--output=-", f"--format={name}"))
    file = f"project-{project.id}-{name}{form.ending}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(content, headers=headers, media_type=form.media_type)


async def _report(request: Request, token: str, filtered: bool = False) -> AgreementPage:
    reports: Reports = request.app.state.annotation_reports
    progress = await with_projects(
        request, lambda projects: projects.progress(owned(projects, token).project.id)
    )
    return await reports.report(progress, filtered)
