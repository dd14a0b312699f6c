"""``wort dataset project``: people judge pairs in the browser; what their owner does from the terminal."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.batch.files.formats import STANDARD
from app.cli.dataset.filtering import (
    AsWord,
    Iterate,
    MinimumKappa,
    Others,
    filter_settings,
)
from app.cli.settings import read_settings

if TYPE_CHECKING:
    from datasets.annotation.projects import Projects

project = typer.Typer(
    no_args_is_help=True,
    help="Have people judge pairs in the browser: docs/annotation.md.",
)

Database = Annotated[
    str | None,
    typer.Option(
        help="The URL of the projects, sqlite:///PATH or postgresql://…; else $WORT_ANNOTATION.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[int, typer.Argument(help="The project's number.", metavar="PROJECT")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
ServiceUrl = Annotated[
    str | None,
    typer.Option(
        help="Where the service is, to print the whole link; else this machine, at the port of $WORT_PORT.",
        metavar="URL",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
ExportFormat = Literal["csv", "items", "potato", "label-studio", "tr9856", "word", "bird", "zesch-gurevych"]
"""The names of ``EXPORTS``, which are not loaded for help."""
ImportFormat = Literal["csv", "potato", "label-studio", "tr9856"]
"""Those of ``IMPORTS``."""


@project.command("list")
def list_(json: AsJson = False, database: Database = None) -> None:
    """List the projects."""
    from app.cli.dataset.shown import project_facts, show_projects
    from app.cli.registry.tables import print_json

    with opened(database) as projects:
        listed = projects.listed()
    print_json([project_facts(one) for one in listed]) if json else show_projects(listed)


@project.command()
def show(number: Number, json: AsJson = False, database: Database = None) -> None:
    """Show how far a project is, its annotators and its links."""
    from app.cli.dataset.shown import progress_facts, show_progress
    from app.cli.registry.tables import print_json

    with opened(database) as projects:
        progress, links = projects.progress(number), projects.links(number)
    print_json(progress_facts(progress, links)) if json else show_progress(progress, links)


@project.command()
def invite(
    number: Number,
    scope: Annotated[
        Literal["invitation", "owner"],
        typer.Option(help="invitation: whoever follows it may judge; owner: may see and change the project."),
    ] = "invitation",
    note: Annotated[str, typer.Option(help="Whom it is for; only owners see it.")] = "",
    expires: Annotated[
        str | None, typer.Option(help="The last day on which it works (UTC), as 2027-01-31; else for ever.")
    ] = None,
    url: ServiceUrl = None,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Make a link and print it, this once: the database keeps a digest from which nobody gets it back."""
    from app.cli.dataset.shown import link_address, link_facts
    from app.cli.keys import end_of
    from app.cli.registry.tables import print_json

    with opened(database) as projects:
        day = None if expires is None else end_of(expires)
        made, token = projects.invite(number, scope, note=note, expires=day)
    address = link_address(url, scope, token)
    if json:
        print_json({**link_facts(made), "address": address})
        return
    typer.echo(address)
    typer.echo(f"wort: link {made.id} ({scope}): keep it, it is not shown again", err=True)


@project.command()
def withdraw(
    number: Number,
    link: Annotated[int, typer.Argument(help="The link's number, as `show` lists it.")],
    database: Database = None,
) -> None:
    """End a link for good. What was judged by it stays."""
    with opened(database) as projects:
        projects.withdraw(number, link)
    typer.echo(f"link {link} is withdrawn")


@project.command()
def want(
    number: Number,
    judgements: Annotated[int, typer.Argument(help="So many judgements of each item.", min=1)],
    database: Database = None,
) -> None:
    """Set how many judgements each item needs, more or fewer than before."""
    with opened(database) as projects:
        projects.want(number, judgements)
    typer.echo(f"each item of project {number} needs {judgements:,} judgements")


@project.command()
def close(number: Number, database: Database = None) -> None:
    """Ask nothing any more and take no answers."""
    with opened(database) as projects:
        projects.close(number)
    typer.echo(f"project {number} is closed")


@project.command()
def reopen(number: Number, database: Database = None) -> None:
    """Ask again what a closed project asked."""
    with opened(database) as projects:
        projects.reopen(number)
    typer.echo(f"project {number} is open")


