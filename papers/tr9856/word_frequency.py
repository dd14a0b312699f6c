"""What a small corpus costs: results by how frequent the terms' words are in it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from features.terms.extract import TermExtractor
from measures.arrays import Floats
from papers.tables import Cell, PaperTable, both_of
from training.statistics.correlation import pearson_spearman
from training.terms.fit import JudgedTerms

BOUNDS = (100, 1_000, 10_000)
"""Sentences with a pair's rarest word, where one band ends and the next begins."""


def by_rarest_word(
    judged: JudgedTerms, extractor: TermExtractor, columns: Mapping[str, Floats]
) -> PaperTable:
    """Each column's correlations over the pairs whose rarest word is about as frequent.

    A word that the snapshot does not know stands in none of its sentences that count.
    """
    rarest = np.array(
        [
            min(extractor.least_sentences(pair.left), extractor.least_sentences(pair.right))
            for pair in judged.pairs
        ]
    )
    rows: list[tuple[Cell, ...]] = []
    edges = (0, 1, *BOUNDS, None)
    for low, high in pairwise(edges):
        chosen = (rarest >= (low or 0)) & (rarest < (np.inf if high is None else high))
        figures = (
            figure
            for values in columns.values()
            for figure in pearson_spearman(values[chosen], judged.scores[chosen])
        )
        rows.append((_band(low or 0, high), int(chosen.sum()), *figures))
    return PaperTable(
        "By how frequent the rarest word of the pair is",
        ("sentences with the word", "pairs", *both_of(*columns)),
        tuple(rows),
        f"Of {extractor.snapshot.sentences:,} sentences. Out of ten shuffled folds.",
    )


def _band(low: int, high: int | None) -> str:
    if high is None:
        return f"{low:,} or more"
    return "unknown word" if high == 1 else f"{low:,} to {high - 1:,}"
