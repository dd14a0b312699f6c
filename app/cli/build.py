"""``wort build``: from a dump to a snapshot."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import date as day
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.filesize import decimal
from rich.table import Table

from app.cli.interruption import GOES_ON, told_when_stopped
from app.cli.progress import STDERR, steps
from encoders.shipped import shipped_encoder

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from building.engines.runner import Runner
    from snapshots.manifest import Manifest

Engine = Literal["duckdb", "spark"]
"""What runs a build."""

SHIPPED = "shipped"
"""What names the encoder that comes with wort."""


def build(
    dump: Annotated[
        Path,
        typer.Argument(
            help="A pages-articles dump: .xml, .xml.bz2, or multistream with its index beside it."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make; it must not exist.")],
    index: Annotated[
        Path | None, typer.Option(help="The index of a multistream dump, if it is not beside it.")
    ] = None,
    memory: Annotated[
        str,
        typer.Option(
            help="How much memory the build may use, 500MB or more. More is faster.", metavar="SIZE"
        ),
    ] = "4GB",
    workers: Annotated[
        int | None,
        typer.Option(
            help="How many processes; one a core by default. With 1 a build repeats to the bit.", min=1
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help="Leave out a stage, such as word2vec: its features then have no evidence. Repeatable."
        ),
    ] = None,
    encoder: Annotated[
        str,
        typer.Option(
            metavar="FOLDER|shipped|none",
            help="The folder of a sentence encoder, whose vectors of titles and leads become tables; the one "
            "that comes with wort; or no such tables.",
        ),
    ] = SHIPPED,
    date: Annotated[
        str, typer.Option(help="The dump's date, YYYY-MM-DD, where its file name does not state it.")
    ] = "",
    made_of: Annotated[
        list[str] | None,
        typer.Option(
            help="A work that an assembled dump is made of, such as 'Simple English Wikipedia (February "
            "2017)': answers name it, instead of the dump. Repeatable."
        ),
    ] = None,
    invented_ids_from: Annotated[
        int | None,
        typer.Option(
            help="The least page id that an assembled dump made up: these are neither shown nor accepted.",
            min=0,
            max=2**63 - 1,
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option(help="DuckDB and processes on this machine, or Apache Spark: see --master.")
    ] = "duckdb",
    master: Annotated[
        str | None,
        typer.Option(
            help="The Spark cluster, such as spark://HOST:7077 or yarn, all of whose nodes share the folder "
            "of OUTPUT; by default Spark runs on this machine."
        ),
    ] = None,
    spark_conf: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="A setting of Spark, such as spark.executor.memory=8g. Repeatable."
        ),
    ] = None,
    keep_work: Annotated[
        bool, typer.Option("--keep-work", help="Keep the folder of intermediate tables, OUTPUT.build.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Build a snapshot from a Wikipedia dump.

    Stop it at any time: the same command goes on where it left off.
    """
    from building.memory import keep_little_memory

    keep_little_memory()  # before the engine is imported
    # Imported here: no other command needs the parser and the engine.
    from building.build import build_snapshot, check_left_out, work_folder
    from building.target import check_target
    from snapshots.errors import BuildError
    from wiki.dump import Dump

    left_out = frozenset(without or ())
    try:
        check_left_out(left_out)
    except BuildError as error:
        raise typer.BadParameter(str(error), param_hint="--without") from None
    _check_date(date)
    runner = _engine(engine, master, spark_conf, workers or os.cpu_count() or 1, memory)
    target = output.absolute()
    check_target(target)
    _refuse_archives(dump)
    opened = Dump.open(dump.absolute(), index and index.absolute())  # other nodes have other current folders
    with (
        told_when_stopped(GOES_ON),
        runner(work_folder(target) / "scratch") as running,
        steps(quiet) as shown,
    ):
        snapshot = build_snapshot(
            opened,
            target,
            running,
            dump_date=date,
            works=made_of or (),
            invented_ids_from=invented_ids_from,
            without=left_out,
            encoded_by=_folder_of(encoder),
            announce=shown.begin,
            progress=shown.advance_to,
            keep_work=keep_work,
        )
    if not quiet:
        STDERR.print(_summary(snapshot.manifest))
        STDERR.print(_left_aside(snapshot.manifest.counts), highlight=False, soft_wrap=True)
    typer.echo(f"{output}: snapshot {snapshot.id}, {snapshot.concepts:,} concepts")


