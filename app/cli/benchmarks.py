"""``wort benchmarks``: which benchmarks there are, where their files are, and whether these are sound."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.cli.exit_codes import FINDINGS
from app.cli.progress import steps
from app.cli.settings import read_settings

if TYPE_CHECKING:
    from training.benchmarks.declared import Declaration

ALL = "all"
"""What stands for every benchmark that was found."""

_WIDTH = 100
"""How wide the table is where the terminal does not say how wide it is."""

benchmarks = typer.Typer()

Folder = Annotated[
    Path | None,
    typer.Option("--data-dir", help="The folder to look in; without it, WORT_DATA_DIR.", metavar="FOLDER"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(help="The benchmark's name, or a .toml file that declares one.")]


@benchmarks.callback(invoke_without_command=True)
def _benchmarks(context: typer.Context, data_dir: Folder = None, json: Json = False) -> None:
    """The benchmarks of the field: what each is, and whether its file is there. Nothing is downloaded.

    Without a command, all are listed.
    """
    if context.invoked_subcommand is None:
        show_list(data_dir, json)


@benchmarks.command("list")
def show_list(data_dir: Folder = None, json: Json = False) -> None:
    """Every benchmark, with the place of its file or where to get it."""
    from training.benchmarks.declared import find_all, shipped

    folder = read_settings(data_dir=data_dir).data_dir
    files = find_all(shipped().values(), folder)
    if json:
        _print_json([_described(one, files.get(one.name)) for one in shipped().values()])
    else:
        _print_table(list(shipped().values()), files, folder)


@benchmarks.command()
def show(name: Name, data_dir: Folder = None, json: Json = False) -> None:
    """Everything that is declared of one benchmark."""
    from training.benchmarks.declared import find, named

    declaration = named(name)
    facts = _described(declaration, find(declaration, read_settings(data_dir=data_dir).data_dir))
    if json:
        _print_json(facts)
        return
    alternates = facts.pop("alternates", [])
    _print_facts(facts)
    for alternate in alternates:
        typer.echo("\nor another form, in which differ")
        _print_facts(alternate)


@benchmarks.command()
def check(
    name: Annotated[
        str, typer.Argument(help="A benchmark's name, a .toml file that declares one, or all that are found.")
    ] = ALL,
    data_dir: Folder = None,
    json: Json = False,
) -> None:
    """Read the files as they are declared: columns, scores, counts, first and last record, checksum.

    Exits with 1 where a file is not what was declared.
    """
    from training.benchmarks.check import check as checked
    from training.benchmarks.declared import find_all, locate, named, shipped

    folder = read_settings(data_dir=data_dir).data_dir
    if name == ALL:
        files = find_all(shipped().values(), folder)
        results = [checked(shipped()[one], path) for one, path in files.items()]
    else:
        declaration = named(name)
        results = [checked(declaration, locate(declaration, folder))]
    if json:
        _print_json(results)
    for result in [] if json else results:
        verdict = "not what was declared" if result.problems else "as declared"
        typer.echo(f"{result.name}: {result.rows:,} rows, {verdict}  {result.path}")
        for line in (*result.problems, *result.notes):
            typer.echo(f"  {line}")
    if not results:
        typer.echo(_nowhere(folder), err=True)
    if any(result.problems for result in results):
        raise typer.Exit(FINDINGS)


@benchmarks.command()
def titles(
    name: Name,
    data_dir: Folder = None,
    split: Annotated[
        Literal["train", "test"], typer.Option(help="Which rows to take, where the file marks them.")
    ] = "train",
) -> None:
    """Print the titles or terms of a benchmark, one a line, as wort excerpt --titles takes them."""
    from training.benchmarks.declared import locate, named
    from training.benchmarks.read import read_declared

    declaration = named(name)
    path = locate(declaration, read_settings(data_dir=data_dir).data_dir)
    judged = read_declared(declaration, path, split).judgements
    for title in sorted({title for pair in judged for title in (pair.left, pair.right)}):
        typer.echo(title)


@benchmarks.command()
def terms(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file of term pairs to write: .csv, .tsv or .jsonl.")
    ],
    snapshot: Annotated[Path, typer.Option(help="The snapshot whose redirects and links name the concepts.")],
    benchmark: Annotated[
        str | None, typer.Option(help="The benchmark of concepts: a name, or a .toml file.")
    ] = None,
    pairs: Annotated[
        Path | None, typer.Option(help="Or a bare file of concept pairs, as `wort evaluate` reads it.")
    ] = None,
    split: Annotated[
        Literal["train", "test"], typer.Option(help="Which rows to take, where the file marks them.")
    ] = "train",
    minimum_commonness: Annotated[
        float | None,
        typer.Option(help="The share of a term's uses that must be for the concept.", min=0.5, max=1),
    ] = None,
    minimum_link_probability: Annotated[
        float | None,
        typer.Option(
            help="The share of articles with the term that must link it, where it is no title.", min=0, max=1
        ),
    ] = None,
    data_dir: Folder = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Make a benchmark of terms from one of concepts (Ein-Dor et al. 2018, section 3.6).

    Every pair of terms that stand for the two concepts gets their score. Beside the output a .toml file is
    written that declares it; `wort evaluate --benchmark` takes that.
    """
    from app.cli.outputs import check_outputs
    from snapshots.snapshot import Snapshot
    from training.benchmarks.declared import locate, named
    from training.benchmarks.from_concepts import EquivalenceSettings, made_from, write_terms
    from training.benchmarks.read import read_benchmark, read_declared

    if (benchmark is None) == (pairs is None):
        raise typer.BadParameter("name the concepts: either --benchmark NAME or --pairs FILE.")
    if output.suffix.lower() not in {".csv", ".tsv", ".jsonl", ".ndjson"}:
        raise typer.BadParameter(f"{output} is no .csv, .tsv or .jsonl file.", param_hint="--output")
    check_outputs(output, output.with_suffix(".toml"), force=force)
    if benchmark is not None:
        declaration = named(benchmark)
        source = locate(declaration, read_settings(data_dir=data_dir).data_dir)
        concepts = read_declared(declaration, source, split)
    elif pairs is not None:
        concepts = read_benchmark(pairs, split)
    given = {
        "minimum_commonness": minimum_commonness,
        "minimum_link_probability": minimum_link_probability,
    }
    chosen = EquivalenceSettings(**{name: value for name, value in given.items() if value is not None})
    with steps(quiet) as shown:
        shown.begin("finding the concepts", "titles")
        made = made_from(concepts, Snapshot.open(snapshot), chosen, shown.advance_to)
    toml = write_terms(made, output, concepts, split)
    typer.echo(
        f"{output}: {len(made.pairs):,} pairs of terms, declared in {toml.name}. They come from "
        f"{made.resolved:,} of {len(concepts.judgements):,} pairs of concepts, which name {made.concepts:,} "
        f"concepts with {made.terms:,} terms; {made.without_terms:,} pairs have a concept without a term, "
        f"{made.identical:,} one concept on both sides."
    )


