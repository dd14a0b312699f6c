"""One of several server processes, which ``wort serve --workers`` starts."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from app.serving.garbage import starting

if TYPE_CHECKING:
    from fastapi import FastAPI


GRACE = 5.0
"""Seconds after which a worker that was told to stop, and had its time for it, is ended."""


def create_app() -> FastAPI:
    """The service as the environment's settings describe it."""
    with starting():
        # Imported here: no garbage is to be looked for meanwhile.
        from app import service
        from app.logs import configure
        from app.serving.follower import source
        from app.serving.trial import Trials
        from app.settings import Settings
        from app.web.middleware.worker_slots import FOLDER

        settings = Settings()
        configure(settings.log_level, settings.log_format)
        folder = Path(os.environ[FOLDER])
        # A trial of the snapshot forks, so this begins no thread before it.
        serves = source(settings, folder, Trials())
        end_with_supervisor(settings.shutdown_seconds, folder)
        return service.create_app(settings, serves)


def end_with_supervisor(seconds: float, folder: Path) -> None:
    """Have this process stop when the one is gone that started it, as when that one stops, in ``seconds``.

    One that is killed tells nobody. Its workers would go on, keep the port, and be replaced by none; and
    ``folder``, in which they count together, would stay behind.
    """
    supervisor = parent_process()
    if supervisor is None:
        return

    def wait() -> None:
        supervisor.join()
        shutil.rmtree(folder, ignore_errors=True)  # what is open in it is counted in to the end
        os.kill(os.getpid(), signal.SIGTERM)
        # Whatever keeps it from stopping, there is nobody left to end it.
        time.sleep(seconds + GRACE)
        os._exit(1)

    threading.Thread(target=wait, name="supervisor", daemon=True).start()
