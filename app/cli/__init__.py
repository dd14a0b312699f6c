"""The command ``wort``: one module a command, and what several of them share."""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer

from app.cli.flags import with_plain_flags
from app.cli.printable import printable
from app.cli.standard_output import INPUT, OUTPUT, standard_output

COMMANDS = (
    "download",
    "build",
    "verify",
    "excerpt",
    "benchmarks",
    "dataset",
    "tune",
    "train",
    "evaluate",
    "experiments",
    "retrain",
    "models",
    "keys",
    "compare",
    "related",
    "search",
    "annotate",
    "matrix",
    "score",
    "serve",
    "mcp",
)
"""Every command, in the order of its use: what its module calls so, a function or a group of commands."""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"wort {version('wort-server')}")
        raise typer.Exit


def _wort(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """How related are two Wikipedia concepts?

    A number from 0 to 1 with its evidence, from any Wikipedia dump: download one, build its tables, train a
    model, and score pairs over HTTP or in files. `wort serve` alone serves the concepts that come with it;
    `wort compare Atheism Religion` asks about two of them without a server.

    Exit codes: 0 all is well, 1 the command found something wrong, 2 wrong use, 3 input that cannot be used,
    4 the machine or the network failed (disk full, port taken), 130 interrupted.
    """


def command_line(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """The command line with the commands ``names``. Only their modules are loaded."""
    wort = typer.Typer(
        name="wort",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    wort.callback()(_wort)
    for name in names:
        command = getattr(import_module(f"app.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            wort.add_typer(command, name=name)
        else:
            wort.command(name)(command)
    return with_plain_flags(wort)


def message(error: Exception) -> str:
    """What an error says to a person: of a file that cannot be used its name and why, without a number."""
    if isinstance(error, OSError) and error.strerror:
        if error.errno == errno.EBADF and error.filename in (INPUT, OUTPUT):
            return f"{error.filename} is closed"
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"this process may not have more memory {error}".rstrip()
    return str(error)


def main() -> None:
    """Run the command that the arguments name."""
    # Until a command says how it logs, what is worth knowing of is said as its errors are.
    logging.basicConfig(level=logging.WARNING, format="wort: %(message)s")
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        with standard_output():
            command_line([command] if command in COMMANDS else COMMANDS)(prog_name="wort")
    except Exception as error:
        # Imported here: a command that goes well need not know every part's errors.
        from app.cli.exit_codes import ENVIRONMENT, exit_code
        from app.cli.extras import missing_extra

        missing = missing_extra(error, command)
        code = exit_code(error) if missing is None else ENVIRONMENT
        if code is None:
            raise
        # What was asked, and titles, are others' words.
        print(f"wort: {printable(missing or message(error), lines=True)}", file=sys.stderr)
        sys.exit(code)
