"""``wort models``: what the registry holds, and what is in force."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.settings import read_settings
from app.cli.who import who as named

if TYPE_CHECKING:
    from models.registry.registry import Registry

models = typer.Typer(
    no_args_is_help=True,
    help="Keep models with their reports, compare them, and say which one is in force.",
)

Database = Annotated[
    str | None,
    typer.Option(
        help="The registry's URL, sqlite:///PATH or postgresql://…; else $WORT_DATABASE, else the file "
        "wort/wort.sqlite in $XDG_DATA_HOME, which is ~/.local/share if unset.",
        metavar="URL",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Ref = Annotated[str, typer.Argument(help="A model: NAME for its newest version, NAME@3 for the third.")]
Reason = Annotated[str, typer.Option(help="Why, in a few words; it is kept with the release.")]
Who = Annotated[str | None, typer.Option(help="Who does it; else $WORT_USER, else user@machine.")]
Verify = Annotated[
    bool,
    typer.Option("--verify/--no-verify", help="Check every file of the snapshot against its checksum."),
]
Expected = Annotated[
    int | None,
    typer.Option(min=0, help="Do it only while this release is in force; 0: while there is none."),
]


@models.command("list")
def list_(
    name: Annotated[str | None, typer.Argument(help="A model's name; all models if unset.")] = None,
    releases: Annotated[bool, typer.Option("--releases", help="List the releases instead.")] = False,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """List the registered models, or the releases."""
    from app.cli.registry.tables import (
        kept_in,
        line,
        print_json,
        release_facts,
        show_releases,
        show_versions,
        version_facts,
    )

    with open_registry(database) as registry:
        log = registry.releases()
        current = log[-1] if log else None
        if name is not None:
            name = registry.version(name).name
        if releases:
            log = [release for release in log if name in (None, release.model.rpartition("@")[0])]
            print_json([release_facts(entry) for entry in log]) if json else show_releases(log)
        else:
            versions = registry.versions(name)
            print_json([version_facts(model, current) for model in versions]) if json else show_versions(
                versions, current
            )
        if not json:
            line(kept_in(registry.address))


@models.command()
def show(
    ref: Ref,
    save_model: Annotated[Path | None, typer.Option(help="Write the model file here.")] = None,
    save_report: Annotated[Path | None, typer.Option(help="Write the report here, as JSON.")] = None,
    save_html: Annotated[Path | None, typer.Option(help="Write the report here, as a page.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")] = False,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Show a model: its data, figures, weights and releases. Write its files where that is asked for."""
    from app.cli.outputs import check_outputs
    from app.cli.registry.tables import print_json, release_facts, show_version, version_facts
    from models.files import decode
    from models.registry.errors import UnknownModel

    check_outputs(save_model, save_report, save_html, force=force)
    with open_registry(database) as registry:
        version = registry.version(ref)
        content = registry.artifact(version.ref)
        log = registry.releases()
        files = [
            (path, read(version.ref))
            for path, read in (
                (save_model, registry.artifact),
                (save_report, registry.report),
                (save_html, registry.report_html),
            )
            if path is not None
        ]
    for path, held in files:
        if held is None:
            raise UnknownModel(f"{version.ref} was registered without the report that {path} should hold.")
        path.write_bytes(held.encode() if isinstance(held, str) else held)
    made = [release for release in log if release.model_id == version.id]
    current = log[-1] if log else None
    if json:
        facts = version_facts(version, current)
        print_json({**facts, "releases": [release_facts(release) for release in made]})
    else:
        show_version(version, decode(content), made, current)


