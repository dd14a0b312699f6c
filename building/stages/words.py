"""The vocabulary, the encoded corpus, and the words of titles.

A word's id is its rank by the number of sentences it stands in, so that the most frequent words have the
smallest ids.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq

from building.arrays import save_array
from building.corpus import CORPUS
from building.cut_articles import COUNTS, CUT, count_words, cut_articles, encode_articles
from building.dataset import column, row_count, strings
from building.engines.runner import tasks_over
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from building.stop_words import stop_words
from building.title_words import TITLE_WORDS, encode_titles
from building.vocabulary import TextCounts, save_vocabulary
from snapshots.arrays import map_array

_RANKED = """
    SELECT word, documents, sentences FROM (
        SELECT word, CAST(sum(documents) AS bigint) AS documents, CAST(sum(sentences) AS bigint) AS sentences
        FROM counts GROUP BY word
    ) AS total
    WHERE documents >= {minimum} ORDER BY sentences DESC, word
"""


def run(build: Build) -> None:
    """Cut the articles, count and rank their words, and encode every article and every title."""
    folder = build.folder("words")
    page_ids = build.folder("concepts") / "page_ids.npy"
    pages = tasks_over(build.folder("pages") / "pages", columns=("page_id", "title", "paragraphs"))
    cut = partial(cut_articles, page_ids=page_ids)
    build.runner.map(cut, pages, folder / "cut", CUT, build.progress, sum(task.size for task in pages))

    build.runner.map(count_words, tasks_over(folder / "cut"), folder / "counts", COUNTS)
    ranked = folder / "ranked"
    query = _RANKED.format(minimum=build.settings.minimum_document_frequency)
    build.sql(query, ranked, counts=folder / "counts")
    save_vocabulary(folder, strings(ranked, "word"), column(ranked, "sentences"), column(ranked, "documents"))
    known = row_count(ranked)

    encode = partial(encode_articles, vocabulary=folder)
    build.runner.map(encode, tasks_over(folder / "cut"), folder / "corpus", CORPUS)
    _save_title_words(build, folder, len(map_array(page_ids)), known)
    counts = TextCounts(words=known, sentences=_sentences(folder / "corpus"))
    (folder / "counts.json").write_bytes(msgspec.json.encode(counts))


STAGE = Stage(
    name="words",
    reads=("pages", "concepts"),
    run=run,
    settings=("minimum_document_frequency",),
    version=2,  # stop words of more languages than English
    label="Counting words",
)


def _sentences(corpus: Path) -> int:
    """How many sentences the corpus has."""
    return sum(
        len(batch.column("sentences").flatten())
        for path in corpus.glob("*.parquet")
        for batch in pq.ParquetFile(path).iter_batches(columns=["sentences"])
    )


def _save_title_words(build: Build, folder: Path, concepts: int, vocabulary: int) -> None:
    """Write ``title_words`` and ``title_lengths``."""
    encode = partial(encode_titles, vocabulary=folder, stop_words=stop_words(build.siteinfo.language))
    titles = tasks_over(build.folder("concepts") / "articles")
    build.runner.map(encode, titles, folder / "titles", TITLE_WORDS)
    build.sql(
        "SELECT concept, word FROM titles WHERE word >= 0 ORDER BY concept, word",
        folder / "title_words",
        titles=folder / "titles",
    )
    csr_from_dataset(folder / "title_words", folder, "title_words", (concepts, vocabulary))
    lengths = np.zeros(concepts, np.int64)
    for path in (folder / "titles").glob("*.parquet"):
        for batch in pq.ParquetFile(path).iter_batches(columns=["concept"]):
            lengths += np.bincount(batch.column("concept").to_numpy(), minlength=concepts)
    save_array(folder / "title_lengths.npy", lengths.astype(np.int32))
