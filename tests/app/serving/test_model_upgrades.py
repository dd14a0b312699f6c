"""Features come and go while models stay: those that ship, through an upgrade of the catalogue and back."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from app.cli.registry.snapshots import what_ships
from app.serving.follower import Follower
from app.serving.starter import model_path, open_scorer, snapshot_path
from app.settings import Settings
from features.catalogue import FEATURE_NAMES, SIGNATURES
from features.extract import extract
from features.terms.catalogue import TERM_SIGNATURES
from measures.arrays import Floats
from models.errors import WrongFeatures
from models.files import load, loads
from models.log_logistic import LogLogisticModel
from models.shipped import shipped_models
from snapshots.snapshot import Snapshot
from tests.support.promoted import ToyRegistry

PAIRS = [("Cat", "Dog"), ("Europe", "Asia")]


def catalogue_of(path: Path) -> tuple[str, ...]:
    return TERM_SIGNATURES if path.name.startswith("terms-") else SIGNATURES


@pytest.fixture(scope="module")
def values() -> Floats:
    """All features of pairs of the starter's concepts."""
    snapshot = Snapshot.open(snapshot_path())
    ends = np.random.default_rng(5).integers(0, snapshot.concepts, (2, 500))
    return extract(snapshot, ends[0], ends[1])


@pytest.mark.parametrize("path", shipped_models(""), ids=lambda path: path.stem)
@pytest.mark.parametrize("place", [0, 7, None])
def test_with_one_more_feature_the_shipped_models_score_the_same(
    path: Path, place: int | None, values: Floats
) -> None:
    here = catalogue_of(path)
    before = load(path, here)
    at = len(here) if place is None else place
    upgraded = load(path, (*here[:at], "NEW@1", *here[at:]))
    assert upgraded == before
    if here is SIGNATURES:
        wider = np.insert(values, at, 0.5, axis=1)
        names = (*FEATURE_NAMES[:at], "NEW", *FEATURE_NAMES[at:])
        read = upgraded.read_from(wider, names)
        narrow = before.read_from(values, FEATURE_NAMES)
        assert upgraded.score(read).tobytes() == before.score(narrow).tobytes()
        assert upgraded.contributions(read).tobytes() == before.contributions(narrow).tobytes()


@pytest.mark.parametrize("path", shipped_models(""), ids=lambda path: path.stem)
def test_without_a_feature_or_with_another_definition_they_are_refused(path: Path) -> None:
    here = catalogue_of(path)
    name = load(path, here).reads[3]
    with pytest.raises(WrongFeatures, match=rf"{name}, which this version of wort does not compute") as gone:
        load(path, [signature for signature in here if signature != f"{name}@1"])
    with pytest.raises(
        WrongFeatures, match=rf"{name}@1, and this version of wort computes {name}@2"
    ) as other:
        load(path, [signature if signature != f"{name}@1" else f"{name}@2" for signature in here])
    for error in (gone, other):
        assert str(path) in str(error.value)
        assert "or train it again with `wort train`" in str(error.value)


def trimmed(snapshot: str) -> LogLogisticModel:
    """The starter's model as an older catalogue would have made it: without the features of weight 0."""
    whole = load(model_path(), SIGNATURES)
    assert isinstance(whole, LogLogisticModel)
    coefficients = tuple(each for each in whole.coefficients if each.weight)
    weighed = {each.feature for each in coefficients}
    return msgspec.structs.replace(
        whole,
        name="older",
        features=tuple(signature for signature in whole.features[::-1] if signature[:-2] in weighed),
        coefficients=coefficients,
        snapshot=snapshot,
    )


def test_a_model_of_fewer_features_is_promoted_served_and_rolled_back(tmp_path: Path) -> None:
    toy_registry, starter = ToyRegistry(tmp_path), open_scorer(None, None)
    model = trimmed(starter.snapshot.id)
    assert 0 < len(model.features) < len(FEATURE_NAMES)
    ref = toy_registry.register(model.encoded(), model.snapshot)
    assert loads(toy_registry.registry.artifact(ref), SIGNATURES) == model
    toy_registry.registry.promote(
        ref,
        snapshot_id=model.snapshot,
        location=str(snapshot_path()),
        reason="from before the upgrade",
        who="ann",
    )
    served = Follower(Settings(database=toy_registry.url))
    assert served.current.scorer.model_info.version == ref
    expected = starter.score(PAIRS, explain=True)
    results = served.current.scorer.score(PAIRS, explain=True, features=True)
    for result, full in zip(results, expected, strict=True):
        assert result.score == pytest.approx(full.score, abs=1e-15)
        assert result.percentiles is not None
        assert result.features is not None
        assert result.explanation is not None
        assert full.explanation is not None
        assert set(model.reads) < set(result.features)
        of_full = {entry.feature: entry for entry in full.explanation.contributions}
        for entry in result.explanation.contributions:
            full_entry = of_full[entry.feature]
            assert (entry.value, entry.contribution) == (full_entry.value, full_entry.contribution)
            assert entry.share == pytest.approx(full_entry.share, abs=1e-12)
    toy_registry.registry.rollback(reason="on second thoughts", who="ann", shipped=what_ships())
    served.look()
    assert served.describe().refused is None
    assert [one.score for one in served.current.scorer.score(PAIRS)] == [one.score for one in expected]