@project.command()
def agree(
    number: Number,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The score file to write: .csv or .tsv, and .toml beside it."),
    ] = None,
    overlap: Annotated[
        int, typer.Option(help="Items that two annotators must have in common to be compared.", min=2)
    ] = 10,
    filter_: AsWord = False,
    minimum_kappa: MinimumKappa = 0.25,
    minimum_judgements: Annotated[
        int | None,
        typer.Option(
            help="With --filter: an item left with fewer is out; else 8 of 10 that it needs.", min=1
        ),
    ] = None,
    others: Others = 3,
    iterate: Iterate = False,
    html: Annotated[
        Path | None, typer.Option(help="A file for the report as a page with plots; - for standard output.")
    ] = None,
    json: AsJson = False,
    force: Force = False,
    database: Database = None,
) -> None:
    """How far the annotators of a project agree, as `wort dataset agree` says of a file; its scores."""
    from app.cli.outputs import check_outputs, write
    from app.cli.reports.figures import show_sections
    from datasets.agreement.report import AgreementSettings
    from datasets.agreement.score_file import write_scores
    from datasets.agreement.sections import page, sections
    from datasets.annotation.agreement import agreement_of

    check_outputs(output, None if output is None else output.with_suffix(".toml"), html, force=force)
    with opened(database) as projects:
        asked = projects.project(number).settings
        enough = minimum_judgements or ceil(0.8 * asked.wanted)  # WORD asked for ten and kept those with 8
        settings = filter_settings(filter_, minimum_kappa, enough, others, iterate, overlap)
        agreed = agreement_of(projects, number, AgreementSettings(overlap=overlap), settings)
    if output is not None:
        write_scores(agreed.scored(asked.sides, asked.language), output)
    if html is not None:
        write(page(agreed.report, agreed.scores).encode(), html)
    if json:
        write(agreed.report.json(), STANDARD)
        return
    show_sections(sections(agreed.report, agreed.scores), html)
    for note in agreed.report.notes:
        typer.echo(note, err=html == STANDARD)


@project.command()
def export(
    number: Number,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write; - for standard output.")],
    format_: Annotated[ExportFormat, typer.Option("--format", help="The format to write.")] = "csv",
    gold: Annotated[bool, typer.Option("--gold", help="With the answers to gold questions.")] = False,
    force: Force = False,
    database: Database = None,
) -> None:
    """Write what was judged: each judgement, or in the format of a data set."""
    from app.cli.outputs import check_outputs, write
    from datasets.annotation.exchange.formats import exported

    check_outputs(output, force=force)
    with opened(database) as projects:
        content = exported(projects, number, format_, gold=gold)
    write(content, output)


@project.command("import")
def import_(
    number: Number,
    file: Annotated[Path, typer.Argument(help="The file of judgements.")],
    format_: Annotated[
        ImportFormat, typer.Option("--format", help="csv, what potato or label-studio exported, or tr9856.")
    ] = "csv",
    database: Database = None,
) -> None:
    """Add judgements that were given elsewhere; the same file a second time adds nothing."""
    from datasets.agreement.reading import LARGEST
    from datasets.annotation.exchange.formats import imported
    from models.given import content_of

    content = content_of(file, LARGEST)
    with opened(database) as projects:
        new, known = imported(projects, number, format_, content)
    typer.echo(f"{new:,} judgements were added, {known:,} were there already")


@project.command("delete-annotator")
def delete_annotator(
    number: Number,
    annotator: Annotated[int, typer.Argument(help="The annotator's number, as `show` lists it.")],
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Delete all that is known of an annotator: judgements, what they said of themselves, links."""
    if not yes:
        typer.confirm(f"Delete annotator {annotator} of project {number} for good?", abort=True)
    with opened(database) as projects:
        judged = projects.delete_annotator(number, annotator)
    typer.echo(f"annotator {annotator} is deleted, with {judged:,} judgements")


@project.command()
def delete(number: Number, yes: Yes = False, database: Database = None) -> None:
    """Delete a project with all that was judged in it."""
    with opened(database) as projects:
        title = projects.project(number).title
        if not yes:
            typer.confirm(f"Delete project {number}, {title}, for good?", abort=True)
        projects.delete(number)
    typer.echo(f"project {number} is deleted")


def opened(database: str | None, *, create: bool = False) -> Projects:
    """The projects that are named, or those of the environment."""
    from datasets.annotation.projects import Projects

    url = database or read_settings().annotation
    if url is None:
        raise typer.BadParameter(
            "name where the projects are, such as sqlite:///annotation.sqlite, or set WORT_ANNOTATION",
            param_hint="--database",
        )
    return Projects.open(url, create=create)
