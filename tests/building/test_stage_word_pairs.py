"""Word co-occurrence beside a count with dicts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
import pytest

from building.stages import word_pairs, words
from snapshots.arrays import map_csr
from snapshots.csr import CSR
from tests.wikis.small_corpus import SETTINGS, STOP, SmallCorpus, run_stages_over, without_words


def counted(corpus: SmallCorpus, minimum: int) -> dict[tuple[int, int], int]:
    """Sentences with both words, by their ids, for the pairs that the table should keep."""
    frequent = {word: rank for rank, word in enumerate(corpus.vocabulary[: SETTINGS.vocabulary])}
    total = len(corpus.sentences)
    both: dict[tuple[str, str], int] = {}
    for sentence in corpus.sentences:
        known = sorted((set(sentence) & set(frequent)) - STOP, key=lambda word: frequent[word])
        for pair in combinations(known, 2):
            both[pair] = both.get(pair, 0) + 1
    return {
        (frequent[x], frequent[y]): count
        for (x, y), count in both.items()
        if count >= minimum and count * total > corpus.counts[x] * corpus.counts[y]
    }


def entries(table: CSR) -> dict[tuple[int, int], int]:
    rows = np.repeat(np.arange(table.rows), np.diff(table.indptr))
    assert table.values is not None
    return dict(
        zip(zip(rows.tolist(), table.indices.tolist(), strict=True), table.values.tolist(), strict=True)
    )


@pytest.mark.parametrize("minimum", [1, 2])
def test_pairs_are_counted_by_sentence(tmp_path: Path, minimum: int) -> None:
    corpus = SmallCorpus(seed=4, articles=60)
    settings = msgspec.structs.replace(SETTINGS, minimum_pair_sentences=minimum)
    build = run_stages_over(corpus, tmp_path, words.STAGE, word_pairs.STAGE, settings=settings)
    table = map_csr(build.folder("word_pairs"), "word_pairs")
    assert table.rows == table.columns == len(corpus.vocabulary) > SETTINGS.vocabulary
    assert entries(table) == counted(corpus, minimum)
    assert all((np.diff(table.row(word)) > 0).all() for word in range(table.rows))


def test_the_minimum_leaves_pairs_out() -> None:
    corpus = SmallCorpus(seed=4, articles=60)
    assert len(counted(corpus, 1)) > len(counted(corpus, 2)) > 0


def test_batches_end_where_the_room_does(tmp_path: Path) -> None:
    little_room = replace(word_pairs.STAGE, run=partial(word_pairs.run, entries_in_a_batch=1))
    corpus = SmallCorpus(seed=4, articles=60)
    build = run_stages_over(corpus, tmp_path, words.STAGE, little_room)
    table = map_csr(build.folder("word_pairs"), "word_pairs")
    assert entries(table) == counted(corpus, SETTINGS.minimum_pair_sentences)


def test_a_wiki_without_words(tmp_path: Path) -> None:
    build = run_stages_over(without_words(), tmp_path, words.STAGE, word_pairs.STAGE)
    assert map_csr(build.folder("word_pairs"), "word_pairs").entries == 0
