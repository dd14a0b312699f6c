"""The evidence that is gathered, against the same by SciPy and NumPy, and the features that rest on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.serving.starter import snapshot_path
from features.catalogue import FEATURES, SENTENCES, WORD_VECTORS
from features.extract import extract
from features.gathering import Evidence, Gatherer, Titles
from features.kinds import BestMatches, Kind, Parts, Vectors
from measures.arrays import Ints
from snapshots.snapshot import Snapshot
from tests.oracles.gathering import PlainEvidence, PlainTables
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import write_snapshot

CONCEPTS = 60
IDS = st.integers(0, CONCEPTS - 1)

ASKED = tuple(dict.fromkeys(item for feature in FEATURES for item in feature.evidence))


def kind_of(item: Kind | Parts) -> Kind:
    return item.kind if isinstance(item, Parts) else item


def judge(snapshot: Snapshot, left: Ints, right: Ints) -> None:
    """Every kind of evidence is the same to the last bit, but for what rests on the dots of vectors."""
    gathered = Evidence(snapshot, left, right, ASKED)
    plain = PlainEvidence(PlainTables(snapshot), left, right)
    for item in ASKED:
        assert gathered[item].shape == (len(plain[item]), len(left))
        if isinstance(kind_of(item), BestMatches):
            assert gathered[item] == pytest.approx(plain[item], abs=1e-12), item
        else:
            assert np.array_equal(gathered[item], plain[item]), item
    words, others, *_ = Titles(snapshot).blocks(left, right)
    of_words, plain_words = (
        Evidence(snapshot, words, others, (SENTENCES, WORD_VECTORS)),
        PlainEvidence(PlainTables(snapshot), words, others),
    )
    assert np.array_equal(of_words[SENTENCES], plain_words[SENTENCES])
    assert of_words[WORD_VECTORS] == pytest.approx(plain_words[WORD_VECTORS], abs=1e-12)
    computed = np.array([feature.compute(gathered) for feature in FEATURES]).T
    assert np.array_equal(extract(snapshot, left, right), computed)


@pytest.fixture(scope="module", params=["float32", "compact"])
def snapshot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    wiki = random_wiki(11, concepts=CONCEPTS, words=30)
    folder = tmp_path_factory.mktemp("gathered") / "wiki"
    return write_snapshot(wiki, folder, compact=request.param == "compact")


def test_all_pairs_of_a_random_wiki(snapshot: Snapshot) -> None:
    judge(snapshot, *np.divmod(np.arange(CONCEPTS**2), CONCEPTS))


@given(pairs=st.lists(st.tuples(IDS, IDS), min_size=1, max_size=9))
def test_any_pairs_in_any_order(snapshot: Snapshot, pairs: list[tuple[int, int]]) -> None:
    judge(snapshot, *np.array(pairs, np.int64).T.copy())


@pytest.mark.slow
def test_real_rows_of_the_starter_snapshot() -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    snapshot = Snapshot.open(snapshot_path())
    judge(snapshot, *np.random.default_rng(1).integers(0, snapshot.concepts, (2, 3000)))


def test_no_pairs(snapshot: Snapshot) -> None:
    nothing = np.zeros(0, np.int64)
    evidence = Evidence(snapshot, nothing, nothing, ASKED)
    assert all(evidence[item].shape[1] == 0 for item in ASKED)


def test_ids_of_any_layout(snapshot: Snapshot) -> None:
    ids = np.arange(CONCEPTS)
    ids.flags.writeable = False
    judge(snapshot, ids[::2], ids[::-2])


def test_what_is_named_twice_is_gathered_once(snapshot: Snapshot) -> None:
    asked = (WORD_VECTORS, SENTENCES.only("left"), Vectors("word_vectors"), SENTENCES)
    gatherer = Gatherer(snapshot, evidence=asked)
    assert gatherer.size == len(WORD_VECTORS.parts) + len(SENTENCES.parts)
    assert gatherer.rows([SENTENCES.only("right", "left"), WORD_VECTORS]) == (3, 2, 0)
