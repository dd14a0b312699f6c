"""ESA beside its definition on dicts."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from building.stages import esa, tfidf, words
from snapshots.arrays import map_csr
from snapshots.csr import CSR
from tests.wikis.small_corpus import SETTINGS, SmallCorpus, run_stages_over, without_words


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("esa")
    return run_stages_over(SmallCorpus(seed=3), work, words.STAGE, tfidf.STAGE, esa.STAGE).work


def heaviest(weights: dict[int, float], number: int) -> dict[int, float]:
    """The entries with the largest weights; of equal ones those with the smallest keys."""
    kept = sorted(weights, key=lambda key: (-weights[key], key))[:number]
    return {key: weights[key] for key in sorted(kept)}


def mappings(table: CSR) -> list[dict[int, float]]:
    return [
        dict(zip(table.row(row).tolist(), table.row_values(row).tolist(), strict=True))
        for row in range(table.rows)
    ]


def test_esa_is_an_articles_heaviest_words_projected_on_their_heaviest_articles(folder: Path) -> None:
    articles = mappings(map_csr(folder / "tfidf", "tfidf"))
    postings: dict[int, dict[int, float]] = {}
    for concept, row in enumerate(articles):
        for word, weight in row.items():
            postings.setdefault(word, {})[concept] = weight
    table = map_csr(folder / "esa", "esa")
    assert (table.rows, table.columns) == (len(articles), len(articles))
    for concept, row in enumerate(articles):
        sums: dict[int, float] = {}
        for word, weight in heaviest(row, SETTINGS.esa_terms).items():
            for other, other_weight in heaviest(postings[word], SETTINGS.esa_postings).items():
                sums[other] = sums.get(other, 0.0) + weight * other_weight
        kept = heaviest(sums, SETTINGS.esa_concepts)
        length = sqrt(sum(weight**2 for weight in kept.values()))
        assert table.row(concept).tolist() == list(kept)
        assert table.row_values(concept) == pytest.approx([w / length for w in kept.values()], rel=1e-6)


def test_postings_are_the_heaviest_entries_of_each_column(folder: Path) -> None:
    columns: dict[int, dict[int, float]] = {}
    for concept, row in enumerate(mappings(map_csr(folder / "tfidf", "tfidf"))):
        for word, weight in row.items():
            columns.setdefault(word, {})[concept] = weight
    table = map_csr(folder / "esa", "postings")
    articles = map_csr(folder / "tfidf", "tfidf")
    assert (table.rows, table.columns) == (articles.columns, articles.rows)
    expected = [heaviest(columns.get(word, {}), SETTINGS.esa_postings) for word in range(table.rows)]
    assert mappings(table) == expected


def test_the_corpus_is_large_enough_to_be_pruned(folder: Path) -> None:
    table, postings = map_csr(folder / "tfidf", "tfidf"), map_csr(folder / "esa", "postings")
    assert np.diff(table.indptr).max() > SETTINGS.esa_terms
    assert np.bincount(table.indices).max() > SETTINGS.esa_postings
    assert np.diff(postings.indptr).max() == SETTINGS.esa_postings
    assert np.diff(map_csr(folder / "esa", "esa").indptr).max() == SETTINGS.esa_concepts


def test_a_wiki_without_words(tmp_path: Path) -> None:
    corpus = without_words()
    build = run_stages_over(corpus, tmp_path, words.STAGE, tfidf.STAGE, esa.STAGE)
    assert map_csr(build.folder("esa"), "esa").entries == 0
