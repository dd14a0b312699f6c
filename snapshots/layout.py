"""What a snapshot holds: every table, declared once.

The writer, the reader, ``wort verify``, the documentation and the tests all derive from ``TABLES``.
Ids are dense: a concept's id is its rank by page id, a word's id its rank by frequency; in an excerpt the
words of titles come first, each part by frequency. A snapshot that is an excerpt has fewer rows than its
universe: its links and its ESA and context columns may name concepts beyond its rows, which count in every
formula but cannot be asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FORMAT = 2
"""The version of the layout below. A reader refuses any other."""

Axis = Literal["concepts", "universe", "categories", "words", "mentions"]

Under = Literal["both", "smaller"]
"""Where a table of pairs keeps a pair: under both ids, so that rows are whole, or under the smaller."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its shape in words, what an entry means, and the dtype of its values.

    ``columns`` is ``None`` for a plain array with one value (or one vector) a row; ``values`` is ``None``
    where membership is all there is. ``unit``: whether every row that is not empty has unit length, within
    the rounding of its values. ``pairs``: of a table of pairs, under which of its two ids a pair stands.
    Excerpts keep to both as builds do: whoever reads a row relies on them.
    """

    name: str
    rows: Axis
    columns: Axis | None
    values: str | None
    meaning: str
    unit: bool = False
    pairs: Under | None = None


TABLES: tuple[Table, ...] = (
    Table("page_ids", "concepts", None, "int64", "the page id of the concept's article, ascending"),
    Table("out_links", "concepts", "universe", None, "the concepts its article links to"),
    Table("in_links", "concepts", "universe", None, "the concepts whose articles link to it"),
    Table("links", "concepts", "universe", None, "in-links and out-links together"),
    Table(
        "categories", "concepts", "categories", None, "its categories; hidden and maintenance ones left out"
    ),
    Table(
        "tfidf",
        "concepts",
        "words",
        "float32",
        "tf-idf weights of its article's words, unit length",
        unit=True,
    ),
    Table(
        "esa",
        "concepts",
        "universe",
        "float32",
        "ESA: its text projected on the concepts, unit length",
        unit=True,
    ),
    Table(
        "postings",
        "words",
        "universe",
        "float32",
        "the articles in which the word weighs most: its ESA vector, by tf-idf weight",
    ),
    Table("title_words", "concepts", "words", None, "the known words of its title, stop words dropped"),
    Table(
        "title_lengths", "concepts", None, "int32", "how many words its title has, the unknown ones included"
    ),
    Table("word_counts", "words", None, "int64", "sentences with the word"),
    Table(
        "word_pairs",
        "words",
        "words",
        "int32",
        "sentences with both words, under the smaller id; pairs that "
        "co-occur no more than chance would have them are left out",
        pairs="smaller",
    ),
    Table(
        "word_vectors",
        "words",
        None,
        "float32",
        "word2vec vectors of the most frequent words, centred on their mean, unit length, "
        "zero where there is none",
        unit=True,
    ),
    Table("concept_counts", "concepts", None, "int64", "paragraphs of the annotated text with the concept"),
    Table(
        "comentions",
        "concepts",
        "universe",
        "int32",
        "paragraphs of the annotated text with both concepts, under each of the two",
        pairs="both",
    ),
    Table(
        "contexts",
        "concepts",
        "universe",
        "float32",
        "PMI with the most frequent concepts, the heaviest, unit length",
        unit=True,
    ),
    Table(
        "link_probability",
        "mentions",
        None,
        "float32",
        "articles that link the mention over articles that have it",
    ),
    Table(
        "senses",
        "mentions",
        "universe",
        "float32",
        "commonness: the share of the mention's links that go there",
    ),
)
"""Every numeric table. One that a build left out is read as empty, so its features have no evidence."""

STRINGS: tuple[tuple[str, Axis, str], ...] = (
    ("concept_titles", "concepts", "titles, by concept id"),
    ("category_titles", "categories", "category titles, by category id"),
    ("words", "words", "words, by word id"),
)
"""Every table of strings, read by id."""

TRIES: tuple[tuple[str, str], ...] = (
    ("titles", "normalised title → what it names (article, redirect or disambiguation page)"),
    ("title_variants", "title without case and accents → what it names, where that is one thing"),
    ("words", "word → word id"),
    ("mentions", "mention, case folded → mention id: a plain trie, whose own key ids these are"),
)
"""Every look-up from a string."""