def _described(declaration: Declaration, file: Path | None) -> dict[str, Any]:
    import msgspec

    fields = {name: value for name, value in msgspec.to_builtins(declaration).items() if value is not None}
    return {**fields, "layout": declaration.reader, "found": None if file is None else str(file)}


def _print_facts(facts: dict[str, Any]) -> None:
    for key, value in facts.items():
        shown = _SEPARATORS.get(value, repr(value)) if key == "delimiter" and value else _plain(value)
        if value is not None and shown:
            typer.echo(f"{key:10} {shown}")


_SEPARATORS = {"\t": "a tab", ",": "a comma", ";": "a semicolon", " ": "a space", "whitespace": "whitespace"}
"""What delimiters are called that could not be seen, or not be told from the text around them."""


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {_plain(inner)}" if inner else key for key, inner in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list | tuple) else str(value)


def _print_json(value: object) -> None:
    import msgspec

    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def _print_table(listed: Sequence[Declaration], files: dict[str, Path], folder: Path | None) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("benchmark", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    for heading in ("pairs", "scores"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("language", no_wrap=True)
    table.add_column("licence")
    table.add_column("file", no_wrap=True)
    for one in listed:
        table.add_row(
            one.name,
            one.kind,
            "any" if one.rows is None else f"{one.rows:,}",
            "ranks" if one.kind == "rankings" else f"{one.low:g} to {one.high:g}",
            one.language or "",
            escape(one.licence),
            "found" if one.name in files else "–",
        )
    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    console.print(table)
    lines = [_nowhere(folder) if folder is None else f"Found under {folder}: {len(files)} of {len(listed)}."]
    # Paths and addresses are copied: a line each, which nothing breaks.
    width = max(len(one.name) for one in listed)
    for name, path in files.items():
        lines.append(f"  {name:{width}}  {path if folder is None else path.relative_to(folder)}")
    missing = [one for one in listed if one.name not in files]
    if missing:
        lines.append("Where to get the others:")
        lines += [f"  {one.name:{width}}  {one.source or 'not stated'}" for one in missing]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _nowhere(folder: Path | None) -> str:
    if folder is None:
        return "No folder of data is set: set WORT_DATA_DIR, or name one with --data-dir."
    return f"No benchmark's file was found under {folder}. `wort benchmarks` says where to get each."
