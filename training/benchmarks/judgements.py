"""What every benchmark is read into: pairs of titles with a score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from training.errors import BadRow, NotABenchmark

Split = Literal["train", "test", "all"]

BenchmarkKind = Literal["concepts", "terms", "documents", "rankings"]
"""What a benchmark's rows hold: two articles, two free terms, two texts, or a seed with ranked articles."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What people said of one pair: two titles (or Wikipedia URLs), terms or texts, and their score.

    ``topic``: the article that the pair comes from, or the context that its terms were judged in; None where
    the file has none. ``line``: the last line of the row in its file, counted from 1.
    """

    left: str
    right: str
    score: float
    topic: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The judgements of one file, in its order.

    ``checksum``: BLAKE2b-256 of the file, in hex. ``other_split``: rows that were left unread because they
    belong to the split that was not asked for. ``spellings``: for a title that lost letters to a broken
    encoding, every title that it may have been. ``kind``: what the judgements are of. ``low``, ``high``: the
    range of their scores. ``language``: of their titles and terms, None if unknown. ``title``: the
    benchmark's name in full. ``absent``: rows that were left out because a side has no article.
    """

    name: str
    checksum: str
    judgements: tuple[Judgement, ...]
    other_split: int = 0
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kind: BenchmarkKind = "concepts"
    low: float = 0.0
    high: float = 1.0
    language: str | None = None
    title: str | None = None
    absent: int = 0


def check_scores(benchmark: Benchmark) -> None:
    """Refuse scores outside the range that the benchmark states.

    Raises:
        BadRow: one is.
    """
    for judgement in benchmark.judgements:
        if not benchmark.low <= judgement.score <= benchmark.high:
            raise BadRow(
                f"{benchmark.name}: line {judgement.line}: the score {judgement.score:g} is not between "
                f"{benchmark.low:g} and {benchmark.high:g}. Correct it, or declare the scores' range."
            )


SPLIT = "Train/Test"
"""The column, or key of JSON, that marks rows: WORD's official file has it, others may."""


def mark_of(row: Mapping[str, object]) -> object:
    """What a row has in the column that marks it, whatever the case and the blanks of its name; None without.

    A name that is nearly right must not let test rows through as unmarked ones.
    """
    marks = [mark for name, mark in row.items() if name.strip().casefold() == SPLIT.casefold()]
    return marks[0] if marks else None


def check_header(names: Sequence[str]) -> None:
    """Refuse a header that names two columns alike: it would not be known which is meant.

    Raises:
        BadRow: it does.
    """
    known = [name.strip().casefold() for name in names if name.strip()]
    if repeated := {name for name in known if known.count(name) > 1}:
        raise BadRow(f"line 1: two columns are named {', '.join(sorted(repeated))}. Rename one of them.")


def belongs(mark: object, split: Split, line: int) -> bool:
    """Whether a row that is marked so belongs to ``split``. A row without a mark (None) is no test row.

    Raises:
        BadRow: the mark is neither Train nor Test.
    """
    if mark is None:
        return split != "test"
    text = mark.strip().lower() if isinstance(mark, str) else mark
    if text not in {"train", "test"}:
        raise BadRow(f"line {line}: {SPLIT} says {mark!r}, which is neither Train nor Test.")
    return split in {"all", text}


def no_rows(name: object, split: Split) -> NotABenchmark:
    """The error of a file that has no rows of ``split``."""
    rows = "pairs" if split == "all" else f"{split} rows"
    hint = (
        f" Its column {SPLIT} would mark them; ask for all rows of a file without." if split == "test" else ""
    )
    return NotABenchmark(f"{name} has no {rows}.{hint}")


def score_of(text: str | float, line: int) -> float:
    """The number that a score is written as.

    Raises:
        BadRow: it is no finite number.
    """
    try:
        score = float(text)
    except (ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        hint = " Write decimals with a point." if isinstance(text, str) and "," in text else ""
        raise BadRow(f"line {line}: the score {text!r} is not a number.{hint}")
    return score
