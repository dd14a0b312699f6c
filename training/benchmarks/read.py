"""One door to every file of judgements: what is asked for, whatever the layout."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from models.given import content_of
from training.benchmarks.declared import Declaration, Layout
from training.benchmarks.delimited import read_delimited, read_json_lines, text_of
from training.benchmarks.documents import read_lp50
from training.benchmarks.judgements import Benchmark, Split, no_rows
from training.benchmarks.pairs import WORD_TRAIN, PairColumns, columns_of, read_pairs
from training.benchmarks.rankings import Rankings, read_kore
from training.benchmarks.rows import FileRow, in_range, judged
from training.benchmarks.tr9856 import read_json, read_table
from training.benchmarks.word import COLUMNS, is_word, read_word
from training.errors import BadRow, NotABenchmark

LARGEST = 256 << 20
"""Bytes of a file of judgements; the largest that is declared has some million."""

_READERS: dict[Layout, Callable[[Declaration, Path, bytes], Iterator[FileRow]]] = {
    "delimited": read_delimited,
    "json-lines": read_json_lines,
    "tr9856": read_table,
    "tr9856-json": read_json,
    "lp50": read_lp50,
}


def read_benchmark(
    path: Path, split: Split, columns: PairColumns | None = None, largest: int = LARGEST
) -> Benchmark:
    """The judgements of ``split`` in the file at ``path``, which nothing declares.

    The header tells WORD's official layout, which is read as such whatever ``columns`` says, and its
    repaired train split; any other file is read by ``columns``. ``largest``: bytes that are read at the most.

    Raises:
        BenchmarkError: the file cannot be read, or has no such rows.
    """
    content = _content(path, largest)
    header = columns_of(path, content)
    if is_word(header):
        return read_word(path, content, split)
    if columns is None and set(header) >= {WORD_TRAIN.left, WORD_TRAIN.right, WORD_TRAIN.topic}:
        columns = WORD_TRAIN
    return read_pairs(path, content, split, columns or PairColumns())


def read_declared(declaration: Declaration, path: Path, split: Split = "all") -> Benchmark:
    """The judgements of ``split`` in a declared file of concept, term or document pairs.

    Rows that are marked Test are left unread where ``split`` is train, whatever the layout.

    Raises:
        NotABenchmark: the file has not the declared columns or number of rows, or holds rankings.
        BadRow: a row cannot be read, or its score is outside the declared range.
    """
    declaration = declaration.form(path)
    if declaration.kind == "rankings":
        raise NotABenchmark(f"{declaration.name} holds rankings, not pairs with a score.")
    content = _content(path)
    checksum = hashlib.blake2b(content, digest_size=32).hexdigest()
    try:
        if declaration.reader == "word":
            benchmark = _word(declaration, path, content, split)
        else:
            rows = _READERS[declaration.reader](declaration, path, content)
            judgements, other_split, absent = judged(rows, split, declaration)
            benchmark = Benchmark(declaration.name, checksum, judgements, other_split, absent=absent)
        _check_rows(declaration, benchmark, split)
    except (BadRow, NotABenchmark) as error:
        # WORD's reader says itself which file it is.
        raise type(error)(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error
    if not benchmark.judgements:
        raise no_rows(path, split)
    return replace(
        benchmark,
        name=declaration.name,
        kind=declaration.kind,
        low=declaration.low,
        high=declaration.high,
        language=declaration.language,
        title=declaration.title or declaration.name,
    )


def read_rankings(declaration: Declaration, path: Path) -> Rankings:
    """The rankings of a declared file.

    Raises:
        NotABenchmark: it has not the declared number of ranked articles, or holds pairs.
        BadRow: a line cannot be read.
    """
    declaration = declaration.form(path)
    if declaration.kind != "rankings":
        raise NotABenchmark(f"{declaration.name} holds {declaration.kind}, not rankings.")
    content = _content(path)
    try:
        rankings = read_kore(text_of(content, declaration.encoding))
        _check_number(declaration, sum(len(ranking.ranked) for ranking in rankings), "ranked articles")
    except (BadRow, NotABenchmark) as error:
        raise type(error)(f"{path}: {error}") from error
    if not rankings:
        raise NotABenchmark(f"{path} has no rankings.")
    return Rankings(
        declaration.name,
        hashlib.blake2b(content, digest_size=32).hexdigest(),
        rankings,
        declaration.language,
        declaration.title or declaration.name,
    )


def _content(path: Path, largest: int = LARGEST) -> bytes:
    try:
        return content_of(path, largest)
    except OSError as error:
        raise NotABenchmark(
            f"{path} cannot be read as a file of pairs: {error.strerror or error}."
        ) from error


def _word(declaration: Declaration, path: Path, content: bytes, split: Split) -> Benchmark:
    header = columns_of(path, content)
    if not is_word(header):
        raise NotABenchmark(
            f"line 1 should name the columns {', '.join(COLUMNS)}; it has {', '.join(header[:20]) or 'none'}."
        )
    benchmark = read_word(path, content, split)
    for pair in benchmark.judgements:
        in_range(pair.score, pair.line, declaration)
    return benchmark


def _check_rows(declaration: Declaration, benchmark: Benchmark, split: Split) -> None:
    read = len(benchmark.judgements) + benchmark.absent
    _check_number(declaration, read + benchmark.other_split, "pairs")
    expected = declaration.splits.get(split) if split != "all" else None
    if expected is not None and read != expected:
        raise NotABenchmark(
            f"{read:,} rows are marked {split.capitalize()}, where {declaration.name} has {expected:,}. "
            + _again(declaration)
        )


def _check_number(declaration: Declaration, found: int, what: str) -> None:
    if declaration.rows is not None and found != declaration.rows:
        raise NotABenchmark(
            f"{found:,} {what}, where {declaration.name} has exactly {declaration.rows:,}. The file is cut "
            f"off, or is another version. {_again(declaration)}"
        )


def _again(declaration: Declaration) -> str:
    source = f" from {declaration.source}" if declaration.source else ""
    return f"Get it again{source}, or declare the file that you have."
