"""What a snapshot holds: every table, declared once.

The build, the writer, the reader and its checks, excerpts, made-up snapshots, the documentation and the tests
all derive from ``TABLES``: a new table is its declaration and the stage that writes it.
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

Axis = Literal["concepts", "universe", "categories", "words", "mentions", "aliases"]

Under = Literal["both", "smaller"]
"""Where a table of pairs keeps a pair: under both ids, so that rows are whole, or under the smaller."""

ExcerptRule = Literal["rows", "top k", "pairs", "axes", "senses", "nothing"]
"""How an excerpt keeps a table, of whose ids some are left:

- ``rows``: their rows, as they are;
- ``top k``: of their rows the greatest entries, of unit length again, as 8-bit integers;
- ``pairs``: of two concepts that are left, or of two words of their titles, the frequent ones;
- ``axes``: vectors, of words those of titles, on their main axes, those of one ``space`` on the same ones;
- ``senses``: the rows of the mentions, or of the aliases, that may mean a concept that is left;
- ``nothing``.
"""


@dataclass(frozen=True, slots=True)
class Table:
    """One table: what its rows hold, what that means, which stage writes it, and what is sure of it.

    A row holds entries in some of the ``columns``; where there are none, one value, or a ``vector`` of them.
    ``values`` is their dtype, or ``None`` where membership is all there is. ``unit``: whether every row that
    is not empty has unit length, within the rounding of its values. ``pairs``: of a table of pairs, under
    which of its two ids a pair stands. Excerpts keep to both as builds do: whoever reads a row relies on
    them. ``may_end_early``: whether the rows may end before the ids do. ``longest_row``: the most entries of
    a row, where kernels make room for each beside each. ``scaled``: whether its vectors are 8-bit integers,
    each with a scale of its own (``snapshots.scaled``). ``space``: what its vectors lie in, where those of
    other tables do, too, so that vectors of two of them can be multiplied. ``union_of``: the two
    tables whose entries it has, from which it is read where it has no files of its own. ``excerpt``: how
    excerpts keep it, and ``cut_by`` the field of ``ExcerptSettings`` that says how much of it; without a rule
    no excerpt can be made.
    """

    name: str
    rows: Axis
    columns: Axis | None
    values: str | None
    meaning: str
    stage: str
    excerpt: ExcerptRule | None = None
    cut_by: str = ""
    vector: bool = False
    unit: bool = False
    pairs: Under | None = None
    may_end_early: bool = False
    longest_row: int | None = None
    scaled: bool = False
    space: str = ""
    union_of: tuple[str, ...] = ()

    @property
    def sparse(self) -> bool:
        """Whether a row holds entries in some columns, and not one value or one vector."""
        return self.columns is not None


# fmt: off
TABLES: tuple[Table, ...] = (
    Table("page_ids", "concepts", None, "int64", "the page id of the concept's article, ascending",
          stage="concepts", excerpt="rows"),
    Table("out_links", "concepts", "universe", None, "the concepts its article links to",
          stage="links", excerpt="rows"),
    Table("in_links", "concepts", "universe", None, "the concepts whose articles link to it",
          stage="links", excerpt="rows"),
    Table("links", "concepts", "universe", None, "in-links and out-links together",
          stage="links", excerpt="nothing", union_of=("out_links", "in_links")),
    Table("categories", "concepts", "categories", None,
          "its categories; hidden and maintenance ones left out", stage="categories", excerpt="rows"),
    Table("tfidf", "concepts", "words", "float32", "tf-idf weights of its article's words, unit length",
          stage="tfidf", excerpt="top k", cut_by="tfidf_words", unit=True),
    Table("esa", "concepts", "universe", "float32", "ESA: its text projected on the concepts, unit length",
          stage="esa", excerpt="top k", cut_by="esa_concepts", unit=True),
    Table("postings", "words", "universe", "float32",
          "the articles in which the word weighs most: its ESA vector, by tf-idf weight",
          stage="esa", excerpt="nothing", may_end_early=True),
    Table("title_words", "concepts", "words", None, "the known words of its title, stop words dropped",
          stage="words", excerpt="rows", longest_row=256),
    Table("title_lengths", "concepts", None, "int32",
          "how many words its title has, the unknown ones included", stage="words", excerpt="rows"),
    Table("word_counts", "words", None, "int64", "sentences with the word", stage="words", excerpt="rows"),
    Table("word_pairs", "words", "words", "int32",
          "sentences with both words, under the smaller id; pairs that co-occur no more than chance "
          "would have them are left out", stage="word_pairs", excerpt="pairs", cut_by="minimum_word_pairs",
          pairs="smaller", may_end_early=True),
    Table("word_vectors", "words", None, "float32",
          "word2vec vectors of the most frequent words, centred on their mean, unit length, zero "
          "where there is none", stage="word2vec", excerpt="axes", cut_by="vector_dimensions",
          vector=True, unit=True, may_end_early=True),
    Table("concept_counts", "concepts", None, "int64", "paragraphs of the annotated text with the concept",
          stage="comentions", excerpt="rows"),
    Table("comentions", "concepts", "universe", "int32",
          "paragraphs of the annotated text with both concepts, under each of the two",
          stage="comentions", excerpt="pairs", cut_by="minimum_comentions", pairs="both"),
    Table("contexts", "concepts", "universe", "float32",
          "PMI with the most frequent concepts, the heaviest, unit length",
          stage="comentions", excerpt="top k", cut_by="contexts", unit=True),
    Table("title_vectors", "concepts", None, "int8",
          "a sentence encoder's vector of the title, unit length, with a scale a row",
          stage="encoder", excerpt="axes", cut_by="encoder_dimensions", vector=True, unit=True, scaled=True,
          space="encoder"),
    Table("lead_vectors", "concepts", None, "int8",
          "a sentence encoder's vector of the title and the beginning of its article, likewise",
          stage="encoder", excerpt="axes", cut_by="encoder_dimensions", vector=True, unit=True, scaled=True,
          space="encoder"),
    Table("link_probability", "mentions", None, "float32",
          "articles that link the mention over articles that have it", stage="anchors", excerpt="rows"),
    Table("senses", "mentions", "universe", "float32",
          "commonness: the share of the mention's links that go there", stage="anchors", excerpt="senses"),
    Table("alias_shares", "aliases", "universe", "float32",
          "the share that the concept has of the name, by its links and by what makes it its name",
          stage="aliases", excerpt="senses"),
    Table("alias_kinds", "aliases", "universe", "uint8",
          "what makes it the concept's name, a bit a kind (`snapshots/naming/aliases.py`)",
          stage="aliases", excerpt="senses"),
    Table("alias_articles", "aliases", None, "int32", "articles with the name if it is one word, else 0",
          stage="aliases", excerpt="rows"),
)
# fmt: on
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
    ("aliases", "other name than a title, case folded → alias id: a plain trie, likewise"),
)
"""Every look-up from a string."""
