"""``wort tune``: a sentence encoder, tuned to people's judgements."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.benchmark_options import DataDir, OtherColumn, Quiet, benchmarks
from app.cli.progress import steps
from app.cli.settings import read_settings

if TYPE_CHECKING:
    from training.progress import Steps
    from wiki.beginnings import Articles


def tune(
    base: Annotated[Path, typer.Option(help="The folder of a sentence-transformers model, to start from.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write.")],
    pairs: Annotated[
        Path | None,
        typer.Option(help="The judgements: WORD's file, or a .csv, .tsv or .jsonl file with a topic a row."),
    ] = None,
    benchmark: Annotated[
        str | None, typer.Option(help="A declared benchmark instead: its name, or a .toml file.")
    ] = None,
    data_dir: DataDir = None,
    dump: Annotated[
        Path | None,
        typer.Option(help="The dump that has the titles' articles: sides are shown with their beginnings."),
    ] = None,
    teacher: Annotated[
        Path | None,
        typer.Option(
            help="The folder of a larger sentence-transformers model: it is learnt from by texts of --dump."
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help="How many folds are tuned at once.", min=1)] = 1,
    judge: Annotated[
        list[str] | None,
        typer.Option(help="A benchmark to judge by, before and after; several, or all."),
    ] = None,
    folds: Annotated[
        int,
        typer.Option(
            help="How many encoders are tuned besides, each without a part of the topics, so that a model "
            "can be trained on the same pairs; 0 for none.",
            min=0,
        ),
    ] = 10,
    passes: Annotated[int, typer.Option(help="How often each pair is shown.", min=1)] = 1,
    rate: Annotated[float, typer.Option(help="The highest learning rate.", min=0.0)] = 5e-5,
    tokens: Annotated[int, typer.Option(help="What is read of a text.", min=8, max=512)] = 64,
    kept: Annotated[
        float, typer.Option(help="The share of the base's weights in those of the end.", min=0.0, max=1.0)
    ] = 0.15,
    stop_early: Annotated[
        bool, typer.Option("--stop-early", help="Hold topics out, and stop where it gets no better on them.")
    ] = False,
    seed: Annotated[int, typer.Option(help="The seed of order, folds and dropout.", min=0)] = 1,
    licence: Annotated[str, typer.Option(help="The weights' licence, an SPDX expression.")] = "NOASSERTION",
    name: Annotated[str | None, typer.Option(help="The encoder's name; its folder's if unset.")] = None,
    left: Annotated[str | None, typer.Option(help="The column of one side in --pairs.")] = None,
    right: OtherColumn = None,
    score: Annotated[str | None, typer.Option(help="The column of the score, from 0 to 1.")] = None,
    topic: Annotated[str | None, typer.Option(help="The column of the topic.")] = None,
    language: Annotated[str, typer.Option(help="The language of the benchmarks to judge by.")] = "en",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the folder if it exists.")] = False,
    quiet: Quiet = False,
) -> None:
    """Tune a sentence encoder to people's judgements, for evidence of any two texts.

    It needs the extra `tune`; nothing is downloaded. What is interrupted goes on where it was, when the same
    command is given again. The folder that is written is what wort build --encoder takes.
    """
    from app.errors import OutputUnusable
    from app.outputs import check_folder
    from encoders.card import CARD
    from encoders.texts import opening
    from training.benchmarks.declared import named
    from training.errors import NotABenchmark
    from training.evaluation.sources import judgements_of
    from training.tuning import figures
    from training.tuning.encoder import open_encoder
    from training.tuning.folder import write_folder
    from training.tuning.recipe import School
    from training.tuning.settings import Tuning
    from training.tuning.tune import tune_encoder
    from wiki.beginnings import Articles, read_articles
    from wiki.dump import Dump

    if folds == 1:
        raise typer.BadParameter(
            "one fold leaves no pair to tune to. Ask for two or more, or for none (0).", param_hint="--folds"
        )
    if teacher is not None and dump is None:
        raise typer.BadParameter("--teacher needs --dump: it teaches by texts that stand there.")
    check_folder(output)
    if output.exists() and any(output.iterdir()):
        if not (output / CARD).is_file():
            raise OutputUnusable(f"{output} is not empty, and holds no encoder. Name another folder.")
        if not force:
            raise typer.BadParameter(f"{output} exists. Name another folder, or give --force.")
    settings = read_settings(data_dir=data_dir)
    (judgements,), _ = benchmarks(
        pairs,
        [] if benchmark is None else [benchmark],
        (left, right, score, topic),
        "train",
        settings,
        language,
    )
    if judgements.kind in {"rankings", "documents"}:
        raise NotABenchmark(
            f"{judgements.name} holds {judgements.kind}; an encoder is tuned to pairs of titles."
        )
    others, _ = judgements_of(judge, settings.data_dir, "all", language) if judge else ([], [])
    tuning = Tuning(passes=passes, rate=rate, tokens=tokens, kept=kept, seed=seed)
    titles = {title for row in judgements.judgements for title in (row.left, row.right)}
    with steps(quiet) as shown:
        articles = Articles({}, ())
        if dump is not None:
            shown.begin("reading how articles begin", "bytes")
            articles = read_articles(Dump.open(dump), titles, shown.advance_to)
        school = (
            None if teacher is None or dump is None else School(teacher, _texts(dump, articles, seed, shown))
        )
        openings = {title: opening(title, first) for title, first in articles.paragraphs.items()}
        before = figures.on(open_encoder(base, tokens=tokens), others)
        tuned = tune_encoder(
            judgements,
            base,
            openings,
            output.with_name(f"{output.name}.work"),
            tuning,
            folds,
            stop_early,
            shown,
            school,
            workers,
        )
        shown.begin("judging")
        by_name = {f"{judgements.name}, topics left out": figures.out_of_fold(tuned)}
        for name_of, numbers in figures.on(tuned.encoder, others).items():
            by_name[name_of] = numbers | {f"{key}_before": value for key, value in before[name_of].items()}
        card = write_folder(
            output,
            tuned,
            name=name or output.name,
            base=base,
            school=school,
            benchmark=judgements,
            settings=tuning,
            figures=by_name,
            texts=sorted(titles.union(articles.titles)),
            licence=licence,
            data_licence="" if benchmark is None else named(benchmark).licence,
            code_version=version("wort-server"),
            steps=shown,
        )
    for judged, numbers in card.figures.items():
        typer.echo(f"{judged}: {', '.join(f'{key} {value:.3f}' for key, value in numbers.items())}", err=True)
    typer.echo(f"{output}: encoder {card.name}, {card.digest}", err=True)


def _texts(dump: Path, articles: Articles, seed: int, shown: Steps) -> tuple[str, ...]:
    """Texts of a dump to learn from a teacher by."""
    from training.tuning.unjudged import articles_to_read, unjudged_texts
    from wiki.beginnings import read_articles
    from wiki.dump import Dump

    shown.begin("reading texts to learn from", "bytes")
    chosen = articles_to_read(articles.titles, seed)
    return unjudged_texts(read_articles(Dump.open(dump), chosen, shown.advance_to).paragraphs, seed)
