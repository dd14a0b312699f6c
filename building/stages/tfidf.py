"""tf-idf: an article as the weights of its words.

The weight is term count × log(N / document frequency), natural logarithm, undamped; rows have unit length.
Only words of two characters or more that are no stop words take part.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from building.arrays import save_array
from building.corpus import EncodedArticles, encoded_articles
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from building.vocabulary import Vocabulary
from snapshots.arrays import map_array

_WEIGHTS = pa.schema([("concept", pa.int32()), ("word", pa.int32()), ("weight", pa.float32())])


def run(build: Build) -> None:
    """Write ``tfidf`` and, for the stages that read it as a data set, ``weights``."""
    folder, words, concepts = build.folder(STAGE.name), build.folder("words"), build.concepts
    vocabulary = Vocabulary(words)
    idf = folder / "idf.npy"
    save_array(idf, _inverse_document_frequencies(vocabulary, concepts, build.siteinfo.language))
    build.map(partial(_weigh, idf=idf), words / "corpus", folder / "unsorted", _WEIGHTS, shown=True)
    query = "SELECT concept, word, weight FROM unsorted ORDER BY concept, word"
    build.sql(query, folder / "weights", unsorted=folder / "unsorted")
    csr_from_dataset(folder / "weights", folder, "tfidf", (concepts, len(vocabulary)), np.float32)


STAGE = Stage("tfidf", ("concepts", "words"), run, label="Weighing the words of articles")


def _inverse_document_frequencies(
    vocabulary: Vocabulary, concepts: int, language: str
) -> NDArray[np.float64]:
    """log(N / df) of each word, 0 for a word that takes no part."""
    idf = np.log(concepts / vocabulary.document_frequencies)
    idf[vocabulary.stop_words(language) | vocabulary.single_characters()] = 0.0
    return idf


def _weigh(batches: Iterator[pa.RecordBatch], idf: Path) -> Iterator[pa.RecordBatch]:
    """Map the corpus to (concept, word, weight)."""
    weights = map_array(idf)
    for articles in encoded_articles(batches):
        yield pa.record_batch(_rows(articles, weights), _WEIGHTS)


def _rows(articles: EncodedArticles, idf: NDArray[np.float64]) -> list[NDArray[Any]]:
    """Concept, word and unit-length weight of every word that has one."""
    article = np.repeat(np.arange(len(articles.concepts)), articles.lengths)
    chosen = idf[articles.words] > 0
    # One number for (article, word), so that one sort groups and counts.
    pair, count = np.unique(article[chosen] * len(idf) + articles.words[chosen], return_counts=True)
    article, word = np.divmod(pair, max(len(idf), 1))
    weight = count * idf[word]
    norm = np.sqrt(np.bincount(article, weight**2, len(articles.concepts)))
    return [articles.concepts[article], word, weight / norm[article]]
