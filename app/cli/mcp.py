"""``wort mcp``: answer assistants, over standard input and output."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from app.cli.answering import opened
from app.cli.settings import LOOKED_AT, ServedModel, ServedSnapshot, Strict, read_settings
from app.cli.standard_output import OUTPUT, alone
from app.serving.garbage import starting


def mcp(snapshot: ServedSnapshot = None, model: ServedModel = None, strict: Strict = None) -> None:
    """Serve assistants over the Model Context Protocol: tools for concepts, free terms and texts.

    An assistant starts this command itself and speaks with it over standard input and output. What is served
    is what `wort serve` would serve; no network is needed. It ends with its input, or on Ctrl-C.
    """
    # What is wrong with an argument is told to assistants, which have no use for the validator's manual.
    os.environ.setdefault("PYDANTIC_ERRORS_INCLUDE_URL", "0")
    with starting():
        # Imported here: no other command needs the protocol.
        from app.assistant.server import server
        from app.logs import configure

        settings = read_settings(LOOKED_AT, snapshot=snapshot, model=model, strict=strict)
        configure(settings.log_level, settings.log_format)
        assistants = server(opened(settings))
    if sys.stdin.isatty():
        said = "wort: waiting for an assistant on standard input. Assistants start this command themselves: "
        typer.echo(f"{said}docs/assistants.md says how. Ctrl-C ends it.", err=True)
    signal.signal(signal.SIGINT, _end)
    with _of_output():
        assistants.run("stdio")


@contextmanager
def _of_output() -> Iterator[None]:
    """Have errors of a full disk name standard output, which the protocol writes by a way of its own."""
    try:
        yield
    except (OSError, ExceptionGroup) as raised:
        error = alone(raised)
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OSError(error.errno, error.strerror, OUTPUT) from None
        raise


def _end(*_: object) -> None:
    """End this process, as one that was interrupted.

    A thread waits for the next line of standard input, and nothing can wake it: whatever is wound up in order
    would wait for it. What is answered is written line by line, and nothing else is kept here.
    """
    os._exit(128 + signal.SIGINT)
