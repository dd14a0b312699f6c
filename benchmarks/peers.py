"""What peers take for the pairs that ``benchmarks.scoring`` scores, most for less than all features.

SciPy and gensim run in this process. Others run in a Python of their own (``--peer-python``), by
``benchmarks/peer_script.py``; where there is none, or it lacks them, a note says how to have them.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from gensim import matutils, similarities

from benchmarks.report import Cell, Table
from features.catalogue import OF_WORT, named
from measures.arrays import Floats, Ints
from models.protocol import RelatednessModel
from snapshots.snapshot import Snapshot
from tests.oracles.gathering import PlainEvidence, PlainTables

EVERYTHING = f"{len(OF_WORT)} features and the model"

FEW = 2000
"""Pairs that peers score in a round."""

LEAST_SECONDS = 1.0
"""Processor time of all rounds together: a processor that has just begun is slower than one at work."""

SCRIPT = Path(__file__).with_name("peer_script.py")


def table(
    snapshot: Snapshot,
    score: Callable[[Ints, Ints], Floats],
    model: RelatednessModel,
    left: Ints,
    right: Ints,
    pythons: Sequence[Path],
    encoder: Path | None,
) -> tuple[Table, list[str]]:
    """The table of peers over the first of the pairs, int64[n] both, and notes on those that are missing."""
    left, right = left[:FEW], right[:FEW]
    ours = _per_pair(lambda: score(left, right), len(left))
    rows: list[tuple[Cell, ...]] = [
        ("wort, a batch", EVERYTHING, ours),
        ("SciPy and NumPy, a batch", EVERYTHING, _scipy(snapshot, model, left, right)),
        ("gensim, matutils.cossim", "1: cosine of tf-idf vectors", _gensim_pairs(snapshot, left, right)),
        ("gensim, SparseMatrixSimilarity", "1: tf-idf, one against all", _gensim_all(snapshot, left)),
    ]
    others, notes = _elsewhere(snapshot, left, right, pythons, encoder)
    measured = [(*row, 1e6 / float(str(row[2])), float(str(row[2])) / ours) for row in rows + others]
    return (
        Table(
            "peers",
            "Beside peers, on the typical pairs",
            ("", "gives", "µs a pair", "pairs/s", "times wort's"),
            measured,
            f"{len(left):,} pairs, medians of three rounds or more, processor time. gensim is given the "
            "snapshot's tf-idf vectors, as lists and as an index, made beforehand; one against all counts as "
            "a pair with each. What takes titles looks them up, too. The encoder encodes them, which could "
            "be kept.",
        ),
        notes,
    )


def _per_pair(call: Callable[[], object], pairs: int) -> float:
    """Microseconds of processor time."""
    call()
    times: list[float] = []
    while len(times) < 3 or sum(times) < LEAST_SECONDS:
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times) / pairs * 1e6


def _scipy(snapshot: Snapshot, model: RelatednessModel, left: Ints, right: Ints) -> float:
    tables = PlainTables(snapshot)

    def score() -> Floats:
        evidence = PlainEvidence(tables, left, right)
        return model.score(np.column_stack([feature.compute(evidence) for feature in named(model.reads)]))

    return _per_pair(score, len(left))


def _gensim_pairs(snapshot: Snapshot, left: Ints, right: Ints) -> float:
    tfidf = snapshot.csr("tfidf")

    def bags(concepts: Ints) -> list[list[tuple[int, float]]]:
        return [
            list(zip(tfidf.row(row).tolist(), tfidf.row_values(row).tolist(), strict=True))
            for row in concepts.tolist()
        ]

    vectors = list(zip(bags(left), bags(right), strict=True))
    return _per_pair(lambda: [matutils.cossim(a, b) for a, b in vectors], len(left))


def _gensim_all(snapshot: Snapshot, concepts: Ints) -> float:
    tfidf = snapshot.csr("tfidf")
    rows = [list(zip(tfidf.row(row), tfidf.row_values(row), strict=True)) for row in range(snapshot.concepts)]
    index = similarities.SparseMatrixSimilarity(rows, num_features=tfidf.columns)
    asked = [rows[concept] for concept in concepts[:20]]
    return _per_pair(lambda: [index[bag] for bag in asked], len(asked) * snapshot.concepts)


def _elsewhere(
    snapshot: Snapshot, left: Ints, right: Ints, pythons: Sequence[Path], encoder: Path | None
) -> tuple[list[tuple[Cell, ...]], list[str]]:
    """The rows of the peers in a Python of their own, and notes on those that are missing."""
    names = {
        "wikipedia2vec": ("wikipedia2vec, two look-ups", "1: cosine of vectors, by titles"),
        "sentence_transformers": ("a sentence encoder, two titles", "1: cosine of titles, encoded"),
    }
    rows: list[tuple[Cell, ...]] = []
    notes = []
    with tempfile.TemporaryDirectory() as temporary:
        asked = Path(temporary) / "asked.json"
        titles = snapshot.concept_titles
        pairs = [(titles[a], titles[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
        every = [titles[row] for row in range(snapshot.concepts)]
        asked.write_bytes(msgspec.json.encode({"pairs": pairs, "titles": every, "encoder": _text(encoder)}))
        for name, (shown, gives) in names.items():
            run = _first_that_can(pythons, name, asked)
            if run is None:
                notes.append(
                    f"{name} was left out: give --peer-python a Python in which it is installed (from PyPI)"
                    + (", and --encoder the folder of a model." if name == "sentence_transformers" else ".")
                )
            else:
                rows.append((shown, gives, run))
    return rows, notes


def _first_that_can(pythons: Sequence[Path], name: str, asked: Path) -> float | None:
    """The microseconds that a peer takes a pair, in the first Python that has it."""
    for python in pythons:
        run = subprocess.run(
            [python, SCRIPT, name, asked], capture_output=True, text=True, check=False, cwd=asked.parent
        )
        if run.returncode == 0:
            return float(run.stdout.split()[-1])
    return None


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())
