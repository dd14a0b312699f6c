"""WORD (Ein-Dor et al. 2018), the official file as it was released: ``WORD.csv``."""

from __future__ import annotations

import codecs
from urllib.parse import unquote

from training.benchmarks.encoding import recovered
from training.benchmarks.judgements import SPLIT, Judgement, Split, belongs, score_of
from training.benchmarks.rows import ReadRows
from training.benchmarks.table import delimiter_of, rows_of

SOURCE, LEFT, RIGHT, SCORE = "source article URI", "concept 1", "concept 2", "score"
LEFT_URI, RIGHT_URI = "concept1 URI", "concept2 URI"
COLUMNS = (SOURCE, LEFT, RIGHT, SCORE, LEFT_URI, RIGHT_URI, SPLIT)
"""The columns of the official file, in its order; a reader needs their names alone."""

# One letter a byte: a csv reader wants text, and these fields are decoded one by one.
_BYTES = "latin-1"


def is_word(header: list[str]) -> bool:
    """Whether a file with these columns is laid out as the official one."""
    return set(COLUMNS) <= set(header)


def read_word(content: bytes, split: Split) -> ReadRows:
    """The judgements of ``split`` in the official file, whose ``content`` is given.

    A row of the other split is counted and left before anything else of it is looked at: it cannot reach
    who asked for the one split.

    Raises:
        BadRow: a row of it cannot be read.
    """
    text = content.removeprefix(codecs.BOM_UTF8).decode(_BYTES)
    judgements: list[Judgement] = []
    spellings: dict[str, tuple[str, ...]] = {}
    other_split = 0
    for line, row in rows_of(text, delimiter_of(text, ",;\t", set(COLUMNS))):
        if not belongs(row[SPLIT], split, line):
            other_split += 1
            continue
        left, right = (
            _title(row[title].encode(_BYTES), row[uri].encode(_BYTES), spellings)
            for title, uri in ((LEFT, LEFT_URI), (RIGHT, RIGHT_URI))
        )
        topic = _article(row[SOURCE].encode(_BYTES))
        judgements.append(Judgement(left, right, score_of(row[SCORE], line), topic, line))
    return ReadRows(tuple(judgements), other_split, spellings=spellings)


def _title(written: bytes, uri: bytes, spellings: dict[str, tuple[str, ...]]) -> str:
    """The title of a concept. Where it is not plain, its URI is asked first: that may be percent-encoded."""
    if written.isascii() and b"_" not in written:
        return written.decode().strip()
    article = _article(uri)
    if not (article.isascii() or "\N{REPLACEMENT CHARACTER}" in article):
        return article
    title, possible = recovered(written.strip())
    if possible:
        spellings[title] = possible
    return title


def _article(uri: bytes) -> str:
    """The title of the article that a URI names; the text itself where it is no URI of an article."""
    name = uri.strip().rpartition(b"/wiki/")[2]
    text = unquote(name.decode(), errors="replace") if name.isascii() else unquote(recovered(name)[0])
    return text.replace("_", " ")
