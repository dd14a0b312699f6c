"""``wort dataset agree``: how far annotators agree, and the scores that their judgements give."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.batch.files.formats import STANDARD
from app.cli.dataset.filtering import (
    AsWord,
    Iterate,
    MinimumJudgements,
    MinimumKappa,
    Others,
    filter_settings,
)


def agree(
    judgements: Annotated[Path, typer.Argument(help="The file of judgements.", metavar="JUDGEMENTS")],
    kind: Annotated[
        Literal["binary", "graded", "best-worst"],
        typer.Option(help="Related or not; a number on a scale; best and worst of a few."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The score file to write: .csv or .tsv, and .toml beside it."),
    ] = None,
    items: Annotated[
        Path | None, typer.Option(help="A table of what items are: item, left, right, topic, group.")
    ] = None,
    low: Annotated[float | None, typer.Option(help="The lowest judgement of the scale.")] = None,
    high: Annotated[float | None, typer.Option(help="The highest.")] = None,
    filter_: AsWord = False,
    minimum_kappa: MinimumKappa = 0.25,
    minimum_judgements: MinimumJudgements = 8,
    others: Others = 3,
    iterate: Iterate = False,
    overlap: Annotated[
        int, typer.Option(help="Items that two annotators must have in common to be compared.", min=2)
    ] = 50,
    splits: Annotated[int, typer.Option(help="Random splits in halves.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Of the random splits.", min=0)] = 0,
    wanted: Annotated[
        float, typer.Option(help="The reliability that is aimed at.", min=0.01, max=0.999)
    ] = 0.9,
    width: Annotated[
        float,
        typer.Option(help="How wide an interval may be, as a share of the scale.", min=0.01, max=1.0),
    ] = 0.5,
    sides: Annotated[
        Literal["concepts", "terms"], typer.Option(help="With --output: what the sides of a pair are.")
    ] = "concepts",
    language: Annotated[
        str | None, typer.Option(help="With --output: the language of titles or terms, as en.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="A file for the report as a page with plots; - for standard output.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")] = False,
) -> None:
    """How far annotators agree, what their scores are worth, and how many judgements are enough.

    JUDGEMENTS has the columns annotator, item (or left and right) and judgement; of best-worst scaling
    item1, item2, …, best and worst. TR9856 is read as it was released. With --output the scores become a
    benchmark: `wort train --pairs` and `wort evaluate --benchmark` read it as it is.
    """
    # Imported here, so that help is quick.
    from app.cli.outputs import check_outputs, write
    from app.cli.reports.figures import show_sections
    from datasets.agreement.agreeing import agreement
    from datasets.agreement.report import AgreementSettings
    from datasets.agreement.score_file import write_scores
    from datasets.agreement.sections import page, sections

    toml = None if output is None else output.with_suffix(".toml")
    check_outputs(output, toml, html, force=force)
    if output is not None and output.suffix.lower() not in {".csv", ".tsv"}:
        raise typer.BadParameter(f"{output} is no .csv or .tsv file.", param_hint="--output")
    if filter_ and kind != "binary":
        raise typer.BadParameter("WORD's filter is of binary judgements.", param_hint="--filter")
    if kind != "graded" and (low is not None or high is not None):
        raise typer.BadParameter("--low and --high are of --kind graded; other scores go from 0 to 1.")
    settings = filter_settings(filter_, minimum_kappa, minimum_judgements, others, iterate, overlap)
    agreed = agreement(
        judgements,
        kind,
        AgreementSettings(overlap=overlap, splits=splits, seed=seed, wanted=wanted, width=width),
        items=items,
        scale=(low, high),
        settings=settings,
    )
    declared = None
    if output is not None:
        declared = write_scores(agreed.scored(sides, language), output)
    if html is not None:
        write(page(agreed.report, agreed.scores).encode(), html)
    if json:
        write(agreed.report.json(), STANDARD)
        return
    show_sections(sections(agreed.report, agreed.scores), html)
    for note in agreed.report.notes:
        typer.echo(note, err=html == STANDARD)
    if declared is not None:
        typer.echo(
            f"{output}: {agreed.report.items:,} scores, declared in {declared.name}.", err=html == STANDARD
        )
