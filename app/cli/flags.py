"""How help shows flags: by their names alone, since nobody writes a value behind them."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


def _plain(params: list[Any]) -> list[Any]:
    for param in params:
        if getattr(param, "is_bool_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 the type that typer has here is its own
        return _plain(super().get_params(ctx))


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 the type that typer has here is its own
        return _plain(super().get_params(ctx))


def with_plain_flags(app: typer.Typer) -> typer.Typer:
    """The same application, whose flags and those of all its commands have no type in the help."""
    app.info.cls = _Group
    for command in app.registered_commands:
        command.cls = _Command
    for group in app.registered_groups:
        group.cls = _Group
        if group.typer_instance is not None:
            with_plain_flags(group.typer_instance)
    return app
