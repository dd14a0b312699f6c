"""Which benchmarks are judged: those that are asked for by name or file, or all that are found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from training.benchmarks.declared import find_all, locate, named, shipped
from training.benchmarks.judgements import Benchmark, Split
from training.benchmarks.read import read_any
from training.errors import BenchmarkError, NotABenchmark
from training.evaluation.report import LeftOut

ALL = "all"
"""What stands for every declared benchmark that is found and is in the snapshot's language."""


def judgements_of(
    names: Sequence[str], data_dir: Path | None, split: Split, language: str
) -> tuple[list[Benchmark], list[LeftOut]]:
    """The benchmarks of ``asked_for``, and those that are left out.

    Raises:
        BenchmarkError: one that was asked for by its name cannot be found or read, or there is none at all.
    """
    sources, left_out = asked_for(names, data_dir or Path(), language, split)
    if not sources:
        raise NotABenchmark(_nothing_to_judge_by(left_out, data_dir))
    return sources, left_out


def _nothing_to_judge_by(left_out: Sequence[LeftOut], data_dir: Path | None) -> str:
    """Why there is nothing: of files that were found what is wrong with each, of all others no more."""
    present = find_all(shipped().values(), data_dir)
    wrong = "; ".join(f"{each.benchmark}: {each.reason}" for each in left_out if each.benchmark in present)
    if not wrong:
        return (
            f"no benchmark's file was found under {data_dir}. `wort benchmarks` says where to get each; put "
            "them there, or name another folder with --data-dir."
        )
    return f"no benchmark that was found can be judged by ({wrong}). `wort benchmarks` lists all."


def asked_for(
    names: Sequence[str], data_dir: Path, language: str, split: Split
) -> tuple[list[Benchmark], list[LeftOut]]:
    """The benchmarks of these names, files of TOML, or ``ALL``; and of the latter those that are left out.

    Raises:
        BenchmarkError: one that was asked for by its name cannot be found or read.
    """
    sources: dict[str, Benchmark] = {}
    left_out: list[LeftOut] = []
    for name in dict.fromkeys(names):
        if name == ALL:
            present, left_out = every(data_dir, language, split)
            sources.update((source.name, source) for source in present)
        else:
            declaration = named(name)
            sources[declaration.name] = read_any(declaration, locate(declaration, data_dir), split)
    return list(sources.values()), [entry for entry in left_out if entry.benchmark not in sources]


def every(data_dir: Path, language: str, split: Split) -> tuple[list[Benchmark], list[LeftOut]]:
    """The shipped benchmarks that are found in ``data_dir`` in ``language``, and why not the others."""
    sources: list[Benchmark] = []
    left_out = []
    paths = find_all(shipped().values(), data_dir)
    for declaration in shipped().values():
        path = paths.get(declaration.name)
        if path is None:
            got = f"; get it from {declaration.source}" if declaration.source else ""
            left_out.append(LeftOut(declaration.name, f"not found under {data_dir}{got}"))
        elif declaration.language not in {None, language}:
            reason = f"its language is {declaration.language}, the snapshot's {language}"
            left_out.append(LeftOut(declaration.name, reason))
        else:
            try:
                sources.append(read_any(declaration, path, split))
            except BenchmarkError as error:
                left_out.append(LeftOut(declaration.name, str(error)))
    return sources, left_out
