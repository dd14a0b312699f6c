"""``wort dataset project create``: a project from a file of pairs or tuples."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli.dataset.project import AsJson, Database, ServiceUrl, opened, project

if TYPE_CHECKING:
    from datasets.annotation.records import Kind, NewItem, ProjectSettings


@project.command()
def create(
    pairs: Annotated[
        Path | None,
        typer.Argument(
            help="The table of pairs, as `select` writes it: .csv, .tsv or .jsonl.", metavar="PAIRS"
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="What to call it; annotators see it.")] = "",
    kind: Annotated[
        Literal["binary", "graded", "best-worst"],
        typer.Option(help="Related or not; a number on a scale; best and worst of a few."),
    ] = "binary",
    tuples: Annotated[
        Path | None, typer.Option(help="The table of tuples, for best-worst: of pairs or of terms.")
    ] = None,
    guidelines: Annotated[
        Path | None, typer.Option(help="A file of your own guidelines; else ours for the kind.")
    ] = None,
    wanted: Annotated[
        int | None, typer.Option(help="Judgements an item needs; else 10, or 8 of best-worst.", min=1)
    ] = None,
    low: Annotated[int | None, typer.Option(help="The lowest grade, else 0.", min=0)] = None,
    high: Annotated[int | None, typer.Option(help="The highest grade, else 4.", min=1)] = None,
    sides: Annotated[
        Literal["concepts", "terms"],
        typer.Option(help="What the sides are: articles, whose first paragraphs are shown, or terms."),
    ] = "terms",
    language: Annotated[str, typer.Option(help="The language of the sides, as a code.")] = "en",
    dump: Annotated[
        Path | None, typer.Option(help="The dump from which the first paragraphs of articles are taken.")
    ] = None,
    gold_share: Annotated[
        float | None, typer.Option(help="The share of gold questions in what is shown.", min=0, max=1)
    ] = None,
    gold_threshold: Annotated[
        float | None,
        typer.Option(help="Who answers a smaller share well is out; else 0.7.", min=0, max=1),
    ] = None,
    gold_minimum: Annotated[
        int | None, typer.Option(help="Nobody is out before so many gold answers; else 5.", min=1)
    ] = None,
    gold_tolerance: Annotated[
        int | None, typer.Option(help="How far a grade may be from the expected one; else 1.", min=0)
    ] = None,
    repeat_share: Annotated[
        float | None,
        typer.Option(help="The share of items to be judged again; else 0, graded 0.1.", min=0, max=1),
    ] = None,
    repeat_hours: Annotated[
        float | None, typer.Option(help="So many hours later at the earliest; else 24.", min=0)
    ] = None,
    session: Annotated[
        int | None, typer.Option(help="After so many answers a break is offered; else 50.", min=1)
    ] = None,
    detail: Annotated[
        list[str] | None,
        typer.Option(help="What annotators are asked of themselves, such as age. Repeatable; else nothing."),
    ] = None,
    url: ServiceUrl = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Make a project and print its owner's link, this once.

    PAIRS has left and right, and may have item, topic, group, left_text, right_text, left_url, right_url, and
    of gold questions gold and gold_note.
    """
    from app.cli.dataset.shown import link_address, project_facts
    from app.cli.printable import printable
    from app.cli.registry.tables import print_json
    from datasets.annotation.item_files import items_in

    settings = _settings(
        kind,
        {
            "wanted": wanted,
            "low": low,
            "high": high,
            "sides": sides,
            "language": language,
            "gold_share": gold_share,
            "gold_threshold": gold_threshold,
            "gold_minimum": gold_minimum,
            "gold_tolerance": gold_tolerance,
            "repeat_share": repeat_share,
            "repeat_after": None if repeat_hours is None else round(repeat_hours * 3600),
            "session": session,
            "details": tuple(detail) if detail else None,
        },
    )
    text = None if guidelines is None else guidelines.read_text("utf-8-sig")
    items = items_in(kind, pairs, tuples)
    if dump is not None:
        items, missing = _with_paragraphs(items, dump, quiet)
        for one in missing:
            typer.echo(printable(f"wort: {one} has no article in the dump, and no paragraph"), err=True)
    named = title or (pairs or tuples or Path("pairs")).stem
    with opened(database, create=True) as projects:
        made, token = projects.create(named, kind, items, settings, text)
    address = link_address(url, "owner", token)
    if json:
        print_json({**project_facts(made), "items": len(items), "address": address})
        return
    typer.echo(address)
    told = f"wort: project {made.id}, {made.title}: {len(items):,} items. Keep its owner's link."
    typer.echo(printable(told), err=True)


def _settings(kind: Kind, given: Mapping[str, object]) -> ProjectSettings:
    """The settings of the kind, with those that are given in their place."""
    import msgspec

    from datasets.annotation.defaults import settings_of

    changed = {name: value for name, value in given.items() if value is not None}
    return msgspec.structs.replace(settings_of(kind), **changed)


def _with_paragraphs(items: list[NewItem], dump: Path, quiet: bool) -> tuple[list[NewItem], list[str]]:
    from app.cli.progress import steps
    from datasets.annotation.paragraphs import with_first_paragraphs
    from datasets.selection.dump_texts import DumpTexts
    from wiki.dump import Dump

    with steps(quiet) as shown:
        return with_first_paragraphs(items, DumpTexts(Dump.open(dump)), shown)
