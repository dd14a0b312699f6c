"""A feature is added as ``docs/adding-a-feature.md`` says: a vector a concept, and no kernel changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import measures
from features.catalogue import FEATURES, named
from features.extract import extract
from features.feature import ConceptFeature
from features.kinds import Overlap, Vectors
from measures.arrays import Floats
from models.model import Model, TrainingSet
from snapshots import layout
from snapshots.layout import Table
from snapshots.snapshot import Snapshot
from tests.wikis.toy import TITLES, toy_snapshot
from training.design import Design
from training.fit import design_matrix, fit, weighted

EMBEDDING = ConceptFeature(
    name="EMBEDDING",
    group="article text",
    measure=measures.cosine,
    evidence=(Vectors("embeddings"),),
    formula="cos(v(a), v(b))",
    description="Do the articles stand near each other?",
    range=(-1.0, 1.0),
    source="made up",
)
SHARED_CATEGORIES = ConceptFeature(
    name="J-CATEGORIES",
    group="concepts",
    measure=measures.jaccard,
    evidence=(Overlap("categories"),),
    formula="#(cat(a)∩cat(b)) / #(cat(a)∪cat(b))",
    description="What share of their categories do they share?",
    range=(0.0, 1.0),
    source="made up",
)
EVERYTHING = (*FEATURES, EMBEDDING, SHARED_CATEGORIES)


@pytest.fixture
def vectors() -> Floats:
    drawn = np.random.default_rng(1).normal(size=(len(TITLES), 3)).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


@pytest.fixture
def snapshot(tmp_path: Path, vectors: Floats, monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    """The toy, with a table more."""
    declared = Table("embeddings", "concepts", None, "float32", "a vector a concept", unit=True)
    monkeypatch.setattr(layout, "TABLES", (*layout.TABLES, declared))
    snapshot = toy_snapshot(tmp_path / "toy")
    snapshot._opened[declared.name] = vectors  # as if a stage had written it
    return snapshot


def test_it_is_extracted_beside_the_others(snapshot: Snapshot, vectors: Floats) -> None:
    left, right = np.divmod(np.arange(len(TITLES) ** 2), len(TITLES))
    values = extract(snapshot, left, right, EVERYTHING)
    assert np.array_equal(values[:, : len(FEATURES)], extract(snapshot, left, right))
    exact = vectors.astype(np.float64)
    expected = np.where(left == right, 1.0, (exact[left] * exact[right]).sum(axis=1))
    assert values[:, len(FEATURES)] == pytest.approx(expected, abs=1e-12)
    assert EMBEDDING.tables == ("embeddings",)
    assert set(named(["CATEGORY"])[0].tables) == set(SHARED_CATEGORIES.tables)


def test_it_is_trained_with_scored_and_explained(snapshot: Snapshot) -> None:
    random = np.random.default_rng(2)
    left, right = random.integers(0, len(TITLES), (2, 60))
    names = [feature.name for feature in EVERYTHING]
    values = extract(snapshot, left, right, EVERYTHING)
    truth = 0.5 + 0.3 * values[:, names.index("EMBEDDING")]
    design = Design((("EMBEDDING", "identity"), ("MW", "identity")))
    fitted = fit(design_matrix(values, design, names), truth, design.positive)
    model = Model(
        name="with-embeddings",
        features=tuple(feature.signature for feature in EVERYTHING),
        terms=weighted(design, fitted),
        intercept=fitted.intercept,
        trained_on=TrainingSet("made up", "0", pairs=60, fitted=60, topics=1),
        snapshot=snapshot.id,
        metrics={},
        cross_validation=(),
        created="2001-01-15",
        code_version="0",
    )
    assert model.score(values) == pytest.approx(np.clip(truth, 0.0, 0.99), abs=1e-6)
    added = model.contributions(values)[:, names.index("EMBEDDING")]
    assert added == pytest.approx(truth - 0.5, abs=1e-6)
