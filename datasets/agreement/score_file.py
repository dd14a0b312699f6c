"""Scores as a benchmark: a table that training and evaluation read as it is, with its declaration."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from datasets.agreement.judgements import Item
from datasets.agreement.scores import ItemScores
from training.benchmarks.declared import write_declaration
from training.errors import NotABenchmark

_DIGITS = 6
"""Significant ones, of scores and their intervals; a mean of a thousand judgements has no more."""

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


class Scored(NamedTuple):
    """Items and their scores on a scale from ``low`` to ``high``; what ``sides`` are, and their language."""

    items: Sequence[Item]
    scores: ItemScores
    low: float
    high: float
    sides: Literal["concepts", "terms"] = "concepts"
    language: str | None = None
    title: str = ""


def write_scores(scored: Scored, path: Path) -> Path:
    """Write the scores to ``path`` (.csv or .tsv), and beside it the .toml that declares them; returns that.

    A row has left, right, score, the topic where items have one, and what the score rests on: low and high,
    the ends of its interval, the number of judgements and their deviation. Items without a judgement are left
    out.

    Raises:
        NotABenchmark: the sides of an item are not known, none has a score, or the name ends otherwise.
    """
    check_sides(scored.items)
    delimiter = _DELIMITERS.get(path.suffix.lower())
    if delimiter is None:
        raise NotABenchmark(f"{path} is no .csv or .tsv file. Name one for the scores.")
    places = np.flatnonzero(~np.isnan(scored.scores.score)).tolist()
    if not places:
        raise NotABenchmark("No item has a score: the annotators who judged them are left out.")
    topics = any(scored.items[place].topic for place in places)
    rows = [_row(scored.items[place], scored.scores, place, topics) for place in places]
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, list(rows[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    content = table.getvalue().encode()
    path.write_bytes(content)
    first, last = ([row["left"], row["right"], float(row["score"])] for row in (rows[0], rows[-1]))
    return write_declaration(
        path,
        {
            "name": "-".join(path.stem.split()),
            **({"title": scored.title} if scored.title else {}),
            "kind": scored.sides,
            **({"language": scored.language} if scored.language else {}),
            "files": [path.name],
            **({"topic": "topic"} if topics else {}),
            "low": scored.low,
            "high": scored.high,
            "rows": len(rows),
            "checksum": hashlib.blake2b(content, digest_size=32).hexdigest(),
            "first": first,
            "last": last,
        },
    )


def check_sides(items: Sequence[Item]) -> None:
    """Refuse items of which it is not known what pairs they are.

    Raises:
        NotABenchmark: there is one.
    """
    lacking = [item.name for item in items if not item.left]
    if lacking:
        raise NotABenchmark(
            f"{len(lacking):,} items are names alone, as {lacking[0]!r}: a score file has both sides of "
            "a pair. Add the columns left and right, or name a table of items (item, left, right)."
        )


def _row(item: Item, scores: ItemScores, place: int, topics: bool) -> dict[str, str]:
    row = {"left": item.left, "right": item.right, "score": _number(scores.score[place])}
    if topics:
        row["topic"] = item.topic or ""
    return row | {
        "low": _number(scores.low[place]),
        "high": _number(scores.high[place]),
        "judgements": str(scores.judgements[place]),
        "deviation": _number(scores.deviation[place]),
    }


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{float(value):.{_DIGITS}g}"
