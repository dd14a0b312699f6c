"""Scaled vectors: rounded to unit length, multiplied exactly, and refused where they are damaged."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building.arrays import save_array
from features import kernels
from features.catalogue import named
from features.extract import extract
from snapshots.errors import DamagedSnapshot
from snapshots.layout import TABLES
from snapshots.manifest import FileEntry, checksum
from snapshots.scaled import MOST_DIMENSIONS, ScaledVectors
from snapshots.snapshot import Snapshot
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import write_snapshot

SEEDS = st.integers(0, 2**32)


@given(SEEDS, st.integers(0, 9), st.integers(1, 40))
def test_rows_are_rounded_a_little_and_have_unit_length(seed: int, rows: int, dimensions: int) -> None:
    given_rows = np.random.default_rng(seed).standard_normal((rows, dimensions))
    unit = given_rows / np.linalg.norm(given_rows, axis=1, keepdims=True)
    scaled = ScaledVectors.of(given_rows)
    assert np.linalg.norm(scaled.floats(), axis=1) == pytest.approx(1, abs=1e-6)
    assert (np.abs(scaled.vectors).max(axis=1, initial=0) == 127).all()
    # Half a unit in each dimension, of rows whose greatest number is 127.
    assert ((scaled.floats() * unit).sum(axis=1) > 1 - dimensions / 127**2).all()
    plain = ScaledVectors.of(given_rows, unit=False)
    assert np.abs(plain.floats() - given_rows).max(initial=0) <= np.abs(given_rows).max(initial=0) / 250


def test_a_zero_row_stays_one() -> None:
    for unit in (True, False):
        scaled = ScaledVectors.of(np.zeros((2, 3)), unit)
        assert not scaled.vectors.any()
        assert scaled.scales.tolist() == [0, 0]


@settings(deadline=None)
@given(SEEDS, st.integers(1, 130))
def test_dots_are_those_of_integers(seed: int, dimensions: int) -> None:
    chance = np.random.default_rng(seed)
    vectors, others = chance.integers(-128, 128, (2, 6, dimensions)).astype(np.int8)
    scales, other_scales = chance.random((2, 6)).astype(np.float32)
    left, right = chance.integers(0, 6, (2, 20))
    found = kernels.scaled_dots(vectors, scales, others, other_scales, left, right)
    exact = (vectors[left].astype(np.int64) * others[right].astype(np.int64)).sum(axis=1)
    expected = exact * (scales[left].astype(np.float64) * other_scales[right].astype(np.float64))
    assert found.tolist() == expected.tolist()


def test_the_longest_vectors_do_not_overflow() -> None:
    vectors = np.full((1, MOST_DIMENSIONS), -128, np.int8)
    scales, first = np.ones(1, np.float32), np.zeros(1, np.int64)
    (dot,) = kernels.scaled_dots(vectors, scales, vectors, scales, first, first)
    assert dot == 128**2 * MOST_DIMENSIONS


def damaged(folder: Path, file: str, array: np.ndarray) -> Snapshot:
    """A snapshot one of whose files holds something else, of which the manifest knows."""
    snapshot = write_snapshot(random_wiki(3, concepts=10), folder)
    save_array(folder / file, array)
    entry = FileEntry((folder / file).stat().st_size, checksum(folder / file))
    files = snapshot.manifest.files | {file: entry}
    return Snapshot(folder, msgspec.structs.replace(snapshot.manifest, files=files))


@pytest.mark.parametrize(
    ("file", "array"),
    [
        ("title_vectors.npy", np.zeros((9, 5), np.int8)),
        ("title_vectors.npy", np.zeros((10, 5), np.int16)),
        ("title_vectors.npy", np.zeros(10, np.int8)),
        ("title_vectors.npy", np.zeros((10, MOST_DIMENSIONS + 1), np.int8)),
        ("title_vectors.scales.npy", np.zeros(9, np.float32)),
        ("title_vectors.scales.npy", np.zeros(10, np.float64)),
        ("title_vectors.scales.npy", np.zeros((10, 1), np.float32)),
        ("title_vectors.axes.npy", np.zeros((4, 7), np.float32)),
        ("title_vectors.axes.npy", np.zeros((5, 7), np.float64)),
        ("title_vectors.axes.npy", np.zeros(5, np.float32)),
    ],
)
def test_tables_that_do_not_fit_are_damaged(tmp_path: Path, file: str, array: np.ndarray) -> None:
    with pytest.raises(DamagedSnapshot, match="title_vectors"):
        damaged(tmp_path / "wiki", file, array).scaled("title_vectors")


def test_tables_of_two_spaces_are_damaged(tmp_path: Path) -> None:
    snapshot = damaged(tmp_path / "wiki", "lead_vectors.npy", np.zeros((10, 4), np.int8))
    with pytest.raises(DamagedSnapshot, match="4 dimensions, and those of title_vectors 5"):
        extract(snapshot, [0], [1], named(["ENC-CROSS"]))


def test_scales_that_are_no_numbers_give_no_feature(tmp_path: Path) -> None:
    snapshot = damaged(tmp_path / "wiki", "lead_vectors.scales.npy", np.full(10, np.nan, np.float32))
    everything = np.arange(10)
    with pytest.raises(DamagedSnapshot, match="ENC-LEAD"):
        extract(snapshot, everything, everything[::-1], named(["ENC-LEAD"]))


def test_each_form_is_read_as_itself(tmp_path: Path) -> None:
    snapshot = write_snapshot(random_wiki(3, concepts=10), tmp_path / "wiki")
    with pytest.raises(KeyError, match="no plain array"):
        snapshot.array("lead_vectors")
    with pytest.raises(KeyError, match="no scales"):
        snapshot.scaled("word_vectors")
    assert isinstance(snapshot.table("lead_vectors"), ScaledVectors)
    assert all(table.vector and table.values == "int8" for table in TABLES if table.scaled)
