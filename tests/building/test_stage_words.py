"""The vocabulary, the encoded corpus and the words of titles, beside a count with dicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from building.corpus import encoded_articles
from building.stages import words
from building.vocabulary import Vocabulary, read_counts
from snapshots.arrays import map_array, map_csr
from snapshots.strings import StringTable
from tests.wikis.small_corpus import STOP, SmallCorpus, cut, run_stages_over, without_words

CORPUS = SmallCorpus(seed=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_stages_over(CORPUS, tmp_path_factory.mktemp("words"), words.STAGE).folder("words")


def test_words_are_ranked_by_the_sentences_they_stand_in(folder: Path) -> None:
    strings = StringTable(map_array(folder / "words.offsets.npy"), map_array(folder / "words.data.npy"))
    assert [strings[number] for number in range(len(strings))] == CORPUS.vocabulary
    assert map_array(folder / "word_counts.npy").tolist() == [CORPUS.counts[w] for w in CORPUS.vocabulary]
    assert map_array(folder / "document_frequencies.npy").tolist() == [
        CORPUS.document_frequencies[word] for word in CORPUS.vocabulary
    ]


def test_words_of_a_single_article_have_no_id(folder: Path) -> None:
    everywhere = {word for sentence in CORPUS.sentences for word in sentence}
    rare = everywhere - set(CORPUS.vocabulary)
    assert rare, "the corpus should have such words"
    vocabulary = Vocabulary(folder)
    assert {vocabulary.id(word) for word in rare} == {-1}
    assert [vocabulary.id(word) for word in CORPUS.vocabulary] == list(range(len(vocabulary)))


def test_the_vocabulary_knows_stop_words_and_single_characters(folder: Path) -> None:
    vocabulary = Vocabulary(folder)
    assert vocabulary.stop_words("en").tolist() == [word in STOP for word in CORPUS.vocabulary]
    assert not vocabulary.stop_words("ltg").any()
    assert vocabulary.single_characters().tolist() == [len(word) == 1 for word in CORPUS.vocabulary]
    assert "élan" in CORPUS.vocabulary


def test_totals(folder: Path) -> None:
    counts = read_counts(folder)
    assert counts.words == len(CORPUS.vocabulary)
    assert counts.sentences == len(CORPUS.sentences)


def test_the_corpus_is_the_articles_in_ids(folder: Path) -> None:
    found: dict[int, list[int]] = {}
    for path in (folder / "corpus").glob("*.parquet"):
        for articles in encoded_articles(pq.ParquetFile(path).iter_batches()):
            texts = np.split(articles.words, np.cumsum(articles.lengths)[:-1])
            found |= dict(zip(articles.concepts.tolist(), (text.tolist() for text in texts), strict=True))
    ids = {word: number for number, word in enumerate(CORPUS.vocabulary)}
    assert found == {
        concept: [ids[word] for sentence in article for word in sentence if word in ids]
        for concept, article in enumerate(CORPUS.articles)
    }


def test_the_corpus_keeps_where_sentences_end(folder: Path) -> None:
    found: dict[int, list[int]] = {}
    for path in (folder / "corpus").glob("*.parquet"):
        for row in pq.read_table(path).to_pylist():
            found[row["concept"]] = row["sentences"]
    assert found == {
        concept: [sum(word in CORPUS.counts for word in sentence) for sentence in article]
        for concept, article in enumerate(CORPUS.articles)
    }


def test_title_words(folder: Path) -> None:
    table, lengths = map_csr(folder, "title_words"), map_array(folder / "title_lengths.npy")
    ids = {word: number for number, word in enumerate(CORPUS.vocabulary)}
    assert table.rows == len(lengths) == len(CORPUS.titles)
    for concept, title in enumerate(CORPUS.titles):
        expected = set(cut(title)) - STOP or set(cut(title))
        assert table.row(concept).tolist() == sorted(ids[word] for word in expected if word in ids)
        assert lengths[concept] == len(expected)
    assert lengths.sum() > table.entries, "the titles should have unknown words"


def test_a_wiki_without_words(tmp_path: Path) -> None:
    folder = run_stages_over(without_words(), tmp_path, words.STAGE).folder("words")
    vocabulary = Vocabulary(folder)
    assert len(vocabulary) == 0
    assert vocabulary.id("w1") == -1
    assert len(vocabulary.single_characters()) == 0
    assert read_counts(folder).sentences == 0
