"""Is a file the one that was declared?"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import msgspec

from training.benchmarks.declared import Declaration, Record
from training.benchmarks.judgements import Judgement
from training.benchmarks.read import read_any
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
        benchmark = read_any(form, path)
    except BenchmarkError as error:
        return Checked(form.name, str(path), 0, (str(error),))
    problems: list[str] = []
    notes = [f"{benchmark.absent:,} further pairs name no article."] if benchmark.absent else []
    if form.kind == "rankings":
        notes = [f"{len({pair.left for pair in benchmark.judgements}):,} seeds."]
    else:
        problems += _differs("first", form.first, benchmark.judgements[0], form)
        problems += _differs("last", form.last, benchmark.judgements[-1], form)
    notes += _other_bytes(path.name, form.checksum, benchmark.checksum)
    for name, declared in form.beside.items():
        if (path.parent / name).is_file():
            checksum = hashlib.blake2b((path.parent / name).read_bytes(), digest_size=32).hexdigest()
            notes += _other_bytes(name, declared, checksum)
    return Checked(form.name, str(path), len(benchmark.judgements), tuple(problems), tuple(notes))


def _differs(which: str, declared: Record | None, pair: Judgement, form: Declaration) -> list[str]:
    if declared is None:
        return []
    read = pair.left, pair.right, pair.score
    # A document is declared by the words that it begins with.
    same = str.startswith if form.kind == "documents" else str.__eq__
    sides = all(same(is_there, said) for is_there, said in zip(read[:2], declared[:2], strict=True))
    if sides and math.isclose(read[2], declared[2], abs_tol=1e-6):
        return []
    shown = [f"{left[:60]!r}, {right[:60]!r}, {score:g}" for left, right, score in (read, declared)]
    return [f"Its {which} record is {shown[0]}; declared is {shown[1]}. Is it another version?"]


def _other_bytes(name: str, declared: str | None, checksum: str) -> list[str]:
    if not declared or declared == checksum:
        return []
    return [f"{name} has other bytes than the file that was declared (BLAKE2b-256 {checksum[:12]}…)."]
