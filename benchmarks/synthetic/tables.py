"""A snapshot of any size, its tables made up directly from a seed, without a dump.

    python -m benchmarks.synthetic.tables 7000000 OUTPUT --esa 80 --tfidf 60 --contexts 25 --comentions 40

Rows are as long as those of a full build of the English dump of 28 thousand articles, unless told otherwise:
lognormal, the more popular concepts the longer. In-links are lognormal with σ = 2.46, as the body of the
measured ones, so that the most linked of seven million concepts has hundreds of thousands. What stands in a
row is random: scores mean nothing, but cost what those of real tables of that size do. Everything is there
that pairs are scored and titles are found by, and nothing that free terms and texts need beside that. No
title redirects. A table that nothing is known of here is filled by what is declared of it.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import typer
from numpy.typing import NDArray
from rich.filesize import decimal
from scipy.special import ndtri

from app.cli.progress import steps
from benchmarks.synthetic.sparse import SparseTables
from benchmarks.synthetic.titles import titles, words
from building.names_writer import write_names
from building.writer import SnapshotWriter
from measures.arrays import Ints
from measures.ranks import greatest
from snapshots.layout import TABLES, Table
from snapshots.naming.names import ARTICLE
from snapshots.scaled import ScaledVectors
from snapshots.snapshot import Snapshot
from training.progress import Steps
from wiki.siteinfo import FIRST_LETTER, Namespace, Siteinfo

IN_LINKS, MENTIONS = 2.46, 2.0
"""The standard deviation of the logarithm of in-links, and of what is mentioned with a concept."""

FREQUENT = 10_000
"""The concepts that vectors of PMI are over."""

TITLES = 100_000
"""Titles that are made at once."""

LEFT_OUT = frozenset(
    {"postings", "link_probability", "senses", "alias_shares", "alias_kinds", "alias_articles"}
)
"""What only free terms and texts need, and other names than titles."""

OTHERS = 30
"""The entries of a row, in the mean, and the length of a vector, of a table of which only that is known
which is declared."""

ENCODED = 384
"""The dimensions of scaled vectors: those of small sentence encoders."""

SITE = Siteinfo(
    "Synthetic", "syntheticwiki", "en", FIRST_LETTER, (Namespace(0, ""), Namespace(14, "Category"))
)


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """How large the tables are: entries a concept, in the mean; how many ``words``; and the ``seed``.

    The defaults are the means of a full build of the English dump; links and categories are guesses at those
    of the whole English Wikipedia, since that dump's are of the articles within it.
    """

    concepts: int
    links: float = 28.6
    categories: float = 4
    tfidf: float = 484
    esa: float = 500
    contexts: float = 107
    comentions: float = 345
    words: int = 203_000
    seed: int = 1

    def counts(self) -> dict[str, int]:
        """The counts of the manifest."""
        return {
            "concepts": self.concepts,
            "universe": self.concepts,
            "names": self.concepts,
            "categories": max(self.concepts // 3, 1),
            "words": self.words,
            "sentences": 94 * self.concepts,
            "paragraphs": 34 * self.concepts,
        }


def write_synthetic_snapshot(
    target: Path, shape: Shape, told: Steps, tables: Sequence[Table] = TABLES
) -> Snapshot:
    """Write the snapshot ``target``, with ``tables``; the same shape gives the same files.

    The arrays are made in ``target`` with the ending ``.work``, and linked from there.

    Raises:
        SnapshotError: the target exists.
        OSError: the disk has no room for it.
    """
    writer = SnapshotWriter(target, tables)
    work = target.with_name(target.name + ".work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    concepts, sparse = Concepts(shape), SparseTables(work, shape.seed, told)
    in_links = _links(concepts, sparse)
    # Names take a core some minutes, while kernels fill tables on another.
    with ThreadPoolExecutor(1) as beside:
        named = beside.submit(_names, writer, shape, in_links)
        arrays = _texts(concepts, sparse) | _words(concepts, sparse)
        made = LEFT_OUT.union(arrays, (path.stem for path in work.glob("*.json")))
        for table in tables:
            if table.scaled:
                writer.scaled(table.name, _scaled(table, concepts))
            elif table.name not in made:
                arrays |= _as_declared(table, concepts, sparse)
        told.begin("titles")
        named.result()
    told.begin("checksums")
    for path in sorted(work.glob("*.json")):
        writer.adopt(work, path.stem)
    for name, array in arrays.items():
        writer.array(name, array)
    snapshot = writer.finish(lambda digest: _facts(shape, digest))
    shutil.rmtree(work)
    return snapshot


class Concepts:
    """The concepts of a wiki: how popular each is, and sizes that follow from that.

    ``multiplier``: the concept of the popularity rank r has the id r · ``multiplier`` modulo their number.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.chance = np.random.default_rng(shape.seed)
        count = shape.concepts
        self.multiplier = round(0.618 * count) or 1
        while math.gcd(self.multiplier, count) > 1:
            self.multiplier += 1
        ranks = np.arange(count) * pow(self.multiplier, -1, count) % count
        self._popularity = -ndtri((ranks + 0.5) / count)

    def frequent(self) -> Ints:
        """The ids of the most popular ones, ascending."""
        return np.sort(greatest(self._popularity, FREQUENT))

    def sizes(self, mean: float, sigma: float, correlation: float, longest: int) -> Ints:
        """A size for each concept: lognormal, its logarithm so correlated with popularity; int64[concepts].

        None is larger than ``longest``; what is cut there goes to the others, so that the mean is kept.
        """
        own = self.chance.standard_normal(self.shape.concepts)
        sizes = np.exp(sigma * (correlation * self._popularity + math.sqrt(1 - correlation**2) * own))
        for _ in range(20):
            sizes = np.minimum(sizes * (mean / sizes.mean()), longest)
        # A size of 2.3 is 3 in three cases of ten, else 2.
        rounded: Ints = np.floor(sizes + self.chance.random(len(sizes))).astype(np.int64)
        return np.minimum(rounded, longest)

    def few(self, mean: float, longest: int) -> Ints:
        """A size for each concept that has nothing to do with popularity: Poisson; int64[concepts]."""
        return np.minimum(self.chance.poisson(mean, self.shape.concepts), longest)


