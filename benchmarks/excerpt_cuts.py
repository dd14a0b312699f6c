"""What the cuts of an excerpt cost: bytes, and accuracy of both designs, by one setting changed at a time.

``python -m benchmarks.excerpt_cuts PAIRS SNAPSHOT ENCODER CONCEPTS [SETTING=NUMBER ...]`` prints them as
Markdown: of the whole snapshot, of an excerpt of so many concepts by the default settings, and of one for
each setting that is given. Figures are out of fold, as `wort train` has them; excerpts are written beside the
snapshot, and removed.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import msgspec

from building.excerpt import ExcerptSettings, most_linked, write_excerpt
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.read import read_benchmark
from training.coverage import cover
from training.design import DESIGNS
from training.left_out import keys_of, left_out_of, replaced
from training.statistics.correlation import pearson, spearman
from training.train import left_out_predictions


def accuracy(snapshot: Snapshot, judgements: Path, encoder: Path) -> list[str]:
    """Pearson / Spearman of the designs ``plus`` and ``default``, topics left out."""
    benchmark = read_benchmark(judgements, "train")
    pairs, _ = cover(benchmark, Resolver.open(snapshot))
    values = extract(snapshot, pairs.left, pairs.right)
    found = [left_out_predictions(pairs, values, DESIGNS["default"])]
    cosines = left_out_of(encoder, benchmark)
    if cosines is not None:
        keys = keys_of(pairs.judgements)
        values, pairs = (
            replaced(values, FEATURE_NAMES, keys, cosines),
            replace(pairs, topic=cosines.folds(keys)),
        )
    found.insert(0, left_out_predictions(pairs, values, DESIGNS["plus"]))
    return [f"{pearson(each, pairs.scores):.4f} / {spearman(each, pairs.scores):.4f}" for each in found]


def main(judgements: Path, folder: Path, encoder: Path, concepts: int, changes: list[str]) -> None:
    """Print the table."""
    parent = Snapshot.open(folder)
    print("| changed | MB | `wort-plus` | `wort` |\n|---|---|---|---|")
    print("| whole | |", " | ".join(accuracy(parent, judgements, encoder)), "|", flush=True)
    target = folder.with_name(f"{folder.name}-cut")
    for change in ("", *changes):
        given = dict([change.partition("=")[::2]]) if change else {}
        settings = msgspec.convert(given, ExcerptSettings, strict=False)
        cut = write_excerpt(parent, target, most_linked(parent, concepts), settings)
        size = sum(entry.size for entry in cut.manifest.files.values()) / 1e6
        figures = " | ".join(accuracy(Snapshot.open(target), judgements, encoder))
        print(f"| {change or 'nothing'} | {size:.1f} | {figures} |", flush=True)
        shutil.rmtree(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
