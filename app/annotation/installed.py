"""Annotation as a part of the service: its routes, its files, its database and its threads."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from app.annotation import annotating, answers, owning
from app.annotation.database import THREADS, WAITING, ProjectDatabase
from app.annotation.rendering import STATIC, load_templates
from app.web.middleware.metrics import Metrics
from app.web.responses.turns import Workers


class Annotation:
    """The projects at ``url``, served."""

    def __init__(self, url: str, metrics: Metrics) -> None:
        self.database = ProjectDatabase(url)
        # Of their own, so that no pair waits for a database.
        self.workers = Workers(THREADS, WAITING, metrics.places("annotation", THREADS))

    def install(self, app: FastAPI) -> None:
        """Add the routes to ``app``; to be called before the pages' files are mounted."""
        app.state.projects = self.database
        app.state.annotation_workers = self.workers
        for module in (annotating, answers, owning):
            app.include_router(module.router)
        app.mount("/static/annotation", StaticFiles(directory=STATIC), name="annotation static")

    def start(self) -> None:
        """Bring the tables up to date, where the database can be reached."""
        load_templates()
        self.database.open()

    def stop(self) -> None:
        """Give the connections to the database back."""
        self.database.close()
