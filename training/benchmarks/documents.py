"""LP50 (Lee, Pincombe & Welsh 2005): fifty short texts, and how similar people found each two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from models.given import content_of
from training.benchmarks.declared import Declaration
from training.benchmarks.delimited import table_rows
from training.benchmarks.judgements import score_of
from training.benchmarks.rows import BenchmarkRow, in_range
from training.errors import BadRow, NotABenchmark

_NUMBERED = re.compile(r"(\d{1,9})\.?\t(.+)")
"""A line of the authors' release, which has other lines too; the corpus ``lee.cor`` is texts alone."""

_ENCODING = "latin-1"


def read_lp50(declaration: Declaration, path: Path, content: bytes) -> Iterator[BenchmarkRow]:
    """A row a pair of documents, from a table that names them by number and the file of texts beside it.

    Where people's ratings stand in rows of their own, as in the authors' release, a pair's score is their
    mean, and its line that of the first.

    Raises:
        NotABenchmark: the texts are missing, or a column is.
        BadRow: a row names a document that there is not, or is no rating.
    """
    texts = _texts(declaration, path.parent)
    ratings: dict[tuple[int, int], list[float]] = {}
    lines: dict[tuple[int, int], int] = {}
    for line, row in table_rows(declaration, path, content):
        first, second = (
            _number(row[column], column, texts, line) for column in (declaration.left, declaration.right)
        )
        pair = (min(first, second), max(first, second))
        rating = in_range(score_of(row[declaration.score], line), line, declaration)
        ratings.setdefault(pair, []).append(rating)
        lines.setdefault(pair, line)
    for pair, given in sorted(ratings.items()):
        yield BenchmarkRow(lines[pair], texts[pair[0]], texts[pair[1]], sum(given) / len(given))


def _number(text: str, column: str, texts: dict[int, str], line: int) -> int:
    number = int(text) if text.strip().isascii() and text.strip().isdigit() and len(text) < 10 else -1
    if number not in texts:
        raise BadRow(f"line {line}: {column} is {text!r}; the documents are {min(texts)} to {max(texts)}.")
    return number


def _texts(declaration: Declaration, folder: Path) -> dict[int, str]:
    """The documents by number, from the first of the files beside the scores that is there."""
    for name in declaration.beside:
        try:
            text = content_of(folder / name).decode(_ENCODING)
        except OSError:
            continue
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        numbered = [match for line in lines if (match := _NUMBERED.fullmatch(line))]
        texts = {int(match[1]): match[2] for match in numbered} or dict(enumerate(lines, start=1))
        if texts:
            return texts
    raise NotABenchmark(
        f"the texts of the documents are not beside it, in {' or '.join(declaration.beside) or 'any file'}. "
        "Put them there."
    )
