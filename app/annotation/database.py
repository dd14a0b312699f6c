"""The database of the projects, as a server has it: opened when it is first needed, on threads of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import structlog
from fastapi import Request

from app.annotation.problems import annotation_problems
from app.web.responses.answering import turns_of
from app.web.responses.turns import Workers
from datasets.annotation.errors import (
    AnnotationError,
    BadProjectsAddress,
    NotProjects,
    ProjectsUnavailable,
    WrongProjectsSchema,
)
from datasets.annotation.projects import Projects

T = TypeVar("T")

THREADS = 4
"""Transactions at once, of one worker: writers wait for one another in the database anyway."""

WAITING = 1000
"""Requests that may wait for one. Each takes milliseconds, and an annotator asks for one at a time."""

log: Any = structlog.get_logger("wort")


class ProjectDatabase:
    """Opens the projects at ``url`` and brings their tables up to date, when first asked and until it works.

    A database that is away when the server starts keeps nobody from scoring.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._opening = threading.Lock()
        self._projects: Projects | None = None

    def projects(self) -> Projects:
        """The projects.

        Raises:
            AnnotationError: they cannot be opened now.
        """
        with self._opening:
            if self._projects is None:
                self._projects = Projects.open(self.url)
            return self._projects

    def open(self) -> None:
        """Open them, where that is possible now; else say why not in the log."""
        try:
            self.projects()
        except AnnotationError as error:
            _log_trouble(error)

    def close(self) -> None:
        """Give the connections back."""
        with self._opening:
            if self._projects is not None:
                self._projects.close_database()
                self._projects = None


async def with_projects(request: Request, work: Callable[[Projects], T]) -> T:
    """What ``work`` makes of the projects, in one turn on a thread that scores nothing.

    Raises:
        ProblemError: there is no place, or no time; or what is wrong with the projects.
    """
    state = request.app.state
    database: ProjectDatabase = state.projects
    pool: Workers = state.annotation_workers
    turns = await turns_of(request, pool)

    def asked() -> T:
        with annotation_problems():
            try:
                return work(database.projects())
            except AnnotationError as error:
                _log_trouble(error)
                raise

    return await turns.take(asked)


def _log_trouble(error: AnnotationError) -> None:
    """Tell whoever runs the server what is wrong with the database; who annotates is not told where it is."""
    if isinstance(error, ProjectsUnavailable | NotProjects | WrongProjectsSchema | BadProjectsAddress):
        log.error("the annotation projects cannot be used", reason=str(error))