def _links(concepts: Concepts, sparse: SparseTables) -> Ints:
    """Make the tables of links; return how many lead to each concept."""
    shape = concepts.shape
    drawn = concepts.sizes(shape.links, 1.27, 0.34, shape.concepts // 2)
    outward = sparse.graph("out_links", drawn, IN_LINKS, concepts.multiplier)
    inward = sparse.transposed("in_links", outward)
    sparse.united("links", outward, inward)
    return np.diff(inward.indptr)


def _texts(concepts: Concepts, sparse: SparseTables) -> dict[str, NDArray[Any]]:
    """Make what follows from the texts of articles; return the plain arrays."""
    shape, all_of_them = concepts.shape, concepts.shape.concepts
    frequent = concepts.frequent()
    longest = min(round(1.87 * shape.contexts), len(frequent))
    sizes = concepts.sizes(shape.contexts, 1.14, 0.82, longest)
    sparse.weighted("contexts", sizes, all_of_them, known=frequent)
    sizes = concepts.sizes(shape.tfidf, 1.2, 0.33, min(round(10 * shape.tfidf), shape.words))
    sparse.weighted("tfidf", sizes, shape.words, skew=4)
    sparse.weighted("esa", np.full(all_of_them, min(round(shape.esa), all_of_them)), all_of_them)
    # One of the two draws the pair.
    drawn = concepts.sizes(shape.comentions / 2, 1.27, 0.34, all_of_them // 2)
    one_way = sparse.graph("one_way", drawn, MENTIONS, concepts.multiplier)
    other_way = sparse.transposed("other_way", one_way)
    both_ways = sparse.united("comentions", one_way, other_way, np.int32)
    for name in ("one_way", "other_way"):
        sparse.remove(name)
    mentioned = 1 + concepts.sizes(34, 1.6, 0.84, shape.counts()["paragraphs"] // 2)
    sparse.count("comentions", both_ways, mentioned)
    page_ids = np.cumsum(concepts.chance.integers(1, 16, all_of_them))
    return {"page_ids": page_ids, "concept_counts": mentioned}


def _words(concepts: Concepts, sparse: SparseTables) -> dict[str, NDArray[Any]]:
    """Make what is known of words, titles and categories; return the plain arrays."""
    shape, counts, ranks = concepts.shape, concepts.shape.counts(), np.arange(concepts.shape.words)
    sparse.spread("categories", concepts.few(shape.categories, 20), counts["categories"], skew=2)
    in_titles = 1 + concepts.few(0.98, 8)
    sparse.spread("title_words", in_titles, shape.words, skew=3)
    unknown = concepts.chance.random(shape.concepts) < 0.02
    title_lengths = (in_titles + unknown).astype(np.int32)
    word_counts = np.maximum(0.65 * counts["sentences"] / (1 + ranks / 2), 2).astype(np.int64)
    # So fall the sizes of the English dump's rows, whose first has a tenth of the words.
    sizes = (0.1 * shape.words * np.exp(-((ranks / (0.01 * shape.words)) ** 0.7))).astype(np.int64)
    pairs = sparse.above("word_pairs", np.minimum(sizes, shape.words - 1 - ranks))
    sparse.count("word_pairs", pairs, word_counts)
    vectors = concepts.chance.standard_normal((min(shape.words, 100_000), 100), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {"title_lengths": title_lengths, "word_counts": word_counts, "word_vectors": vectors}


def _as_declared(table: Table, concepts: Concepts, sparse: SparseTables) -> dict[str, NDArray[Any]]:
    """Make a table by its declaration alone; return it where it is a plain array."""
    counts, chance = concepts.shape.counts(), concepts.chance
    if table.pairs is not None:
        raise ValueError(f"{table.name} is a table of pairs, which have to agree: make it as comentions are")
    rows = counts[table.rows]
    if table.columns is not None:
        columns = counts[table.columns]
        sizes = np.minimum(chance.poisson(OTHERS, rows), columns)
        if table.unit:
            sparse.weighted(table.name, sizes, columns)
        else:
            sparse.spread(table.name, sizes, columns, values=table.values)
        return {}
    if not table.vector:
        return {table.name: chance.integers(1, 100, rows).astype(table.values)}
    vectors = chance.standard_normal((rows, OTHERS))
    if table.unit:
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {table.name: vectors.astype(table.values)}


def _scaled(table: Table, concepts: Concepts) -> ScaledVectors:
    """Make scaled vectors by their declaration alone."""
    rows = concepts.shape.counts()[table.rows]
    return ScaledVectors.of(concepts.chance.standard_normal((rows, ENCODED), np.float32), table.unit)


def _names(writer: SnapshotWriter, shape: Shape, in_links: Ints) -> None:
    """Write titles, categories and words, and what leads from titles to concepts."""
    count, links = shape.concepts, in_links.tolist()
    categories = [f"Category {number:08}" for number in range(shape.counts()["categories"])]
    write_names(
        writer,
        lambda: (
            {"title": title, "kind": ARTICLE, "concept": concept, "in_links": links[concept]}
            for concept, title in enumerate(_titles(count))
        ),
        lambda: [],
        lambda: ({"category": c, "title": title, "hidden": 0} for c, title in enumerate(categories)),
    )
    writer.strings("concept_titles", _titles(count))
    writer.strings("category_titles", categories)
    known: list[str] = words(np.arange(shape.words)).tolist()
    writer.strings("words", known)
    writer.trie("words", "<I", ((word, (number,)) for number, word in enumerate(known)))


def _titles(count: int) -> Iterator[str]:
    """The titles of the concepts, by their ids: no more at a time than are made at once."""
    for start in range(0, count, TITLES):
        yield from titles(np.arange(start, min(start + TITLES, count))).tolist()


def _facts(shape: Shape, digest: str) -> dict[str, Any]:
    """What the manifest says."""
    return {
        "id": f"synthetic-{shape.concepts}-{digest}",
        "wiki": SITE.dbname,
        "language": SITE.language,
        "dump_date": "",
        "siteinfo": SITE.to_json(),
        "sources": [],
        "settings": msgspec.to_builtins(shape),
        "counts": shape.counts(),
        "licence": "CC0-1.0",
        "attribution": "Made up.",
    }


def main(
    concepts: Annotated[int, typer.Argument(min=100, help="How many concepts.")],
    output: Annotated[Path, typer.Argument(help="The folder to make; it must not exist.")],
    links_a_concept: Annotated[float, typer.Option(help="Links from a concept, in the mean.")] = 28.6,
    categories: Annotated[float, typer.Option(help="Categories of a concept.")] = 4,
    tfidf: Annotated[float, typer.Option(help="Words of a tf-idf vector.")] = 484,
    esa: Annotated[float, typer.Option(help="Concepts of an ESA vector.")] = 500,
    contexts: Annotated[float, typer.Option(help="Concepts of a vector of PMI.")] = 107,
    comentions: Annotated[float, typer.Option(help="Concepts mentioned beside a concept.")] = 345,
    words: Annotated[int, typer.Option(min=1000, help="Words in all.")] = 203_000,
    seed: Annotated[int, typer.Option(min=0, help="Another one makes another snapshot.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Make up a snapshot of so many concepts, whatever the size: the tables, without a dump."""
    shape = Shape(
        concepts=concepts,
        links=links_a_concept,
        categories=categories,
        tfidf=tfidf,
        esa=esa,
        contexts=contexts,
        comentions=comentions,
        words=words,
        seed=seed,
    )
    with steps(quiet) as told:
        snapshot = write_synthetic_snapshot(output, shape, told)
    size = sum(entry.size for entry in snapshot.manifest.files.values())
    typer.echo(f"{output}: {snapshot.id}, {decimal(size)}")


if __name__ == "__main__":
    typer.run(main)
