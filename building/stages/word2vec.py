"""Word vectors (Mikolov et al. 2013), trained with gensim on the dump's own sentences.

All vectors of a training point a little the same way, which makes unrelated words look alike; their mean is
subtracted before they are given unit length (Mu & Viswanath, All-but-the-top, 2018: their first step).

The seed is fixed, but the workers update one set of vectors without waiting for each other (Hogwild), so two
trainings on several cores agree closely and not bit for bit; with one worker they are the same.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from building.arrays import create_array
from building.corpus import encoded_articles
from building.dataset import read_batches
from building.stage import Build, Stage
from building.vocabulary import Vocabulary


def run(build: Build) -> None:
    """Write ``word_vectors``: a row a word of the vocabulary setting, zeros for one too rare to train."""
    folder, words = build.folder("word2vec"), build.folder("words")
    text = folder / "sentences.txt"
    occurrences = _write_sentences(words / "corpus", text, build.settings.vocabulary)
    occurrences[occurrences < build.settings.word2vec_minimum_count] = 0

    size = min(len(Vocabulary(words)), build.settings.vocabulary), build.settings.word2vec_dimensions
    vectors = create_array(folder / "word_vectors.npy", np.float32, size)
    if occurrences.any():
        from building.word_vectors import train  # noqa: PLC0415 gensim takes 70 MB that no other stage needs

        ids, trained = train(text, occurrences, build.settings, build.runner.workers, build.progress)
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
        for articles in encoded_articles(read_batches(corpus)):
            kept = articles.words < vocabulary
            occurrences += np.bincount(articles.words[kept], minlength=vocabulary)
            words, start = articles.words.tolist(), 0
            for length in articles.sentences.tolist():
                sentence = words[start : start + length]
                lines.write(" ".join([names[word] for word in sentence if word < vocabulary]) + "\n")
                start += length
    return occurrences
