"""A feature of a table that nobody knew before: built, cut into an excerpt, and extracted beside the others.

``tests/project/test_adding_a_feature_by_the_page.py`` does to the sources what the page says.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import measures
from building.build import STAGES
from building.excerpt import ExcerptSettings, write_excerpt
from features.catalogue import FEATURES
from features.extract import extract
from features.feature import ConceptFeature
from features.kinds import Overlap, Vectors
from snapshots.snapshot import Snapshot
from tests.building.test_another_table import DECLARED, STAGE, built

VECTOR = ConceptFeature(
    name="EMBEDDING",
    group="article text",
    measure=measures.cosine,
    evidence=(Vectors("main_axes"),),
    formula="cos(v(a), v(b))",
    description="Do the articles stand near each other?",
    range=(-1.0, 1.0),
    source="made up",
)
PLACES = ConceptFeature(
    name="J-PLACES",
    group="concepts",
    measure=measures.jaccard,
    evidence=(Overlap("places"),),
    formula="#(p(a)∩p(b)) / #(p(a)∪p(b))",
    description="What share of their places do they share?",
    range=(0.0, 1.0),
    source="made up",
)
EVERYTHING = (*FEATURES, VECTOR, PLACES)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = built(tmp_path_factory.mktemp("more"), (*STAGES, STAGE)).folder
    return Snapshot.open(folder, DECLARED)


def check(snapshot: Snapshot) -> None:
    count = snapshot.concepts
    left, right = np.divmod(np.arange(count**2), count)
    values = extract(snapshot, left, right, EVERYTHING)
    assert np.array_equal(values[:, : len(FEATURES)], extract(snapshot, left, right))
    vectors = snapshot.array("main_axes").astype(np.float64)
    same = np.where(left == right, 1.0, (vectors[left] * vectors[right]).sum(axis=1))
    assert values[:, -2] == pytest.approx(same, abs=1e-6)
    table = snapshot.csr("places")
    rows = [set(table.row(concept).tolist()) for concept in range(count)]
    shares = [len(rows[a] & rows[b]) / len(rows[a] | rows[b]) for a, b in zip(left, right, strict=True)]
    assert values[:, -1].tolist() == shares


def test_it_is_extracted_beside_the_others(snapshot: Snapshot) -> None:
    check(snapshot)
    assert VECTOR.tables == ("main_axes",)
    assert PLACES.tables == ("places",)


def test_an_excerpt_keeps_it(snapshot: Snapshot, tmp_path: Path) -> None:
    chosen = np.arange(0, snapshot.concepts, 2)
    check(write_excerpt(snapshot, tmp_path / "excerpt", chosen, ExcerptSettings()))