def _check_date(date: str) -> None:
    """Refuse what is no day: it would stand in the snapshot for ever.

    Raises:
        typer.BadParameter: it is none.
    """
    if date and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        raise typer.BadParameter("a date is written YYYY-MM-DD", param_hint="--date")
    try:
        day.fromisoformat(date or "2001-01-15")
    except ValueError:
        raise typer.BadParameter(f"there is no day {date}", param_hint="--date") from None


def _refuse_archives(dump: Path) -> None:
    """Say what is wrong with a folder, and with what unpacks to one.

    Raises:
        NotADump: it is such.
    """
    from wiki.errors import NotADump

    if dump.is_dir():
        raise NotADump(f"{dump} is a folder. Name the dump file in it, such as a pages-articles .xml.bz2.")
    if dump.is_file() and re.search(r"\.(tar(\.\w+)?|t[bgx]z2?)$", dump.name, re.IGNORECASE):
        raise NotADump(
            f"{dump} is an archive of files. Unpack it with tar -xf, and name the dump file that was in it."
        )


def _folder_of(encoder: str) -> Path | None:
    """The folder of the encoder that --encoder names; None for no encoder."""
    if encoder == SHIPPED:
        return shipped_encoder()
    return None if encoder == "none" else Path(encoder).absolute()


def _engine(
    engine: Engine, master: str | None, spark_conf: list[str] | None, workers: int, memory: str
) -> Callable[[Path], AbstractContextManager[Runner]]:
    """What opens the engine, given its scratch folder."""
    from building.engines import local, spark, spark_session

    if engine != "spark":
        for option, given in (("--master", master), ("--spark-conf", spark_conf)):
            if given is not None:
                raise typer.BadParameter("it is of Spark alone; add --engine spark", param_hint=option)
    settings = dict(setting.partition("=")[::2] for setting in spark_conf or ())
    if not all(settings.values()):
        raise typer.BadParameter("a setting is written KEY=VALUE", param_hint="--spark-conf")
    size = parse_size(memory)
    least = (spark_session if engine == "spark" else local).LEAST_MEMORY
    if size < least:
        raise typer.BadParameter(
            f"a build needs {least // 1_000_000}MB or more, not {memory}", param_hint="--memory"
        )
    if engine == "spark":
        return lambda scratch: spark.SparkRunner(
            workers, size, scratch, master or spark_session.LOCAL, settings
        )
    return lambda scratch: local.LocalRunner(workers, size, scratch)


def parse_size(text: str) -> int:
    """Return the number of bytes that ``text`` (4GB, 512 MB, 2GiB) means."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", text, re.IGNORECASE)
    if match is None:
        raise typer.BadParameter(f"{text!r} is not a size such as 4GB", param_hint="--memory")
    base = 1024 if match[3] else 1000
    return int(float(match[1]) * base ** " KMGT".index(match[2].upper() or " "))


def _summary(manifest: Manifest) -> Table:
    columns = ("stage", "seconds", "share", "peak memory")
    table = Table(*columns, title="What the build cost", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    whole = sum(stage.seconds for stage in manifest.stages) or 1.0
    for stage in manifest.stages:
        share, peak = f"{stage.seconds / whole:.0%}", decimal(stage.peak_bytes)
        table.add_row(stage.name, f"{stage.seconds:.1f}", share, peak)
    highest = max((stage.peak_bytes for stage in manifest.stages), default=0)
    table.add_row("together", f"{whole:.1f}", "", decimal(highest), style="bold")
    return table


def _left_aside(counts: dict[str, int]) -> str:
    """What became of the pages that are no article."""
    return (
        f"Redirects: {counts['redirects']:,} (in loops {counts['redirect_loops']:,}, "
        f"to no page {counts['redirects_dangling']:,}). Disambiguation pages: {counts['disambiguations']:,}. "
        f"Pages that cannot be used: {counts['problems']:,}, listed in parquet/problems.parquet."
    )
