"""Which measures saw a benchmark's pairs before they are judged by them, and are flattered by its figures."""

from __future__ import annotations

from collections.abc import Iterable

from encoders.card import Card
from models.protocol import RelatednessModel
from training.benchmarks.declared import declared_as, sharing
from training.benchmarks.judgements import Benchmark, Split


def has_seen(model: RelatednessModel, benchmark: Benchmark, split: Split) -> str | None:
    """How the model came to see pairs of the benchmark when it was trained, in words; None if it did not.

    It was trained on this file, alone or joined with others, or on a file of a declared benchmark that judges
    the same pairs, such as the same data in another layout.
    """
    trained = model.trained_on
    return _seen_in({trained.checksum, *(trained.parts or ())}, (trained.name,), benchmark, split)


def was_tuned_on(encoder: Card, benchmark: Benchmark, split: Split) -> bool:
    """Whether the encoder saw pairs of the benchmark when it was tuned; told as of models."""
    files, names = {of.checksum for of in encoder.data}, [of.name for of in encoder.data]
    return _seen_in(files, names, benchmark, split) is not None


def _seen_in(files: Iterable[str], names: Iterable[str], benchmark: Benchmark, split: Split) -> str | None:
    """As of ``has_seen``, of whoever learnt from files of these checksums and names."""
    if split == "test":
        return None
    if benchmark.checksum in files:
        return "on rows of this very file"
    learnt = frozenset[str]().union(
        *(declared_as(file) for file in files), *(declared_as("", name) for name in names)
    )
    judged = declared_as(benchmark.checksum, benchmark.name)
    if learnt & judged:
        return f"on {', '.join(sorted(learnt & judged))} in another file"
    shared = sorted(learnt & sharing(judged))
    return f"on {', '.join(shared)}, which has pairs of this benchmark" if shared else None
