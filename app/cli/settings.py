"""The settings of a command: the environment's, and what its options say."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.misuse import meant_by
from app.cli.printable import printable
from app.wording import worded
from wort.schemas.relatedness import Ambiguous

if TYPE_CHECKING:
    from app.settings import Settings

ServedSnapshot = Annotated[
    Path | None,
    typer.Option(help="The snapshot to serve; without it and --model, the release in force is followed."),
]
ServedModel = Annotated[
    Path | None,
    typer.Option(
        metavar="NAME|FILE",
        help="The model to score with: wort-plus, wort, regression, or a file; without it, wort-plus if the "
        "snapshot has the tables that it reads, else wort.",
    ),
]
AskedSnapshot = Annotated[
    Path | None,
    typer.Option(help="The snapshot to use; without it, that of the release in force, else the package's."),
]
AskedAmbiguous = Annotated[
    Ambiguous,
    typer.Option(help="What becomes of a title that may mean several concepts: report, or resolve."),
]

AskedModel = Annotated[
    Path | None,
    typer.Option(
        metavar="NAME|FILE",
        help="The model to score with: wort-plus, wort, regression, or a file; of free terms, theirs "
        "of that name. Without it, that of the release in force, else the package's.",
    ),
]
Strict = Annotated[
    bool | None, typer.Option("--strict", help="Refuse a model that was trained on another snapshot.")
]


LOOKED_AT = ("snapshot", "model", "term_model")
"""The settings of what a server scores by."""


def read_settings(looked_at: Collection[str] = (), **given: Any) -> Settings:  # noqa: ANN401  # of many types
    """The environment's settings, with those that were ``given`` in their place, None being none.

    ``looked_at``: of ``snapshot``, ``model`` and ``term_model`` those that the command uses. A folder that
    the environment names has to be there, and a name to be that of a model.

    Raises:
        typer.BadParameter: a setting cannot be used.
        UnknownModelName: a model is named that there is not.
    """
    from pydantic import ValidationError

    from app.settings import Settings

    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        faults = (f"{_called(str(fault['loc'][0]), given)}: {worded(fault)}" for fault in error.errors())
        raise typer.BadParameter("; ".join(faults)) from None
    for name in looked_at:
        value, variable = getattr(settings, name), _called(name, given) if given.get(name) is None else None
        if name != "snapshot":
            from app.model_names import check_model_name

            check_model_name(value, variable)
        elif variable is not None and value is not None and not value.is_dir():
            raise typer.BadParameter(f"{variable}: there is no folder {printable(str(value))}.")
    return settings


def tell_unknown() -> None:
    """Say which variables of the environment look like settings and are none, and what may be meant."""
    from app.settings import Settings

    for variable in Settings.unknown(os.environ):
        # The beginning that all have would make any two near.
        near = get_close_matches(variable[5:].upper(), [name[5:] for name in Settings.variables()])
        meant = meant_by(f"WORT_{name}" for name in near)
        typer.echo(f"wort: There is no setting {printable(variable)}.{meant}", err=True)


def _called(name: str, given: Mapping[str, object]) -> str:
    """What a setting is called where it was set: its option, where that was ``given``, else its variable.

    >>> _called("log_level", {"port": 1}), _called("port", {"port": 1})
    ('WORT_LOG_LEVEL', '--port')
    """
    if given.get(name) is None:
        return f"WORT_{name.upper()}"
    return f"--{name.replace('_', '-')}"
