"""Fifty everyday pairs, with bounds that anybody would sign, and what models say of them.

``python -m benchmarks.everyday_pairs SNAPSHOT [--model FILE]... [--terms FILE]... [--json FILE]`` scores the
pairs of ``everyday_pairs.csv`` with models over one snapshot (the models that come with wort if none is
named): with models of concepts as articles, with models of terms as free terms. Beside them stands the
encoder's cosine of the titles where the snapshot has it. docs/everyday-pairs.md shows what
``--json benchmarks/results/everyday_pairs.json`` keeps, once ``python -m benchmarks.pages`` has run.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from app.scoring.model_kinds import load_concept_model, load_term_model
from app.scoring.offered import concept_models, concept_trouble, term_models, term_trouble
from benchmarks.report import Cell, Table, new_report, publish
from encoders.encoder import open_encoder
from encoders.shipped import shipped_encoder
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from features.terms.encoded import EncodesTexts
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Floats, Ints
from models.protocol import RelatednessModel
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot

PAIRS = Path(__file__).with_name("everyday_pairs.csv")
TITLE_VECTORS, TITLE_COSINE = "title_vectors", "ENC-TITLE"


class EverydayPair(NamedTuple):
    """Two titles, what they are to each other, and between what their score lies for anybody: 0 to 1."""

    kind: str
    left: str
    right: str
    low: float
    high: float

    @property
    def titles(self) -> str:
        """Both, as a table names the pair."""
        return f"{self.left} – {self.right}"

    def holds(self, score: float) -> bool:
        """Whether a score is within the bounds, both included."""
        return self.low <= score <= self.high


def everyday_pairs(file: Path = PAIRS) -> tuple[EverydayPair, ...]:
    """The pairs of a file with the columns kind, left, right, low and high."""
    with file.open(encoding="utf-8", newline="") as opened:
        return tuple(
            EverydayPair(row["kind"], row["left"], row["right"], float(row["low"]), float(row["high"]))
            for row in csv.DictReader(opened)
        )


class PairColumns(NamedTuple):
    """What is said of n pairs: the scores of models by name, and what is no score, each float64[n].

    ``scores``: of models of concepts; ``terms``: of models of terms, which are given the titles as words.
    ``cosine``: the encoder's of the titles, None where the snapshot has no vectors of titles.
    """

    scores: dict[str, Floats]
    cosine: Floats | None
    terms: Mapping[str, Floats] = MappingProxyType({})

    @property
    def by_model(self) -> dict[str, Floats]:
        """The scores of all models, in the order of the columns."""
        return {**self.scores, **{of_terms(name): column for name, column in self.terms.items()}}


def of_terms(name: str) -> str:
    """What the column of a model of terms is called."""
    return f"{name}, terms"


def concepts_of(resolver: Resolver, pairs: Sequence[EverydayPair]) -> tuple[Ints, Ints]:
    """The concepts of both sides, int64[n] each.

    Raises:
        LookupError: the snapshot lacks some of the articles; the message names them.
    """
    found = {title: resolver.resolve(title).concept for pair in pairs for title in (pair.left, pair.right)}
    missing = [title for title, concept in found.items() if concept < 0]
    if missing:
        raise LookupError(f"the snapshot has no article {', '.join(missing)}")
    left, right = np.array([(found[pair.left], found[pair.right]) for pair in pairs], np.int64).T
    return np.ascontiguousarray(left), np.ascontiguousarray(right)


def columns_of(
    snapshot: Snapshot, models: Mapping[str, RelatednessModel], pairs: Sequence[EverydayPair]
) -> PairColumns:
    """What ``models`` say of pairs over a snapshot.

    Raises:
        LookupError: as ``concepts_of``.
    """
    values = extract(snapshot, *concepts_of(Resolver.open(snapshot), pairs))
    scores = {name: model.score(model.read_from(values, FEATURE_NAMES)) for name, model in models.items()}
    cosine = values[:, FEATURE_NAMES.index(TITLE_COSINE)] if snapshot.has(TITLE_VECTORS) else None
    return PairColumns(scores, cosine)


def models_for(snapshot: Snapshot, files: Sequence[Path]) -> dict[str, RelatednessModel]:
    """The models in ``files`` by the names that they have; where none is named, those that come with wort.

    Of these the ones whose evidence the snapshot has.
    """
    if files:
        return {model.name: model for model in map(load_concept_model, files)}
    shipped = {name: each.model for name, each in concept_models(snapshot.id).items()}
    usable = {name: model for name, model in shipped.items() if concept_trouble(snapshot, model) is None}
    return usable or shipped


def term_scores(
    snapshot: Snapshot,
    models: Mapping[str, RelatednessModel],
    pairs: Sequence[EverydayPair],
    encoder: EncodesTexts | None = None,
) -> dict[str, Floats]:
    """What models of terms themselves say of titles as free terms, float64[n] each.

    Where both terms name concepts, which titles do, a server asks the model of these instead. ``encoder``:
    compares the terms as texts, where a model reads that.
    """
    extractor = TermExtractor.open(snapshot, Resolver.open(snapshot), encoder)
    values = extractor.extract([TermPair(pair.left, pair.right) for pair in pairs])
    names = [feature.name for feature in extractor.features]
    return {name: model.score(model.read_from(values, names)) for name, model in models.items()}


def term_models_for(
    snapshot: Snapshot, files: Sequence[Path], encoder: EncodesTexts | None
) -> dict[str, RelatednessModel]:
    """The models of terms in ``files``, or those that come with wort, as ``models_for``.

    Without an encoder those that read what one says are left out.
    """
    if files:
        models = {model.name: model for model in map(load_term_model, files)}
    else:
        models = {name: each.model for name, each in term_models(snapshot.id).items()}
    return {name: model for name, model in models.items() if term_trouble(model, encoder is not None) is None}


def pairs_table(pairs: Sequence[EverydayPair], said: PairColumns) -> Table:
    """A row for each pair; a score beyond the bounds is bold."""
    rows: list[tuple[Cell, ...]] = []
    for place, pair in enumerate(pairs):
        scores = (float(column[place]) for column in said.by_model.values())
        shown = (f"{score:.2f}" if pair.holds(score) else f"**{score:.2f}**" for score in scores)
        cosine = () if said.cosine is None else (f"{said.cosine[place]:.2f}".replace("-", "−"),)
        rows.append((pair.titles, pair.kind, f"{pair.low:g} to {pair.high:g}", *shown, *cosine))
    last = () if said.cosine is None else (TITLE_COSINE,)
    return Table("pairs", "Fifty everyday pairs", ("pair", "kind", "bounds", *said.by_model, *last), rows)


def kinds_table(pairs: Sequence[EverydayPair], said: PairColumns) -> Table:
    """Of each kind how many pairs there are, and of how many each model's score is within the bounds."""
    within = {
        name: [pair.holds(float(score)) for pair, score in zip(pairs, column, strict=True)]
        for name, column in said.by_model.items()
    }
    rows: list[tuple[Cell, ...]] = []
    for kind in (*dict.fromkeys(pair.kind for pair in pairs), "all"):
        own = [place for place, pair in enumerate(pairs) if kind in (pair.kind, "all")]
        rows.append((kind, len(own), *(sum(held[place] for place in own) for held in within.values())))
    return Table("kinds", "Within the bounds", ("kind", "pairs", *said.by_model), rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--model", type=Path, action="append", default=[])
    parser.add_argument("--terms", type=Path, action="append", default=[])
    parser.add_argument("--encoder", type=Path, default=shipped_encoder())
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    snapshot, pairs = Snapshot.open(options.snapshot), everyday_pairs()
    encoder = None if options.encoder is None else open_encoder(options.encoder)
    termed = term_models_for(snapshot, options.terms, encoder)
    said = columns_of(snapshot, models_for(snapshot, options.model), pairs)
    said = said._replace(terms=term_scores(snapshot, termed, pairs, encoder))
    tables = [kinds_table(pairs, said), pairs_table(pairs, said)]
    publish(new_report("everyday_pairs", snapshot.id, tables), options.json)


if __name__ == "__main__":
    main()
