"""Word vectors (Mikolov et al. 2013), trained with gensim on the dump's own sentences.

All vectors of a training point a little the same way, which makes unrelated words look alike; their mean is
subtracted before they are given unit length (Mu & Viswanath, All-but-the-top, 2018: their first step).

The seed is fixed, but the workers update one set of vectors without waiting for each other (Hogwild), so two
trainings on several cores agree closely and not bit for bit; with one worker they are the same.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from gensim.models import Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from numpy.typing import NDArray

from tables.arrays import create_array
from tables.corpus import encoded_articles
from tables.runner import Progress
from tables.settings import BuildSettings
from tables.stage import Build, Stage
from tables.vocabulary import Vocabulary


def run(build: Build) -> None:
    """Write ``word_vectors``: a row a word of the vocabulary setting, zeros for one too rare to train."""
    folder, words = build.folder("word2vec"), build.folder("words")
    text = folder / "sentences.txt"
    occurrences = _write_sentences(words / "corpus", text, build.settings.vocabulary)
    occurrences[occurrences < build.settings.word2vec_minimum_count] = 0

    size = min(len(Vocabulary(words)), build.settings.vocabulary), build.settings.word2vec_dimensions
    vectors = create_array(folder / "word_vectors.npy", np.float32, size)
    if occurrences.any():
        ids, trained = _train(text, occurrences, build.settings, build.runner.workers, build.progress)
        vectors[ids] = trained
    text.unlink()


STAGE = Stage(
    name="word2vec",
    reads=("words",),
    run=run,
    settings=(
        "vocabulary",
        "word2vec_dimensions",
        "word2vec_window",
        "word2vec_epochs",
        "word2vec_minimum_count",
        "word2vec_sample",
        "word2vec_skipgram",
        "word2vec_seed",
    ),
    version=2,
    label="Training word vectors",
)


def _write_sentences(corpus: Path, text: Path, vocabulary: int) -> NDArray[np.int64]:
    """Write a line a sentence, its words as their ids; return how often each word occurs in them."""
    occurrences = np.zeros(vocabulary, np.int64)
    names = [str(number) for number in range(vocabulary)]
    with text.open("w", encoding="ascii") as lines:
        for path in sorted(corpus.glob("*.parquet")):
            for articles in encoded_articles(pq.ParquetFile(path).iter_batches()):
                kept = articles.words < vocabulary
                occurrences += np.bincount(articles.words[kept], minlength=vocabulary)
                words, start = articles.words.tolist(), 0
                for length in articles.sentences.tolist():
                    sentence = words[start : start + length]
                    lines.write(" ".join([names[word] for word in sentence if word < vocabulary]) + "\n")
                    start += length
    return occurrences


def _train(
    text: Path, occurrences: NDArray[np.int64], settings: BuildSettings, workers: int, progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The ids of the words that have a vector, and their vectors: centred, of unit length."""
    model = Word2Vec(
        vector_size=settings.word2vec_dimensions,
        window=settings.word2vec_window,
        sample=settings.word2vec_sample,
        sg=int(settings.word2vec_skipgram),
        seed=settings.word2vec_seed,
        min_count=1,
        workers=workers,
    )
    counts = {str(word): int(occurrences[word]) for word in np.flatnonzero(occurrences)}
    model.build_vocab_from_freq(counts)
    progress(0, settings.word2vec_epochs)
    model.train(
        corpus_file=str(text),
        total_words=sum(counts.values()),
        epochs=settings.word2vec_epochs,
        callbacks=[_Epochs(settings.word2vec_epochs, progress)],
    )
    vectors = model.wv.vectors - model.wv.vectors.mean(axis=0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1  # a single word is its own mean
    return np.array([int(word) for word in model.wv.index_to_key]), vectors / lengths


class _Epochs(CallbackAny2Vec):  # type: ignore[misc]
    """Reports each finished epoch."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._done, self._total, self._progress = 0, total, progress

    def on_epoch_end(self, model: Word2Vec) -> None:
        self._done += 1
        self._progress(self._done, self._total)
