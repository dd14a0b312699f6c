"""One door to every file of judgements: what is asked for, whatever the layout."""

from __future__ import annotations

from pathlib import Path

from training.benchmarks.judgements import Benchmark, Split
from training.benchmarks.pairs import WORD_TRAIN, Columns, columns_of, read_pairs
from training.benchmarks.word import is_word, read_word
from training.errors import NotABenchmark


def read_benchmark(path: Path, split: Split, columns: Columns | None = None) -> Benchmark:
    """The judgements of ``split`` in the file at ``path``.

    The header tells WORD's official layout, which is read as such whatever ``columns`` says, and its
    repaired train split; any other file is read by ``columns``.

    Raises:
        BenchmarkError: the file cannot be read, or has no such rows.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NotABenchmark(
            f"{path} cannot be read as a file of pairs: {error.strerror or error}."
        ) from error
    header = columns_of(path, content)
    if is_word(header):
        return read_word(path, content, split)
    if columns is None and set(header) >= {WORD_TRAIN.left, WORD_TRAIN.right, WORD_TRAIN.topic}:
        columns = WORD_TRAIN
    return read_pairs(path, content, split, columns or Columns())
