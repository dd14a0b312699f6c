"""``wort retrain``: a model from a user's judgements, and into force only if it is better."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli.exit_codes import FINDINGS
from app.cli.progress import steps
from app.cli.settings import read_settings
from app.cli.who import who as invoker

if TYPE_CHECKING:
    from training.retraining.promotion import Settled


def retrain(
    pairs: Annotated[
        list[Path],
        typer.Option(help="Judgements of yours, .csv, .tsv or .jsonl; several files are joined."),
    ],
    with_benchmark: Annotated[
        list[str] | None,
        typer.Option(
            help="A set to learn from besides: a declared benchmark's name, or a file that declares one."
        ),
    ] = None,
    snapshot: Annotated[
        Path | None, typer.Option(help="The snapshot to learn on; without it, that of the release in force.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="The model's name; its versions are counted by name.")
    ] = "retrained",
    design: Annotated[
        Literal["default", "unconstrained", "plain"],
        typer.Option(
            help="The features with fixed transforms besides, and no weight below 0 (default); the same with "
            "weights of either sign (unconstrained); the features as they are, with such weights (plain)."
        ),
    ] = "default",
    left: Annotated[str | None, typer.Option(help="The column of one concept.")] = None,
    right: Annotated[str | None, typer.Option(help="The column of the other.")] = None,
    score: Annotated[str | None, typer.Option(help="The column of the score.")] = None,
    topic_column: Annotated[
        str | None,
        typer.Option("--topic-column", "--topic", help="The column of the topic, one of which is left out."),
    ] = None,
    low: Annotated[float, typer.Option(help="The lowest score of the scale.")] = 0.0,
    high: Annotated[float, typer.Option(help="The highest score of the scale.")] = 1.0,
    gate_p: Annotated[
        float, typer.Option(help="The level at which the gain must be significant.", min=0.0, max=1.0)
    ] = 0.05,
    gate_margin: Annotated[
        float, typer.Option(help="The least gain of Pearson's r that is worth a release.", min=0.0)
    ] = 0.005,
    gate_pairs: Annotated[int, typer.Option(help="The least pairs to compare over.", min=4)] = 100,
    promote: Annotated[
        bool, typer.Option("--promote", help="Promote whatever the gate says; takes --reason.")
    ] = False,
    reason: Annotated[str | None, typer.Option(help="Why to promote whatever the gate says.")] = None,
    register_only: Annotated[bool, typer.Option("--register-only", help="Promote nothing.")] = False,
    who: Annotated[str | None, typer.Option(help="Who does it; the user's name if unset.")] = None,
    note: Annotated[str, typer.Option(help="What to remember of it.")] = "",
    database: Annotated[str | None, typer.Option(help="The registry's URL.")] = None,
    report: Annotated[
        Path | None, typer.Option(help="A file for the report as JSON; - for standard output.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="A file for the report as a page.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples behind an interval.", min=1)] = 1000,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the reports if they exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    run: Annotated[int | None, typer.Option(hidden=True, help="The run that a server has begun.")] = None,
) -> None:
    """Retrain on judgements of yours, compare with the model in force, register, and promote if better.

    The exit code is 0 if the model was promoted, or registered where that was all that was asked; 1 if it was
    registered and the gate refused it.
    """
    # Imported here, so that help is quick and serving does without scikit-learn.
    from app.batch.files.formats import STANDARD
    from app.cli.reports.figures import check_outputs
    from app.cli.retraining import Asked, carry_out, page
    from app.retraining.dead_runs import end_dead_runs
    from models.registry.registry import Registry
    from training.benchmarks.pairs import columns_named
    from training.retraining.gate import Gate
    from training.retraining.promotion import Wish
    from training.retraining.running import RecordedRun, Stopped, Stopping

    check_wish(promote, reason, register_only, low, high)
    check_texts(name, note, who, reason)
    check_outputs(report, html, force=force)
    if as_json and report == STANDARD:
        raise typer.BadParameter("--json and --report - both write to standard output. Name a file for one.")
    settings = read_settings(snapshot=snapshot, database=database)
    asked = Asked(
        pairs,
        columns_named(left, right, score, topic_column),
        (low, high),
        with_benchmark or [],
        name,
        design,
        Gate(p=gate_p, margin=gate_margin, least_pairs=gate_pairs),
        resamples,
        Wish(invoker(who), note, reason, register_only),
        spooled=run is not None,
    )
    if run is not None:
        # Beside a server, whose requests go first.
        os.nice(10)
    stopping = Stopping()
    try:
        with Registry.open(settings.registry) as registry, stopping.listening():
            end_dead_runs(registry)
            begun = (
                registry.begin_run(who=asked.wish.who, parameters=asked.parameters, pid=os.getpid())
                if run is None
                else registry.run(run)
            )
            with steps(quiet) as shown, RecordedRun(registry, begun, shown) as recorded:
                retrained, settled = carry_out(asked, settings, registry, recorded, stopping)
                recorded.finish(settled)
    except Stopped as stopped:
        typer.echo(f"wort: stopped by {stopped}; nothing was registered.", err=True)
        raise typer.Exit(128 + stopped.number) from None
    tell(settled, begun.id, as_json=as_json, report=report)
    if html is not None:
        html.write_text(page(settled.report, retrained), encoding="utf-8")
    if settled.outcome == "refused":
        raise typer.Exit(FINDINGS)


def check_wish(promote: bool, reason: str | None, register_only: bool, low: float, high: float) -> None:
    """Refuse options that contradict each other.

    Raises:
        typer.BadParameter: they do.
    """
    if promote and not (reason or "").strip():
        raise typer.BadParameter("--promote goes past the gate, and the registry keeps why: add --reason.")
    if reason is not None and not promote:
        raise typer.BadParameter("--reason is of --promote; the gate writes its own.")
    if promote and register_only:
        raise typer.BadParameter("--promote and --register-only contradict each other.")
    if not (math.isfinite(low) and math.isfinite(high)):
        raise typer.BadParameter("--low and --high are the ends of a scale, and these are finite numbers.")
    if not low < high:
        raise typer.BadParameter(f"--low {low:g} is not below --high {high:g}.")


def check_texts(name: str, *texts: str | None) -> None:
    """Refuse what the registry would not keep before the work rather than after it.

    Raises:
        BadEntry: the name of the model, or another text, cannot be kept.
    """
    from models.registry.entries import checked_name, checked_text

    checked_name(name)
    for text in texts:
        checked_text(text or "", "an option")


def tell(settled: Settled, run: int, *, as_json: bool, report: Path | None) -> None:
    """Print how it ended, for people or as JSON, and write the report where that was asked for."""
    import msgspec

    from app.batch.files.formats import STANDARD

    if report == STANDARD:
        sys.stdout.buffer.write(settled.report.json())
    elif report is not None:
        report.write_bytes(settled.report.json())
    if as_json:
        result = {
            "run": run,
            "outcome": settled.outcome,
            "message": settled.message,
            "model": settled.version.ref,
            "release": settled.release and settled.release.number,
            "pairs": settled.report.validation.pairs,
            "findings": {finding.name: finding.count for finding in settled.report.validation.findings},
            "resolved": settled.report.coverage.resolved,
            "metrics": settled.report.metrics,
            "comparisons": settled.report.comparisons,
            "gate": settled.report.verdict,
        }
        typer.echo(msgspec.json.encode(result).decode())
        return
    lines = [
        f"{settled.version.ref} {settled.outcome}"
        + (f" as release {settled.release.number}" if settled.release else ""),
        settled.message,
        *settled.report.notes,
    ]
    for line in dict.fromkeys(lines):
        typer.echo(line, err=report == STANDARD)