@models.command()
def compare(
    first: Ref,
    second: Ref,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Show two models side by side: data, snapshots, figures and weights."""
    from app.cli.registry.comparison import comparison, show_comparison
    from app.cli.registry.tables import print_json
    from models.files import decode

    with open_registry(database) as registry:
        left, right = registry.version(first), registry.version(second)
        of_left, of_right = decode(registry.artifact(left.ref)), decode(registry.artifact(right.ref))
    compared = comparison((left, right), (of_left, of_right))
    print_json(compared) if json else show_comparison(compared)


@models.command()
def add(
    model: Annotated[Path, typer.Argument(help="A model file, as `wort train` writes it.")],
    report: Annotated[Path | None, typer.Option(help="Its report as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Its report as a page.")] = None,
    name: Annotated[str | None, typer.Option(help="What to call it; the model's own name if unset.")] = None,
    note: Annotated[str, typer.Option(help="What is worth knowing of it.")] = "",
    who: Who = None,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Register a model file as the next version of its name."""
    from app.cli.registry.files import check_report, page_of, usable
    from app.cli.registry.tables import print_json, version_facts
    from models.given import content_of

    content = content_of(model)
    loaded = usable(content, str(model))
    reported = None if report is None else content_of(report)
    if reported is not None:
        check_report(reported, loaded, str(report))
    page = None if html is None else page_of(html)
    with open_registry(database, create=True) as registry:
        added = registry.register(
            content,
            name=name or loaded.name,
            snapshot=loaded.snapshot,
            report=reported,
            report_html=page,
            dataset=loaded.trained_on,
            who=named(who),
            note=note,
        )
    print_json(version_facts(added, None)) if json else typer.echo(f"{added.ref} is registered")


@models.command()
def promote(
    ref: Ref,
    snapshot: Annotated[Path, typer.Option(help="The folder of the snapshot that it was judged on.")],
    reason: Reason,
    who: Who = None,
    expected: Expected = None,
    verify: Verify = True,
    force: Annotated[
        bool, typer.Option("--force", help="Promote it on another snapshot than it was trained on.")
    ] = False,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Put a model in force together with a snapshot; running services take both within seconds.

    Every file of the snapshot is checked against its checksum first, some seconds a GB.
    """
    from app.cli.registry.files import releasable
    from app.cli.registry.snapshots import sound
    from app.cli.registry.tables import print_json, release_facts
    from app.errors import ForeignModel

    with open_registry(database) as registry:
        seen = registry.latest_number() if expected is None else expected
        version = registry.version(ref)
        loaded = releasable(registry.artifact(version.ref), version.ref)
        opened = sound(snapshot, verify)
        warning = loaded.check_snapshot(opened.id)
        warning = None if warning is None else f"{version.ref}: {warning}"
        if warning is not None and not force:
            raise ForeignModel(f"{warning} Name the folder of {loaded.snapshot}, or promote it with --force.")
        release = registry.promote(
            version.ref,
            snapshot_id=opened.id,
            location=str(snapshot.resolve()),
            reason=reason,
            who=named(who),
            expected=seen,
        )
    if warning is not None:
        typer.echo(f"wort: {warning}", err=True)
    print_json(release_facts(release)) if json else typer.echo(_in_force(release.number, release.model))


@models.command()
def rollback(
    reason: Reason,
    to: Annotated[
        int | None,
        typer.Option(
            min=0, help="The release to restore, 0 for what ships; the one before that in force if unset."
        ),
    ] = None,
    who: Who = None,
    expected: Expected = None,
    verify: Verify = True,
    force: Annotated[
        bool,
        typer.Option("--force", help="Go back even if its model or snapshot cannot be used from here."),
    ] = False,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """Put an earlier release in force again, by a new release with its model and snapshot.

    Before the first release, that is what ships with wort. Its model and the folder of its snapshot are
    looked at first, as for a promotion.
    """
    from app.cli.registry.snapshots import problem_of, what_ships
    from app.cli.registry.tables import print_json, release_facts
    from app.errors import BrokenRelease

    with open_registry(database) as registry:
        seen = registry.latest_number() if expected is None else expected
        target = registry.earlier(to)
        problem = problem_of(registry, target, verify)
        if problem is not None and not force:
            goal = "what ships" if target is None else f"release {target.number} ({target.model})"
            raise BrokenRelease(
                f"{goal} cannot be served: {problem} Go back to another release with --to, or to this one "
                "all the same with --force."
            )
        release = registry.rollback(
            reason=reason,
            who=named(who),
            shipped=what_ships() if target is None else None,
            to=0 if target is None else target.number,
            expected=seen,
        )
    if problem is not None:
        typer.echo(f"wort: {problem}", err=True)
    origin = "what ships with wort" if release.shipped else f"as in release {release.restores}"
    text = f"{_in_force(release.number, release.model)}, {origin}"
    print_json(release_facts(release)) if json else typer.echo(text)


@models.command()
def runs(
    limit: Annotated[int, typer.Option(min=1, help="List the newest so many.")] = 20,
    json: AsJson = False,
    database: Database = None,
) -> None:
    """List the retrainings, the newest first: who began each and when, and how it goes or ended."""
    from app.cli.registry.runs import run_facts, show_runs
    from app.cli.registry.tables import print_json
    from app.retraining.dead_runs import end_dead_runs

    with open_registry(database) as registry:
        # One whose process is gone would be listed as running for ever.
        end_dead_runs(registry)
        retrainings = registry.runs(limit)
    print_json([run_facts(run) for run in retrainings]) if json else show_runs(retrainings)


@models.command()
def export(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
    database: Database = None,
) -> None:
    """Write models, reports, releases and retrainings to one file: the backup."""
    from app.cli.outputs import check_outputs

    check_outputs(file, force=force)
    with open_registry(database) as registry:
        written = registry.export(file)
    typer.echo(f"{file}: {written:,} records")


@models.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file that `wort models export` wrote.")],
    database: Database = None,
) -> None:
    """Add what an export holds and the registry does not; refuse what is damaged or contradicts it."""
    with open_registry(database, create=True) as registry:
        added = registry.import_(file)
    typer.echo(f"{file}: {added:,} records are new here")


def open_registry(
    database: str | None, *, create: bool = False, made_by: str = "wort models add"
) -> Registry:
    """The registry that ``--database`` names, or the settings; made where there is none and ``create``."""
    from models.registry.registry import Registry

    return Registry.open(read_settings(database=database).registry, create=create, made_by=made_by)


def _in_force(number: int, model: str) -> str:
    return f"release {number} is in force: {model}"
