"""One door to every file of judgements: what is asked for, whatever the layout."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from models.given import content_of
from training.benchmarks.declared import Declaration, Layout
from training.benchmarks.delimited import read_delimited, read_json_lines, text_of
from training.benchmarks.documents import read_lp50
from training.benchmarks.judgements import Benchmark, Split, no_rows
from training.benchmarks.pairs import WORD_TRAIN, JudgementColumns, columns_of, read_pairs
from training.benchmarks.rankings import read_kore
from training.benchmarks.rows import BenchmarkRow, ReadRows, in_range, judged
from training.benchmarks.tr9856 import read_json, read_table
from training.benchmarks.word import COLUMNS, is_word, read_word
from training.errors import BadRow, BenchmarkError, NotABenchmark

LARGEST = 256 << 20
"""Bytes of a file of judgements; the largest that is declared has some million."""

_READERS: dict[Layout, Callable[[Declaration, Path, bytes], Iterator[BenchmarkRow]]] = {
    "delimited": read_delimited,
    "json-lines": read_json_lines,
    "tr9856": read_table,
    "tr9856-json": read_json,
    "lp50": read_lp50,
}


def read_benchmark(
    path: Path, split: Split, columns: JudgementColumns | None = None, largest: int = LARGEST
) -> Benchmark:
    """The judgements of ``split`` in the file at ``path``, which nothing declares.

    The header tells WORD's official layout, which is read as such whatever ``columns`` says, and its
    repaired train split; any other file is read by ``columns``. ``largest``: bytes that are read at the most.

    Raises:
        BenchmarkError: the file cannot be read, or has no such rows.
    """
    content = _content(path, largest)
    with _named(path, BadRow):
        header = columns_of(path, content)
        if columns is None and set(header) >= {WORD_TRAIN.left, WORD_TRAIN.right, WORD_TRAIN.topic}:
            columns = WORD_TRAIN
        read = (
            read_word(content, split)
            if is_word(header)
            else read_pairs(path, content, split, columns or JudgementColumns())
        )
    if not read.judgements:
        raise no_rows(path, split)
    return Benchmark(path.name, _checksum(content), read.judgements, read.other_split, read.spellings)


def read_declared(declaration: Declaration, path: Path, split: Split = "all") -> Benchmark:
    """As ``read_any``, of concept, term or document pairs.

    Raises:
        NotABenchmark: the file has not the declared columns or number of rows, or holds rankings.
        BadRow: a row cannot be read, or its score is outside the declared range.
    """
    if (form := declaration.form(path)).kind == "rankings":
        raise NotABenchmark(f"{form.name} holds rankings, not pairs with a score.")
    return read_any(form, path, split)


def read_any(declaration: Declaration, path: Path, split: Split = "all") -> Benchmark:
    """The judgements of ``split`` in a declared file; of rankings each seed with each article ranked by it.

    Rows that are marked Test are left unread where ``split`` is train, whatever the layout; rankings have no
    splits, and are read whole.

    Raises:
        NotABenchmark: the file has not the declared columns or number of rows.
        BadRow: a row cannot be read, or its score is outside the declared range.
    """
    declaration = declaration.form(path)
    content = _content(path)
    with _named(path, BadRow, NotABenchmark):
        if declaration.reader == "word":
            read = _word(declaration, path, content, split)
        elif declaration.reader == "kore":
            read = ReadRows(read_kore(text_of(content, declaration.encoding)), 0)
        else:
            read = judged(_READERS[declaration.reader](declaration, path, content), split, declaration)
        _check_rows(declaration, read, split)
    if not read.judgements:
        ranks = declaration.kind == "rankings"
        raise NotABenchmark(f"{path} has no rankings.") if ranks else no_rows(path, split)
    return Benchmark(
        name=declaration.name,
        checksum=_checksum(content),
        judgements=read.judgements,
        other_split=read.other_split,
        spellings=read.spellings,
        kind=declaration.kind,
        low=declaration.low,
        high=declaration.high,
        language=declaration.language,
        title=declaration.title or declaration.name,
        absent=read.absent,
    )


def _content(path: Path, largest: int = LARGEST) -> bytes:
    try:
        return content_of(path, largest)
    except OSError as error:
        raise NotABenchmark(
            f"{path} cannot be read as a file of pairs: {error.strerror or error}."
        ) from error


def _checksum(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=32).hexdigest()


@contextmanager
def _named(path: Path, *errors: type[BenchmarkError]) -> Iterator[None]:
    """Errors that are met in reading a file say which file it is."""
    try:
        yield
    except errors as error:
        raise type(error)(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error


def _word(declaration: Declaration, path: Path, content: bytes, split: Split) -> ReadRows:
    header = columns_of(path, content)
    if not is_word(header):
        raise NotABenchmark(
            f"line 1 should name the columns {', '.join(COLUMNS)}; it has {', '.join(header[:20]) or 'none'}."
        )
    read = read_word(content, split)
    for pair in read.judgements:
        in_range(pair.score, pair.line, declaration)
    return read


def _check_rows(declaration: Declaration, read: ReadRows, split: Split) -> None:
    rows = len(read.judgements) + read.absent
    total = rows + read.other_split
    if declaration.rows is not None and total != declaration.rows:
        what = "ranked articles" if declaration.kind == "rankings" else "pairs"
        raise NotABenchmark(
            f"{total:,} {what}, where {declaration.name} has exactly {declaration.rows:,}. The file is cut "
            f"off, or is another version. {_again(declaration)}"
        )
    expected = declaration.splits.get(split) if split != "all" else None
    if expected is not None and rows != expected:
        raise NotABenchmark(
            f"{rows:,} rows are marked {split.capitalize()}, where {declaration.name} has {expected:,}. "
            + _again(declaration)
        )


def _again(declaration: Declaration) -> str:
    source = f" from {declaration.source}" if declaration.source else ""
    return f"Get it again{source}, or declare the file that you have."
