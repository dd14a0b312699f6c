"""What is promised of every feature, checked for all of them on one random wiki and on a bare one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from building.writer import SnapshotWriter
from features.catalogue import FEATURE_NAMES, FEATURES, SIGNATURES, named
from features.extract import extract
from features.feature import ConceptFeature
from snapshots.layout import TABLES
from snapshots.snapshot import Snapshot
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import write_snapshot

Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]

CONCEPTS = 40
IDS = st.integers(0, CONCEPTS - 1)
PAIRS = st.lists(st.tuples(IDS, IDS), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    wiki = random_wiki(7, concepts=CONCEPTS, words=30)
    return write_snapshot(wiki, tmp_path_factory.mktemp("contract") / "wiki")


@pytest.fixture(scope="module")
def everything(snapshot: Snapshot) -> Pairs:
    """Every pair there is, each concept with itself included."""
    left, right = np.divmod(np.arange(CONCEPTS**2), CONCEPTS)
    return left, right


def test_the_features_stand_in_the_order_of_the_paper_and_later_ones_after_them() -> None:
    names = (
        *("PMI1", "W2V", "NPMI1_C", "PMI1_C", "PMI2_C", "INLINK-PMI", "MW", "COND-PROB"),
        *("J-IN", "J-OUT", "J-IN-OUT", "FRIEND", "DIRECT-LINK", "CATEGORY", "TFIDF-CS", "ESA"),
        *("ENC-TITLE", "ENC-CROSS", "ENC-LEAD"),
    )
    assert names == FEATURE_NAMES
    assert SIGNATURES[0] == "PMI1@1"


@pytest.mark.parametrize("feature", FEATURES, ids=FEATURE_NAMES)
class TestEachFeature:
    def test_is_in_its_declared_range(
        self, feature: ConceptFeature, snapshot: Snapshot, everything: Pairs
    ) -> None:
        (values,) = extract(snapshot, *everything, features=(feature,)).T
        low, high = feature.range
        assert values.dtype == np.float64
        assert values.shape == (CONCEPTS**2,)
        assert np.isfinite(values).all()
        assert values.min() >= low
        assert values.max() <= high

    def test_tells_pairs_apart(self, feature: ConceptFeature, snapshot: Snapshot, everything: Pairs) -> None:
        (values,) = extract(snapshot, *everything, features=(feature,)).T
        assert (values == feature.absent).any()
        assert (values != feature.absent).any()

    def test_is_symmetric_as_declared(
        self, feature: ConceptFeature, snapshot: Snapshot, everything: Pairs
    ) -> None:
        left, right = everything
        there = extract(snapshot, left, right, (feature,))
        back = extract(snapshot, right, left, (feature,))
        assert feature.symmetric == bool((there == back).all())

    def test_is_absent_where_there_are_no_tables(self, feature: ConceptFeature, tmp_path: Path) -> None:
        values = extract(bare_snapshot(tmp_path / "bare"), [0, 1, 2], [1, 2, 2])
        assert values[:, FEATURES.index(feature)].tolist() == [feature.absent] * 3

    def test_reads_tables_that_exist(self, feature: ConceptFeature) -> None:
        assert set(feature.tables) <= {table.name for table in TABLES}
        assert feature.tables


@given(pairs=PAIRS)
def test_a_batch_is_its_single_pairs_to_the_last_bit(
    snapshot: Snapshot, pairs: list[tuple[int, int]]
) -> None:
    left, right = np.array(pairs).T
    singles = [extract(snapshot, [a], [b])[0] for a, b in pairs]
    assert np.array_equal(extract(snapshot, left, right), singles)


@given(pairs=PAIRS, seed=st.integers(0, 2**32))
def test_permuting_pairs_permutes_rows(snapshot: Snapshot, pairs: list[tuple[int, int]], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(pairs))
    left, right = np.array(pairs).T
    assert np.array_equal(extract(snapshot, left, right)[order], extract(snapshot, left[order], right[order]))


def test_blocks_leave_no_seam(snapshot: Snapshot, everything: Pairs) -> None:
    whole = extract(snapshot, *everything)
    assert np.array_equal(extract(snapshot, *everything, block=37), whole)


def test_some_features_in_any_order_are_columns_of_all(snapshot: Snapshot, everything: Pairs) -> None:
    names = ("ESA", "PMI1", "MW", "MW")
    whole = extract(snapshot, *everything)
    columns = [FEATURE_NAMES.index(name) for name in names]
    assert np.array_equal(extract(snapshot, *everything, features=named(names)), whole[:, columns])


def test_only_the_tables_of_the_features_asked_for_are_read(snapshot: Snapshot) -> None:
    opened = Snapshot.open(snapshot.folder)
    extract(opened, [0], [1], named(["MW"]))
    assert set(opened._opened) == {"in_links"}


def test_a_feature_that_there_is_not_is_named() -> None:
    with pytest.raises(KeyError, match="no feature 'MV'; there are PMI1, W2V"):
        named(["MW", "MV"])


def test_no_pairs_give_no_rows(snapshot: Snapshot) -> None:
    assert extract(snapshot, [], []).shape == (0, len(FEATURES))


@pytest.mark.parametrize("dtype", [np.int32, np.uint16, np.int64])
def test_ids_of_any_integer_type_and_layout(snapshot: Snapshot, dtype: type[np.integer]) -> None:
    ids = np.arange(CONCEPTS, dtype=dtype)
    assert np.array_equal(
        extract(snapshot, ids[::-2], ids[::2]), extract(snapshot, list(ids[::-2]), list(ids[::2]))
    )


@pytest.mark.parametrize(
    ("left", "right", "error", "message"),
    [
        ([0, CONCEPTS], [0, 0], IndexError, f"no concept {CONCEPTS} .* from 0 to {CONCEPTS - 1}"),
        ([0, 0], [0, -1], IndexError, "no concept -1"),
        ([0, 1], [0], ValueError, "2 left concepts and 1 right"),
        ([[0, 1]], [[0, 1]], ValueError, "2 dimensions"),
        ([0.5], [1], TypeError, "float64"),
        (["Cat"], [1], TypeError, "integers"),
    ],
)
def test_what_are_not_pairs_of_concepts_is_refused(
    snapshot: Snapshot, left: list[Any], right: list[Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        extract(snapshot, left, right)


def bare_snapshot(folder: Path) -> Snapshot:
    """Three concepts of which nothing is known."""
    counts = {"concepts": 3, "universe": 3, "sentences": 0, "paragraphs": 0}
    return SnapshotWriter(folder).finish(
        lambda digest: {
            "id": digest,
            "wiki": "barewiki",
            "language": "en",
            "dump_date": "2001-01-15",
            "siteinfo": {},
            "sources": [],
            "settings": {},
            "counts": counts,
            "licence": "CC0-1.0",
            "attribution": "made up",
        }
    )
