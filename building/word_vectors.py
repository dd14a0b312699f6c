"""Training word vectors with gensim's word2vec (Mikolov 2013)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gensim.models import Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from numpy.typing import NDArray

from building.engines.runner import Progress
from snapshots.settings import BuildSettings


def train(
    text: Path, occurrences: NDArray[np.int64], settings: BuildSettings, workers: int, progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Train on the sentences in ``text``, a line each, its words as their ids.

    ``occurrences`` int64[words]: how often each word is in them; one of none gets no vector. Returned: the
    ids of the words that have a vector, int64[n], and their vectors, float32[n, dimensions], centred and of
    unit length. With one worker the same text gives the same vectors.
    """
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
    trained = model.wv
    del model  # it holds as much again
    vectors = trained.vectors
    vectors -= vectors.mean(axis=0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1  # a single word is its own mean
    vectors /= lengths
    return np.array([int(word) for word in trained.index_to_key]), vectors


class _Epochs(CallbackAny2Vec):  # type: ignore[misc]  # gensim has no types
    """Reports each finished epoch."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._done, self._total, self._progress = 0, total, progress

    def on_epoch_end(self, model: Word2Vec) -> None:
        self._done += 1
        self._progress(self._done, self._total)
