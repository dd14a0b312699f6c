"""The vocabulary, the encoded corpus, and the words of titles.

A word's id is its rank by the number of sentences it stands in, so that the most frequent words have the
smallest ids.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from building.arrays import save_array
from building.articles import ARTICLE_COLUMNS
from building.corpus import CORPUS
from building.cut_articles import COUNTS, CUT, count_words, cut_articles, encode_articles
from building.dataset import column, read_batches, row_count, strings
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from building.stop_words import stop_words
from building.title_words import TITLE_WORDS, encode_titles
from building.vocabulary import TextCounts, save_vocabulary

_RANKED = """
    SELECT word, documents, sentences FROM (
        SELECT word, CAST(sum(documents) AS bigint) AS documents, CAST(sum(sentences) AS bigint) AS sentences
        FROM counts GROUP BY word
    ) AS total
    WHERE documents >= {minimum} ORDER BY sentences DESC, word
"""


def run(build: Build) -> None:
    """Cut the articles, count and rank their words, and encode every article and every title."""
    folder, cut = build.folder(STAGE.name), partial(cut_articles, page_ids=build.page_ids)
    build.map(cut, build.folder("pages") / "pages", folder / "cut", CUT, ARTICLE_COLUMNS, shown=True)
    build.map(count_words, folder / "cut", folder / "counts", COUNTS)
    ranked = folder / "ranked"
    query = _RANKED.format(minimum=build.settings.minimum_document_frequency)
    build.sql(query, ranked, counts=folder / "counts")
    save_vocabulary(folder, strings(ranked, "word"), column(ranked, "sentences"), column(ranked, "documents"))
    known = row_count(ranked)

    encode = partial(encode_articles, vocabulary=folder)
    build.map(encode, folder / "cut", folder / "corpus", CORPUS)
    _save_title_words(build, folder, build.concepts, known)
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
    return sum(len(batch.column(0).flatten()) for batch in read_batches(corpus, ["sentences"]))


def _save_title_words(build: Build, folder: Path, concepts: int, vocabulary: int) -> None:
    """Write ``title_words`` and ``title_lengths``."""
    encode = partial(encode_titles, vocabulary=folder, stop_words=stop_words(build.siteinfo.language))
    build.map(encode, build.folder("concepts") / "articles", folder / "titles", TITLE_WORDS)
    query = "SELECT concept, word FROM titles WHERE word >= 0 ORDER BY concept, word"
    build.sql(query, folder / "title_words", titles=folder / "titles")
    csr_from_dataset(folder / "title_words", folder, "title_words", (concepts, vocabulary))
    lengths = np.zeros(concepts, np.int64)
    for batch in read_batches(folder / "titles", ["concept"]):
        lengths += np.bincount(batch.column(0).to_numpy(), minlength=concepts)
    save_array(folder / "title_lengths.npy", lengths.astype(np.int32))
