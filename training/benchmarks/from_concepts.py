"""From a benchmark of concepts one of terms (Ein-Dor et al. 2018, section 3.6).

Each concept has an equivalence set: the n-grams that stand for it and for hardly anything else. A pair of
concepts becomes every pair of an n-gram of the one and an n-gram of the other, with the concepts' score. The
paper takes the n-grams from redirects and from links by their commonness and states no thresholds; ours are
settings.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from snapshots.annotator import Annotator
from snapshots.naming.mentions import mention_of
from snapshots.naming.names import FILE, Names
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.declared import write_declaration
from training.benchmarks.judgements import SPLIT, Benchmark, Split
from training.coverage import CoveredPairs, cover
from training.errors import NotABenchmark
from training.progress import Progress


class EquivalenceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What makes an n-gram stand for a concept."""

    minimum_commonness: float = 0.9
    """At least this share of the n-gram's uses must be for the concept: two n-grams that are read without
    context then mean the concepts of their pair in at least 81 of 100 readings. Above one half an n-gram
    stands for one concept only."""

    minimum_link_probability: float = 0.02
    """An n-gram that is no title of the concept must be linked in at least this share of the articles that
    have it: below, it is a phrase that an editor happened to link, and the annotator passes over it too."""


class ScoredTerms(NamedTuple):
    """Two terms with the score and topic of the concepts (by title) that they stand for."""

    left: str
    right: str
    score: float
    topic: str | None
    left_concept: str
    right_concept: str


class TermPairs(NamedTuple):
    """What became of a benchmark of concepts.

    ``resolved``: its pairs whose concepts the snapshot has; ``identical``: those left out because both sides
    are one concept; ``without_terms``: those left out because a side has an empty equivalence set;
    ``concepts``: how many concepts the resolved pairs name; ``terms``: how many n-grams their sets hold.
    """

    pairs: tuple[ScoredTerms, ...]
    resolved: int
    identical: int
    without_terms: int
    concepts: int
    terms: int


def equivalence_sets(
    annotator: Annotator, names: Mapping[int, Iterable[str]], settings: EquivalenceSettings
) -> dict[int, tuple[str, ...]]:
    """The n-grams of each concept, in alphabetical order.

    Args:
        annotator: its mention dictionary holds the n-grams: anchors, titles and redirects, lower-cased.
        names: for each concept that is asked for, its title and the titles that redirect to it. They stand
            for it by the editors' decision, so only their commonness is asked.
        settings: the thresholds.
    """
    own = {
        concept: {mention_of(name, annotator.settings.mention_words) for name in titles}
        for concept, titles in names.items()
    }
    wanted = np.zeros(annotator.senses.columns, bool)
    wanted[list(own)] = True
    indices = np.asarray(annotator.senses.checked().indices)
    # Numbers are stored in float32, where 0.9 is a little less.
    commonness = np.asarray(annotator.commonness) * np.float32(annotator.senses.scale)
    chosen = np.flatnonzero(wanted[indices] & (commonness >= np.float32(settings.minimum_commonness)))
    mentions = np.searchsorted(annotator.senses.indptr, chosen, side="right") - 1
    linked = annotator.link_probability[mentions] >= np.float32(settings.minimum_link_probability)
    sets: dict[int, list[str]] = {concept: [] for concept in own}
    for mention, concept, often in zip(mentions.tolist(), indices[chosen].tolist(), linked, strict=True):
        term = annotator.spotter.trie.restore_key(mention)
        # A qualifier in parentheses tells titles apart; nobody writes it in a text.
        if (often or term in own[concept]) and not term.endswith(")"):
            sets[concept].append(term)
    return {concept: tuple(sorted(terms)) for concept, terms in sets.items()}


def term_pairs(
    covered: CoveredPairs, titles: Mapping[int, str], sets: Mapping[int, Sequence[str]]
) -> TermPairs:
    """Every pair of n-grams that covered pairs of concepts give, in the order of those.

    Args:
        covered: the pairs of concepts.
        titles: by concept id.
        sets: the equivalence set of each concept that the pairs name.
    """
    pairs: list[ScoredTerms] = []
    identical = without_terms = 0
    columns = covered.left, covered.right, covered.scores, covered.topic
    for left, right, score, number in zip(*(column.tolist() for column in columns), strict=True):
        topic = covered.topics[number] if covered.topics else None
        if left == right:
            identical += 1
            continue
        without_terms += not (sets[left] and sets[right])
        pairs += [
            ScoredTerms(one, other, score, topic, titles[left], titles[right])
            for one, other in product(sets[left], sets[right])
        ]
    terms = sum(map(len, sets.values()))
    return TermPairs(tuple(pairs), len(covered.scores), identical, without_terms, len(sets), terms)


def made_from(
    benchmark: Benchmark, snapshot: Snapshot, settings: EquivalenceSettings, progress: Progress | None = None
) -> TermPairs:
    """The term pairs of a benchmark of concepts; ``progress`` counts the titles that are resolved.

    Raises:
        NotABenchmark: the benchmark is not of concepts.
        SnapshotError: the snapshot has no mention dictionary.
    """
    if benchmark.kind != "concepts":
        raise NotABenchmark(f"{benchmark.name} holds {benchmark.kind}, and terms are made from concepts.")
    annotator = Annotator.of_snapshot(snapshot)
    covered, _ = cover(benchmark, Resolver.open(snapshot), progress)
    concepts = np.union1d(covered.left, covered.right).tolist()
    names = Names(snapshot.folder / FILE, snapshot.concepts)
    titles = {concept: snapshot.concept_titles[concept] for concept in concepts}
    leading = {concept: [title, *names.redirects(concept)] for concept, title in titles.items()}
    return term_pairs(covered, titles, equivalence_sets(annotator, leading, settings))


def write_terms(made: TermPairs, path: Path, benchmark: Benchmark, split: Split) -> Path:
    """Write the term pairs to ``path`` (.csv, .tsv or .jsonl) and beside it the TOML that declares them.

    Where rows of the benchmark are marked Train or Test, so are these: test rows stay test rows. Returns the
    file of the declaration.
    """
    marked = split == "test" or benchmark.other_split > 0
    rows = [pair._asdict() | ({SPLIT: split.capitalize()} if marked else {}) for pair in made.pairs]
    if path.suffix.lower() in {".jsonl", ".ndjson"}:
        content = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    else:
        table = io.StringIO(newline="")
        columns = [*ScoredTerms._fields, *([SPLIT] if marked else [])]
        delimiter = "," if path.suffix.lower() == ".csv" else "\t"
        writer = csv.DictWriter(table, columns, delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        content = table.getvalue().encode()
    path.write_bytes(content)
    scores = [pair.score for pair in made.pairs]
    declaration: dict[str, object] = {
        "name": "-".join(path.stem.split()),
        "title": f"Terms of {benchmark.title or benchmark.name}",
        "kind": "terms",
        **({} if benchmark.language is None else {"language": benchmark.language}),
        "files": [path.name],
        "topic": "topic",
        # A bare file has no declared range.
        "low": min([benchmark.low, *scores]),
        "high": max([benchmark.high, *scores]),
        "rows": len(made.pairs),
    }
    return write_declaration(path, declaration)
