"""What models say where two titles share a word: of pairs that people judged, and of mere namesakes.

``python -m benchmarks.shared_words SNAPSHOT PAIRS [--encoder FOLDER] [--json FILE]`` judges predictions of
topics left out as ``benchmarks.error_analysis`` does, by whether the titles share a word and whether any
article links to both; and has the models that come with wort score ``NAMESAKES``. docs/error-analysis.md
shows what ``--json benchmarks/results/shared_words.json`` keeps, once ``python -m benchmarks.pages`` has run.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.error_analysis import kinds_table, out_of_fold_scores
from benchmarks.everyday_pairs import EverydayPair, columns_of, models_for
from benchmarks.pair_kinds import PairTraits, words_of
from benchmarks.report import Cell, Table, new_report, publish
from measures.arrays import Bools
from snapshots.snapshot import Snapshot

NAMESAKES = (
    ("Moon", "Keith Moon"),
    ("Mercury (planet)", "Freddie Mercury"),
    ("Grey wolf", "Hugo Wolf"),
    ("Bird", "Larry Bird"),
    ("Piano", "Renzo Piano"),
    ("Tiger", "Tiger Woods"),
    ("Ice", "Ice-T"),
    ("Boxing", "Boxing Day"),
    ("Sun", "Sun Microsystems"),
    ("Fear", "Fear Factor"),
)
"""A thing, and somebody or something that is called so and has nothing to do with it: anybody says 0."""


def kinds_of(traits: PairTraits) -> dict[str, Bools]:
    """The pairs, bool[n], by a word in common and by articles that link to both; no identical ones."""
    shared = traits.each(lambda left, right: not words_of(left).isdisjoint(words_of(right)))
    in_links = traits.snapshot.csr("in_links")
    sides = zip(traits.pairs.left.tolist(), traits.pairs.right.tolist(), strict=True)
    linked = np.array(
        [
            not set(in_links.row(left).tolist()).isdisjoint(in_links.row(right).tolist())
            for left, right in sides
        ]
    )
    other = ~traits.pairs.identical
    return {
        "a word in common, articles link to both": other & shared & linked,
        "a word in common, no article does": other & shared & ~linked,
        "no word in common, articles link to both": other & ~shared & linked,
        "no word in common, no article does": other & ~shared & ~linked,
    }


def namesakes_table(snapshot: Snapshot) -> Table:
    """What the models say of ``NAMESAKES``."""
    pairs = [EverydayPair("namesakes", *pair, 0, 0) for pair in NAMESAKES]
    said = columns_of(snapshot, models_for(snapshot, []), pairs)
    scores = zip(*said.scores.values(), strict=True)
    rows: list[tuple[Cell, ...]] = [
        (pair.titles, *(f"{score:.2f}" for score in row)) for pair, row in zip(pairs, scores, strict=True)
    ]
    return Table("namesakes", "A thing and its namesakes", ("pair", *said.scores), rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    snapshot = Snapshot.open(options.snapshot)
    pairs, predicted = out_of_fold_scores(snapshot, options.pairs, options.encoder)
    judged = kinds_table(kinds_of(PairTraits(snapshot, pairs)), pairs.scores, predicted)
    publish(new_report("shared_words", snapshot.id, [judged, namesakes_table(snapshot)]), options.json)


if __name__ == "__main__":
    main()
