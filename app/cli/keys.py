"""``wort keys``: who may ask a server that requires a key."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from app.cli.models import AsJson, Database, Who, open_registry
from app.cli.who import who as named

if TYPE_CHECKING:
    from models.registry.records import Key

MADE_BY = "wort keys create"
"""The command that makes a registry for who has none."""

keys = typer.Typer(
    no_args_is_help=True,
    help="Make, list and revoke the keys of servers that require one (WORT_REQUIRE_KEY).",
)


@keys.command()
def create(
    name: Annotated[str, typer.Option(help="What to call it: who or what is going to send it.")],
    scope: Annotated[
        list[str], typer.Option(help="What it allows: score, or admin, which includes it. Repeatable.")
    ],
    expires: Annotated[
        str | None, typer.Option(help="The last day on which it works (UTC), as 2027-01-31; else for ever.")
    ] = None,
    who: Who = None,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Make a key and print it, this once: the registry keeps a digest from which nobody gets it back."""
    from app.cli.registry.tables import print_json
    from models.registry.keys import SCOPES

    for one in scope:
        if one not in SCOPES:
            there_are = ", ".join(map(repr, SCOPES))
            raise typer.BadParameter(f"{one!r} is not one of {there_are}.", param_hint="--scope")
    with open_registry(database, create=True, made_by=MADE_BY) as registry:
        made, key = registry.keys.create(
            name=name, scopes=scope, who=named(who), expires=None if expires is None else end_of(expires)
        )
    if json:
        print_json({**facts(made), "key": key})
        return
    typer.echo(key)
    typer.echo(f"wort: key {made.id}, {made.name}: keep it, it is not shown again", err=True)


@keys.command("list")
def list_(json: AsJson = False, database: Database = None) -> None:
    """List the keys that were ever made, without their secrets. When one was last used is not kept."""
    from app.cli.registry.tables import cells, minute, plain_table, print_json, show_table

    with open_registry(database, made_by=MADE_BY) as registry:
        listed = registry.keys.listed()
    if json:
        print_json([facts(key) for key in listed])
        return
    table = plain_table("id", "name", "scopes", "made", "by", "state")
    for key in listed:
        scopes = ", ".join(key.scopes)
        table.add_row(*cells(str(key.id), key.name, scopes, minute(key.created), key.who, state(key)))
    show_table(table)


@keys.command()
def revoke(
    key: Annotated[str, typer.Argument(help="The key's name, or its id.")],
    json: AsJson = False,
    database: Database = None,
) -> None:
    """End a key for good; running servers refuse it within WORT_FOLLOW_SECONDS."""
    from app.cli.registry.tables import print_json

    with open_registry(database, made_by=MADE_BY) as registry:
        ended = registry.keys.revoke(key)
    if json:
        print_json(facts(ended))
    else:
        typer.echo(f"key {ended.id}, {ended.name}, is revoked")


def end_of(day: str) -> datetime.datetime:
    """The end of a day in UTC, which is written as 2027-01-31."""
    try:
        last = datetime.date.fromisoformat(day)
        end = datetime.datetime.combine(
            last + datetime.timedelta(days=1), datetime.time(), tzinfo=datetime.UTC
        )
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{day!r} is no day. Write --expires 2027-01-31.") from None
    if end <= datetime.datetime.now(datetime.UTC):
        raise typer.BadParameter(f"{last} is over. Name a later day with --expires.")
    return end


def facts(key: Key) -> dict[str, object]:
    """What is told of a key: all but its digest."""
    fields = msgspec.structs.asdict(key)
    del fields["digest"]
    return {**fields, "state": state(key)}


def state(key: Key) -> str:
    """Whether a key is in force."""
    from app.cli.registry.tables import minute

    if key.revoked is not None:
        return f"revoked {minute(key.revoked)}"
    if key.expires is None:
        return "in force"
    expired = datetime.datetime.fromisoformat(key.expires) <= datetime.datetime.now(datetime.UTC)
    return f"expired {minute(key.expires)}" if expired else f"in force until {minute(key.expires)}"
