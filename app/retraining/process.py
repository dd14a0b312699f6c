"""Retrainings as processes: started beside a server, and watched through the registry."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
import structlog
from sqlalchemy import make_url

from app.retraining.dead_runs import end_dead_runs
from app.settings import Settings
from app.web.problems import NOT_FOUND, RUNNING, ProblemError, registry_problems
from models.registry.entries import checked_name, checked_text
from models.registry.errors import RegistryError, RunInProgress
from models.registry.records import Run
from models.registry.registry import Registry
from wort.schemas.retrainings import RetrainingInfo

RETENTION = 7 * 86_400.0
"""Seconds after which a folder in the spool is nobody's any more: no retraining takes so long."""

_FOLDER = re.compile(r"[0-9]+-[0-9a-f]{8}")
"""What a retraining's folder in the spool is called."""

_IN_SPOOL = re.compile(r"\S*/retrainings/[0-9]+-[0-9a-f]{8}/")

_ROOT = Path(__file__).resolve().parent.parent.parent
"""Where the packages of wort lie that this process runs."""

T = TypeVar("T")
Option = str | int | float | bool | list[str] | None


class Retrainings:
    """The retrainings that a server starts and shows: those of its registry.

    Each is a process of its own, which goes on when the server ends. What it does stands in the registry.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def start(self, judgements: bytes, suffix: str, options: Mapping[str, Option]) -> RetrainingInfo:
        """Start a retraining on a file of ``judgements`` whose name ends in ``suffix``.

        Raises:
            ProblemError: an option cannot be kept, another one has not ended, or the registry cannot be used.
            OSError: the process cannot be started; the retraining is recorded as failed.
        """
        with registry_problems():
            check_texts(options)
        with registry_problems(), Registry.open(self._settings.registry) as registry:
            end_dead_runs(registry)
            # What people wrote is in the parameters that the process records, not in the log.
            parameters = {name: value for name, value in options.items() if value not in (None, False, [])}
            try:
                run = registry.begin_run(
                    who=str(options.get("who")), parameters=parameters, pid=None, alone=True
                )
            except RunInProgress as error:
                headers = {"Retry-After": "10"}
                for running, _ in registry.running()[:1]:
                    headers["Location"] = f"/retrainings/{running.id}"
                raise ProblemError(RUNNING, str(error), headers=headers) from None
            try:
                self._spawn(run, judgements, suffix, options)
            except BaseException as error:
                # Whatever it is, nobody else is going to end the run.
                with contextlib.suppress(RegistryError):
                    registry.fail_run(run.id, f"It could not be started: {error}")
                raise
            return info(registry.run(run.id))

    def listed(self, limit: int) -> list[RetrainingInfo]:
        """The newest retrainings, ``limit`` of them at most."""
        return self._asked(lambda registry: [info(run) for run in registry.runs(limit)]) or []

    def read(self, number: int, read: Callable[[Registry, Run], T | None]) -> T:
        """What ``read`` finds of one retraining.

        Raises:
            ProblemError: there is none of this number, or nothing was found; or the registry cannot be used.
        """
        answer = self._asked(lambda registry: read(registry, registry.run(number)))
        if answer is None:
            raise ProblemError(NOT_FOUND, f"There is no retraining {number}, or it has no such report.")
        return answer

    def _asked(self, ask: Callable[[Registry], T | None]) -> T | None:
        """What the registry answers; None where there is no registry, or not what was asked for."""

        def asked(registry: Registry) -> T | None:
            end_dead_runs(registry)
            return ask(registry)

        with registry_problems():
            return Registry.ask(self._settings.registry, asked)

    def _spawn(self, run: Run, judgements: bytes, suffix: str, options: Mapping[str, Option]) -> None:
        """Start the process of a run, and have a thread wait for its end."""
        within = spool(self._settings)
        within.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(within)
        folder = within / f"{run.id}-{secrets.token_hex(4)}"
        folder.mkdir(mode=0o700)
        process = None
        try:
            file = folder / f"judgements{suffix}"
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
                written.write(judgements)
            given = [f"--pairs={file}", f"--run={run.id}", *arguments(options)]
            process = _started(given, folder, self._settings)
            threading.Thread(
                target=self._wait, args=(run.id, process, folder), name=f"retraining {run.id}", daemon=True
            ).start()
        except BaseException:
            if process is not None:
                process.kill()
                process.wait()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        structlog.get_logger("wort").info("retraining started", retraining=run.id, process=process.pid)

    def _wait(self, number: int, process: subprocess.Popen[bytes], folder: Path) -> None:
        """Collect the process at its end. What it could not record itself, it is recorded for it."""
        code = process.wait()
        structlog.get_logger("wort").info("retraining ended", retraining=number, code=code)
        said: list[str] = []
        with contextlib.suppress(OSError):
            lines = (folder / "log.txt").read_text(errors="replace").splitlines()
            said = [line.strip(" │|") for line in lines if any(map(str.isalnum, line))]
        shutil.rmtree(folder, ignore_errors=True)
        ended = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        with contextlib.suppress(RegistryError), Registry.open(self._settings.registry) as registry:
            registry.fail_run(number, f"Its process {ended}. {said[-1][:1000] if said else ''}")


def _started(options: list[str], folder: Path, settings: Settings) -> subprocess.Popen[bytes]:
    """The command with ``options``, as a process of its own that writes to a log in ``folder``."""
    with (folder / "log.txt").open("wb") as log:
        return subprocess.Popen(  # noqa: S603  # no shell, and each option is one argument
            # -P: whatever lies in the folder that the server was started in is not to be run.
            [sys.executable, "-P", "-m", "app.cli", "retrain", "--quiet", *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment(settings),
            # Of its own session: what stops the server in its terminal does not stop it.
            start_new_session=True,
        )


def check_texts(options: Mapping[str, Option]) -> None:
    """Refuse texts that the registry would not keep, nor a process take, before anything is begun.

    Raises:
        BadEntry: one of them is not taken; the message says which.
    """
    for name, value in options.items():
        for text in value if isinstance(value, list) else [value]:
            if name == "name":
                checked_name(str(text))
            elif isinstance(text, str):
                # A reason goes past the gate, and must say something.
                checked_text(text, f"the option {name}", needed=name == "reason")


def _sweep(folder: Path) -> None:
    """Remove what servers that ended before their retrainings left behind, and nothing of anybody else."""
    for left in folder.iterdir():
        with contextlib.suppress(OSError):
            kept = left.lstat()
            if (
                _FOLDER.fullmatch(left.name)
                and kept.st_uid == os.getuid()
                and time.time() - kept.st_mtime > RETENTION
            ):
                shutil.rmtree(left)


def arguments(options: Mapping[str, Option]) -> list[str]:
    """Options as the command takes them, each one argument, so that no value is taken for an option."""
    given = []
    for name, value in options.items():
        if value is True:
            given.append(f"--{name}")
        elif value is not None and value is not False:
            values = value if isinstance(value, list) else [value]
            given += [f"--{name}={one}" for one in values]
    return given


def environment(settings: Settings) -> dict[str, str]:
    """The environment of a retraining's process: the server's, with its settings, without its key."""
    given = {**os.environ, **settings.environment()}
    path = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    # Settings are read whatever the case of their names.
    own = {name: value for name, value in given.items() if name.upper() != "WORT_ADMIN_KEY"}
    return {**own, "PYTHONPATH": os.pathsep.join(path), "TERM": "dumb"}


def spool(settings: Settings) -> Path:
    """Where judgements lie while they are learnt from: beside a SQLite registry, else in the data folder."""
    url = make_url(settings.registry)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).absolute().parent / "retrainings"
    default = make_url(Settings.model_construct(database=None).registry)
    return Path(str(default.database)).parent / "retrainings"


def info(run: Run) -> RetrainingInfo:
    """A run as the interface shows it."""
    shown = {
        "number": run.id,
        "state": run.outcome or "running",
        # Where the file lay on this machine is nothing to who sent it.
        "message": _IN_SPOOL.sub("", run.message),
        "report": f"/retrainings/{run.id}/report" if run.model else None,
    }
    return msgspec.convert({**msgspec.structs.asdict(run), **shown}, RetrainingInfo)
