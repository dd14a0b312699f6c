"""One of several server processes, which ``wort serve --workers`` starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.serving.garbage import starting

if TYPE_CHECKING:
    from fastapi import FastAPI


def create_app() -> FastAPI:
    """The service as the environment's settings describe it."""
    with starting():
        # Imported here: no garbage is to be looked for meanwhile.
        from app import service
        from app.logs import configure
        from app.serving.source import source
        from app.serving.trial import Trials
        from app.settings import Settings
        from app.web.middleware.worker_slots import FOLDER

        settings = Settings()
        configure(settings.log_level, settings.log_format)
        return service.create_app(settings, source(settings, Path(os.environ[FOLDER]), Trials()))
