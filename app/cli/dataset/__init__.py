"""``wort dataset``: makes relatedness data of one's own, a module a command."""

from __future__ import annotations

import typer

from app.cli.dataset import create as create
from app.cli.dataset.agree import agree
from app.cli.dataset.project import project
from app.cli.dataset.select import select
from app.cli.dataset.worth import worth

dataset = typer.Typer(no_args_is_help=True, help="Make relatedness data of your own.")
select.command()(worth)
dataset.add_typer(select, name="select")
dataset.command()(agree)
dataset.add_typer(project, name="project")
