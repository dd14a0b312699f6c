"""What needs more than a server has: done by the command line, in a process beside it.

Reading tables, measuring agreement and drawing it take libraries and seconds that scoring must not pay for.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence

from app.annotation.problems import NO_PROJECT, sentence
from app.retraining.process import environment
from app.settings import Settings
from app.web.problems import BUSY, FAILED, TOO_LONG, ProblemError

AT_ONCE = 1
"""Processes at a time, of one worker."""

WAITING = 8
"""Requests that may wait for one."""

SECONDS = 300.0
"""How long one may take; that of 100,000 judgements takes about half a minute."""

_BAD_INPUT, _ENVIRONMENT = 3, 4
"""The exit codes of a command whose input cannot be used, and of one that the machine failed."""


class Commands:
    """Runs ``wort dataset project`` on the projects of a server."""

    def __init__(self, settings: Settings) -> None:
        self._environment = environment(settings)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._present = 0

    async def run(self, arguments: Sequence[str]) -> bytes:
        """What the command writes to standard output.

        Raises:
            ProblemError: it cannot use what it was given, or cannot be run now; the problem says why.
        """
        if self._present >= AT_ONCE + WAITING:
            raise ProblemError(
                BUSY, "Other reports are being made. Try again.", headers={"Retry-After": "10"}
            )
        self._present += 1
        try:
            async with self._places:
                return await self._run(arguments)
        finally:
            self._present -= 1

    async def _run(self, arguments: Sequence[str]) -> bytes:
        process = await asyncio.create_subprocess_exec(
            # -P: whatever lies in the folder that the server was started in is not to be run.
            *(sys.executable, "-P", "-m", "app.cli", "dataset", "project", *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
        )
        try:
            async with asyncio.timeout(SECONDS):
                written, said = await process.communicate()
        except TimeoutError:
            raise ProblemError(
                TOO_LONG, f"This takes longer than {SECONDS:.0f} seconds here: use the command line."
            ) from None
        finally:
            # Whatever ended the wait: the reader left, or the time is over.
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode == 0:
            return written
        raise _problem(process.returncode or 0, said.decode(errors="replace"))


def _problem(code: int, said: str) -> ProblemError:
    """What a command that failed has said."""
    _, _, told = f"\n{said}".rpartition("\nwort: ")
    if code in (_BAD_INPUT, _ENVIRONMENT) and told.strip():
        return ProblemError(NO_PROJECT, sentence(" ".join(told.split())))
    return ProblemError(FAILED, "The command line could not do it. `wort dataset project` says why.")
