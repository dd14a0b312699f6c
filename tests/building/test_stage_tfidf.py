"""tf-idf beside its definition on dicts."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from pathlib import Path

import pytest

from building.stages import tfidf, words
from snapshots.arrays import map_csr
from snapshots.csr import CSR
from tests.wikis.small_corpus import STOP, SmallCorpus, run_stages_over, without_words

CORPUS = SmallCorpus(seed=2)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> CSR:
    build = run_stages_over(CORPUS, tmp_path_factory.mktemp("tfidf"), words.STAGE, tfidf.STAGE)
    return map_csr(build.folder("tfidf"), "tfidf")


def weights(article: list[list[str]]) -> dict[str, float]:
    counts = Counter(word for sentence in article for word in sentence)
    total = len(CORPUS.articles)
    found = {
        word: count * log(total / CORPUS.document_frequencies[word])
        for word, count in counts.items()
        if CORPUS.document_frequencies.get(word, 1) > 1 and len(word) > 1 and word not in STOP
    }
    length = sqrt(sum(weight**2 for weight in found.values()))
    return {word: weight / length for word, weight in found.items() if weight > 0}


def test_every_article_has_its_weights(table: CSR) -> None:
    assert table.rows == len(CORPUS.articles)
    for concept, article in enumerate(CORPUS.articles):
        row = [CORPUS.vocabulary[word] for word in table.row(concept)]
        expected = weights(article)
        assert row == sorted(expected, key=CORPUS.vocabulary.index)
        assert table.row_values(concept) == pytest.approx([expected[word] for word in row], rel=1e-6)


def test_the_corpus_shows_what_is_left_out(table: CSR) -> None:
    there = {word for sentence in CORPUS.sentences for word in sentence}
    weighed = {CORPUS.vocabulary[word] for word in table.indices}
    assert {"the", "of", "s", "x"} <= there - weighed
    assert {"42", "élan"} <= weighed
    assert any(not article for article in CORPUS.articles)


def test_a_word_of_every_article_weighs_nothing(tmp_path: Path) -> None:
    corpus = SmallCorpus(seed=2, articles=3)
    corpus.paragraphs = [["sun moon"], ["sun moon"], ["sun"]]
    build = run_stages_over(corpus, tmp_path, words.STAGE, tfidf.STAGE)
    found = map_csr(build.folder("tfidf"), "tfidf")
    moon = corpus.vocabulary.index("moon")
    assert [found.row(concept).tolist() for concept in range(3)] == [[moon], [moon], []]


def test_a_wiki_without_words(tmp_path: Path) -> None:
    build = run_stages_over(without_words(), tmp_path, words.STAGE, tfidf.STAGE)
    assert map_csr(build.folder("tfidf"), "tfidf").entries == 0
