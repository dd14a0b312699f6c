"""Is a file the one that was declared?"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import msgspec

from training.benchmarks.declared import Declaration, Record
from training.benchmarks.read import read_declared, read_rankings
from training.errors import BenchmarkError


class Checked(msgspec.Struct, frozen=True):
    """What was found of a benchmark's file.

    ``rows``: pairs, or ranked articles, that it has; ``problems``: why it cannot be used, or is not what was
    declared; ``notes``: what else to know of it.
    """

    name: str
    path: str
    rows: int
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def check(declaration: Declaration, path: Path) -> Checked:
    """Read a file as it is declared, and compare its first and last record and its checksum."""
    form = declaration.form(path)
    try:
        if form.kind == "rankings":
            benchmark = read_rankings(form, path)
            problems, notes = [], [f"{len({pair.left for pair in benchmark.judgements}):,} seeds."]
        else:
            benchmark = read_declared(form, path)
            ends = benchmark.judgements[0], benchmark.judgements[-1]
            records = [(pair.left, pair.right, pair.score) for pair in ends]
            problems = [
                *_differs("first", form.first, records[0], form),
                *_differs("last", form.last, records[1], form),
            ]
            notes = [f"{benchmark.absent:,} further pairs name no article."] if benchmark.absent else []
    except BenchmarkError as error:
        return Checked(form.name, str(path), 0, (str(error),))
    notes += _other_bytes(path.name, form.checksum, benchmark.checksum)
    for name, declared in form.beside.items():
        if (path.parent / name).is_file():
            found = hashlib.blake2b((path.parent / name).read_bytes(), digest_size=32).hexdigest()
            notes += _other_bytes(name, declared, found)
    return Checked(form.name, str(path), len(benchmark.judgements), tuple(problems), tuple(notes))


def _differs(which: str, declared: Record | None, found: Record, form: Declaration) -> list[str]:
    if declared is None:
        return []
    # A document is declared by the words that it begins with.
    same = str.startswith if form.kind == "documents" else str.__eq__
    sides = all(same(is_there, said) for is_there, said in zip(found[:2], declared[:2], strict=True))
    if sides and math.isclose(found[2], declared[2], abs_tol=1e-6):
        return []
    shown = [f"{left[:60]!r}, {right[:60]!r}, {score:g}" for left, right, score in (found, declared)]
    return [f"Its {which} record is {shown[0]}; declared is {shown[1]}. Is it another version?"]


def _other_bytes(name: str, declared: str | None, found: str) -> list[str]:
    if not declared or declared == found:
        return []
    return [f"{name} has other bytes than the file that was declared (BLAKE2b-256 {found[:12]}…)."]
