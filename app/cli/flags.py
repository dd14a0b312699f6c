"""How help shows arguments and options, and what is said of faulty ones: plainly, without types of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from app.cli.misuse import in_plain_words
from app.wording import number

_PLAIN = {int: "NUMBER", float: "NUMBER", str: "TEXT", Path: "PATH"}
"""What stands for a value of each type."""


def _plain(params: list[Any]) -> list[Any]:
    for param in params:
        described = getattr(param, "type_descriptor", None)
        if described is not None:
            # A file that may not be read is told of by what reads it, as one that is not there is.
            described.parameter_info.readable = False
        if param.param_type_name == "argument":
            _plain_argument(param)
        elif getattr(param, "is_bool_flag", False):
            # Nobody writes a value behind a flag.
            param.metavar = param.metavar or ""
        elif param.metavar is None:
            param.metavar = _value(param)
    return params


def _plain_argument(param: Any) -> None:  # noqa: ANN401 the type that typer has here is its own
    """Show an argument by its name in capitals, as in the texts of help, and by no type."""
    if param.metavar is None:
        param.metavar = param.name.replace("_", "-").upper()
    param.display_type_rich = lambda ctx: None
    if param.required:  # what typer puts into braces, as others do a choice
        param.get_usage_pieces = lambda ctx: [f"{param.metavar}{'' if param.nargs == 1 else '...'}"]


def _value(param: Any) -> str | None:  # noqa: ANN401 as above
    """What stands behind an option in the help; None where typer lists what may be chosen."""
    described = getattr(param, "type_descriptor", None)
    if described is None or described.is_choice:
        return None
    kind = described.annotation
    if get_origin(kind) is list:
        kind = get_args(kind)[0]
    least, most = getattr(param, "min", None), getattr(param, "max", None)
    if least is None and most is None:
        return _PLAIN.get(kind, "TEXT" if isinstance(kind, type) and issubclass(kind, str) else "FILE")
    # The bounds are in the words before it.
    param._get_number_range_help_str = lambda: None
    return f"NUMBER {bounds(least, most)}"


def bounds(least: float | None, most: float | None) -> str:
    """Between which bounds a number lies, in words.

    >>> bounds(0.0, 1.0), bounds(1, None), bounds(1, 2**63 - 1), bounds(None, 1_000_000)
    ('from 0 to 1', 'from 1', 'from 1', 'to 1000000')
    """
    parts = [] if least is None else [f"from {number(least)}"]
    parts += [] if most is None or most > 2**53 else [f"to {number(most)}"]
    return " ".join(parts)


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 the type that typer has here is its own
        return _plain(super().get_params(ctx))


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 the type that typer has here is its own
        return _plain(super().get_params(ctx))

    def make_context(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401 as above
        with in_plain_words():
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 as above
        with in_plain_words():
            return super().invoke(ctx)


def with_plain_flags(app: typer.Typer) -> typer.Typer:
    """The same application, whose options and faults, and those of all its commands, are told of plainly."""
    app.info.cls = _Group
    for command in app.registered_commands:
        command.cls = _Command
    for group in app.registered_groups:
        group.cls = _Group
        if group.typer_instance is not None:
            with_plain_flags(group.typer_instance)
    return app
