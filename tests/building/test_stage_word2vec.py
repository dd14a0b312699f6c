"""Word vectors: what is trained, and what has none."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from building.stages import word2vec, words
from snapshots.arrays import map_array
from snapshots.settings import BuildSettings
from tests.wikis.small_corpus import SmallCorpus, run_stages_over

SETTINGS = BuildSettings(
    vocabulary=40,
    word2vec_dimensions=8,
    word2vec_epochs=20,
    word2vec_minimum_count=10,
    word2vec_sample=0.0,
)
SEA, SKY = ["whale", "coral", "reef", "tide", "harbour"], ["cloud", "comet", "eagle", "storm", "kite"]


def two_topics() -> SmallCorpus:
    """Articles whose words come from the sea or from the sky, and never from both."""
    chance = random.Random(5)
    corpus = SmallCorpus(seed=5, articles=80)
    corpus.paragraphs = [
        [". ".join(" ".join(chance.choices(topic, k=6)) for _ in range(8))]
        for topic in [SEA, SKY] * (len(corpus.titles) // 2)
    ]
    return corpus


def vectors(
    corpus: SmallCorpus, work: Path, settings: BuildSettings = SETTINGS, workers: int = 1
) -> NDArray[np.float32]:
    stages = (words.STAGE, word2vec.STAGE)
    build = run_stages_over(corpus, work, *stages, settings=settings, workers=workers)
    return map_array(build.folder("word2vec") / "word_vectors.npy")


def test_words_of_one_topic_are_nearer(tmp_path: Path) -> None:
    corpus = two_topics()
    found = vectors(corpus, tmp_path)
    sea, sky = ([corpus.vocabulary.index(word) for word in topic] for topic in (SEA, SKY))
    cosines = found @ found.T
    within = min(cosines[np.ix_(sea, sea)].min(), cosines[np.ix_(sky, sky)].min())
    assert within > cosines[np.ix_(sea, sky)].max()


def test_words_beyond_the_vocabulary_or_too_rare_have_no_vector(tmp_path: Path) -> None:
    corpus = SmallCorpus(seed=6)
    found = vectors(corpus, tmp_path)
    occurrences = [sum(sentence.count(word) for sentence in corpus.sentences) for word in corpus.vocabulary]
    trained = [count >= SETTINGS.word2vec_minimum_count for count in occurrences[: SETTINGS.vocabulary]]
    assert found.shape == (SETTINGS.vocabulary, SETTINGS.word2vec_dimensions)
    assert found.dtype == np.float32
    assert {True, False} == set(trained)
    assert len(occurrences) > SETTINGS.vocabulary
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.array(trained, np.float64), abs=1e-6)


def test_one_worker_repeats_itself_and_the_seed_decides(tmp_path: Path) -> None:
    corpus = SmallCorpus(seed=6)
    first, second = (vectors(corpus, tmp_path / name) for name in ("first", "second"))
    assert np.array_equal(first, second)
    other = vectors(corpus, tmp_path / "other", msgspec.structs.replace(SETTINGS, word2vec_seed=2))
    assert not np.allclose(first, other)


def test_several_workers(tmp_path: Path) -> None:
    assert vectors(SmallCorpus(seed=6), tmp_path, workers=4).any()


def test_a_small_wiki_has_a_row_a_word(tmp_path: Path) -> None:
    corpus = SmallCorpus(seed=6)
    settings = msgspec.structs.replace(SETTINGS, vocabulary=10_000)
    assert len(vectors(corpus, tmp_path, settings)) == len(corpus.vocabulary)


def test_no_word_is_frequent_enough(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(SETTINGS, word2vec_minimum_count=10_000)
    assert not vectors(SmallCorpus(seed=6), tmp_path, settings).any()
