"""``wort retrain``: a model from a user's judgements, and into force only if it is better."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli.benchmark_options import OtherColumn, Quiet, ReportFile, Resamples
from app.cli.exit_codes import FINDINGS
from app.cli.models import Database
from app.cli.progress import steps
from app.cli.settings import read_settings
from app.cli.who import who as invoker

if TYPE_CHECKING:
    from training.retraining.promotion import RetrainingResult


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
        Literal["default", "unconstrained", "plain", "plus", "all"] | None,
        typer.Option(
            help="What is fitted; without it, as the model in force. The features of WORT with fixed "
            "transforms besides, and no weight below 0 (default); the same with weights of either sign "
            "(unconstrained); the features as they are, with such weights (plain); a log-logistic model "
            "that compares texts, too (plus); every feature (all)."
        ),
    ] = None,
    left: Annotated[str | None, typer.Option(help="The column of one concept.")] = None,
    right: OtherColumn = None,
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
    who: Annotated[str | None, typer.Option(help="Who does it; else $WORT_USER, else user@machine.")] = None,
    note: Annotated[str, typer.Option(help="What to remember of it.")] = "",
    database: Database = None,
    report: ReportFile = None,
    html: Annotated[Path | None, typer.Option(help="A file for the report as a page.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    resamples: Resamples = 1000,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the reports if they exist.")] = False,
    quiet: Quiet = False,
    run: Annotated[int | None, typer.Option(hidden=True, help="The run that a server has begun.")] = None,
) -> None:
    """Retrain on judgements of yours, compare with the model in force, register, and promote if better.

    The exit code is 0 if the model was promoted, or registered where that was all that was asked; 1 if it was
    registered and the gate refused it.
    """
    # Imported here, so that help is quick and serving does without scikit-learn.
    from app.batch.files.formats import STANDARD
    from app.cli.outputs import check_outputs
    from app.retraining.dead_runs import end_dead_runs
    from app.serving.starter import model_path, snapshot_path
    from models.registry.registry import Registry
    from training.benchmarks.pairs import columns_named
    from training.retraining.gate import Gate
    from training.retraining.promotion import PromotionPolicy, Starter
    from training.retraining.retrain import retrain as run_retraining
    from training.retraining.running import Stopped, Stopping

    check_options(promote, reason, register_only, low, high)
    check_texts(name, note, who, reason)
    check_outputs(report, html, force=force)
    if as_json and report == STANDARD:
        raise typer.BadParameter("--json and --report - both write to standard output. Name a file for one.")
    settings = read_settings(("snapshot",), snapshot=snapshot, database=database)
    columns = columns_named(left, right, score, topic_column)
    policy = PromotionPolicy(invoker(who), note, reason, register_only)
    if run is not None:
        # Beside a server, whose requests go first.
        os.nice(10)
    stopping = Stopping()
    try:
        with (
            Registry.open(settings.registry) as registry,
            stopping.listening(),
            steps(quiet) as shown,
        ):
            end_dead_runs(registry)
            result = run_retraining(
                registry,
                pairs,
                policy,
                Starter("the starter's model", model_path(), snapshot_path()),
                snapshot=settings.snapshot,
                benchmarks=with_benchmark or [],
                columns=columns,
                scale=(low, high),
                name=name,
                design=design,
                gate=Gate(p=gate_p, margin=gate_margin, least_pairs=gate_pairs),
                resamples=resamples,
                data_dir=settings.data_dir,
                run=run,
                steps=shown,
                stopping=stopping,
            )
    except Stopped as stopped:
        typer.echo(f"wort: stopped by {stopped}; nothing was registered.", err=True)
        raise typer.Exit(128 + stopped.number) from None
    tell(result, registry.address, as_json=as_json, report=report)
    if html is not None:
        html.write_text(result.page(), encoding="utf-8")
    if result.outcome == "refused":
        raise typer.Exit(FINDINGS)


def check_options(promote: bool, reason: str | None, register_only: bool, low: float, high: float) -> None:
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


def tell(result: RetrainingResult, registry: str, *, as_json: bool, report: Path | None) -> None:
    """Print how it ended, for people or as JSON, and write the report where that was asked for.

    ``registry``: where the registry is, without a password.
    """
    import msgspec

    from app.batch.files.formats import STANDARD
    from app.cli.outputs import write
    from app.cli.registry.tables import kept_in

    write(result.report.json(), report)
    if as_json:
        facts = {
            "run": result.run,
            "outcome": result.outcome,
            "message": result.message,
            "model": result.version.ref,
            "release": result.release and result.release.number,
            "pairs": result.report.validation.pairs,
            "findings": {finding.name: finding.count for finding in result.report.validation.findings},
            "resolved": result.report.coverage.resolved,
            "metrics": result.report.metrics,
            "comparisons": result.report.comparisons,
            "gate": result.report.verdict,
            "registry": registry,
        }
        typer.echo(msgspec.json.encode(facts).decode())
        return
    lines = [
        f"{result.version.ref} {result.outcome}"
        + (f" as release {result.release.number}" if result.release else ""),
        result.message,
        *result.report.notes,
        kept_in(registry),
    ]
    for line in dict.fromkeys(lines):
        typer.echo(line, err=report == STANDARD)
