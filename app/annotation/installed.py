"""Annotation as a part of the service: its routes, its files, its database and its threads."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from app.annotation import annotating, answers, creating, exporting, owning
from app.annotation.commands import Commands
from app.annotation.database import THREADS, WAITING, ProjectDatabase
from app.annotation.exporting import Reports
from app.annotation.rendering import STATIC, load_templates
from app.settings import Settings
from app.web.middleware.metrics import Metrics
from app.web.responses.turns import Workers


class AnnotationService:
    """The projects at ``url``, served; ``settings`` are the server's."""

    def __init__(self, url: str, settings: Settings, metrics: Metrics) -> None:
        self.database = ProjectDatabase(url)
        self.commands = Commands(settings)
        # Of their own, so that no pair waits for a database.
        self.workers = Workers(THREADS, WAITING, metrics.places("annotation", THREADS))

    def install(self, app: FastAPI) -> None:
        """Add the routes to ``app``; to be called before the pages' files are mounted."""
        app.state.projects = self.database
        app.state.annotation_workers = self.workers
        app.state.annotation_commands = self.commands
        app.state.annotation_reports = Reports(self.commands)
        for router in (
            annotating.router,
            answers.router,
            creating.router,
            owning.router,
            exporting.router,
            exporting.figures_router,
        ):
            app.include_router(router)
        app.mount("/static/annotation", StaticFiles(directory=STATIC), name="annotation static")

    def start(self) -> None:
        """Bring the tables up to date, where the database can be reached."""
        load_templates()
        self.database.open()

    def stop(self) -> None:
        """Give the connections to the database back."""
        self.database.close()
