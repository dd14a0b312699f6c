"""The model file: what is written is read, what does not match is refused, scores are exact."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import shipped
from models.additive import TRANSFORMS
from models.errors import (
    BadNumbers,
    ModelError,
    NotAModel,
    UnknownTransform,
    WrongFeatures,
    WrongModelFormat,
)
from models.files import load
from models.linear import LinearModel
from models.protocol import FORMAT, Coefficient, FoldResult, TrainingSet

SIGNATURES = ("PMI1@1", "MW@2", "ESA@1")


def model(**changes: Any) -> LinearModel:
    fields: dict[str, Any] = {
        "name": "toy",
        "features": SIGNATURES,
        "coefficients": (
            Coefficient("PMI1", "identity", 0.25),
            Coefficient("ESA", "identity", -0.5),
            Coefficient("ESA", "log1p20", 0.125),
        ),
        "intercept": 0.0625,
        "trained_on": TrainingSet("word_train.csv", "00ff", pairs=12, fitted=9, topics=3),
        "snapshot": "toywiki-20200101-abcd",
        "metrics": {"pearson": 0.75, "spearman": None},
        "cross_validation": (FoldResult("Owl", 3, 0.5, None),),
        "created": "2020-02-03T04:05:06+00:00",
        "code_version": "0.1.0",
    }
    return LinearModel(**{**fields, **changes})


def written(tmp_path: Path, **changes: Any) -> Path:
    """A model file with some of its JSON replaced; a change to ... leaves the field out."""
    content = msgspec.to_builtins(model())
    for field, value in changes.items():
        content[field] = value
        if value is ...:
            del content[field]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    return path


# The file


def test_the_files_that_were_joined_are_kept_and_need_not_be() -> None:
    alone = TrainingSet("mine.csv", "00ff", 12, 9, 3)
    assert b"parts" not in msgspec.json.encode(alone)
    joined = TrainingSet("mine.csv + word", "00aa", 12, 9, 3, ("00ff", "00fe"))
    for trained_on in (alone, joined):
        assert msgspec.json.decode(msgspec.json.encode(trained_on), type=TrainingSet) == trained_on


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    model().save(tmp_path / "model.json")
    assert load(tmp_path / "model.json", SIGNATURES) == model()


def test_the_file_is_json_for_people(tmp_path: Path) -> None:
    model().save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    assert (content["format"], content["type"]) == (FORMAT, "linear")
    assert content["features"] == list(SIGNATURES)
    assert content["terms"][1] == {"feature": "ESA", "transform": "identity", "weight": -0.5}
    assert content["clip"] == [0.0, 0.99]
    assert (tmp_path / "model.json").read_text().count("\n") > len(content["terms"])


def test_saving_replaces_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    model(name="first").save(tmp_path / "model.json")
    model(name="second").save(tmp_path / "model.json")
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]
    assert load(tmp_path / "model.json", SIGNATURES).name == "second"


# What it refuses


@pytest.mark.parametrize(
    ("computed_here", "said"),
    [
        (("PMI1@1", "MW@3", "ESA@1"), "was trained on MW@2, and this version of wort computes MW@3"),
        (("PMI1@1", "MW@2"), "reads ESA, which this version of wort does not compute"),
        (("PMI1@1", "MW@2", "COS@1"), "reads ESA, which"),
        (("PMI1@1", "MW@3"), "reads ESA, which"),
        ((), "reads PMI1, MW, ESA, which"),
    ],
)
def test_features_that_are_gone_or_changed_are_refused(
    tmp_path: Path, computed_here: tuple[str, ...], said: str
) -> None:
    with pytest.raises(WrongFeatures, match=said) as caught:
        load(written(tmp_path), computed_here)
    assert str(tmp_path) in str(caught.value)
    assert "wort train" in str(caught.value)


@pytest.mark.parametrize(
    "computed_here", [("MW@2", "PMI1@1", "ESA@1"), ("W2V@7", "PMI1@1", "MW@2", "COS@1", "ESA@1")]
)
def test_more_features_or_another_order_of_them_change_nothing(
    tmp_path: Path, computed_here: tuple[str, ...]
) -> None:
    loaded = load(written(tmp_path), computed_here)
    assert loaded == model()
    names = tuple(signature.partition("@")[0] for signature in computed_here)
    values = np.random.default_rng(1).random((5, len(names)))
    read = loaded.read_from(values, names)
    assert read.tolist() == values[:, [names.index(name) for name in ("PMI1", "MW", "ESA")]].tolist()
    assert loaded.read_from(read, loaded.reads) is read


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"format": 2}, WrongModelFormat, "format 2"),
        ({"format": "1"}, WrongModelFormat, "format '1'"),
        ({"format": True}, WrongModelFormat, "format True"),
        ({"format": ...}, NotAModel, "states no format"),
        ({"type": "forest"}, WrongModelFormat, "type 'forest'"),
        ({"type": ["linear"]}, WrongModelFormat, "linear and log-logistic ones alone"),
        ({"terms": []}, NotAModel, "no terms"),
        ({"terms": ...}, NotAModel, "terms"),
        ({"terms": [{"feature": "ESA", "transform": "cube", "weight": 1.0}]}, UnknownTransform, "'cube'"),
        ({"terms": [{"feature": "TEA", "transform": "sqrt", "weight": 1.0}]}, WrongFeatures, "'TEA'"),
        ({"terms": [{"feature": "ESA", "transform": "sqrt", "weight": None}]}, NotAModel, "weight"),
        ({"terms": [{"feature": "ESA", "transform": "sqrt", "weight": "1"}]}, NotAModel, "weight"),
        ({"terms": [{"feature": "ESA", "transform": "sqrt", "weight": math.nan}]}, NotAModel, "malformed"),
        ({"terms": [{"feature": "ESA", "transform": "sqrt", "weight": math.inf}]}, NotAModel, "malformed"),
        ({"terms": [{"feature": "ESA", "transform": "sqrt", "weight": 1e300}]}, BadNumbers, "ESA"),
        ({"terms": [{"feature": "ESA", "transform": "sqrt", "weight": 1.0}] * 2}, NotAModel, "twice"),
        ({"intercept": -(10**400)}, NotAModel, "intercept"),
        ({"intercept": -(10**12)}, BadNumbers, "intercept"),
        ({"clip": [1.0, 0.0]}, BadNumbers, "clip"),
        ({"clip": [0.0, 2.0]}, BadNumbers, "clip"),
        ({"clip": [0.995, 1.0]}, BadNumbers, "clip"),
        ({"clip": [0.0]}, NotAModel, "clip"),
        ({"features": ["PMI1@1", "PMI1@1", "ESA@1"]}, WrongFeatures, "twice"),
        ({"unheard_of": 1}, NotAModel, "unheard_of"),
    ],
)
def test_a_model_that_makes_no_sense_is_refused(
    tmp_path: Path, changes: dict[str, Any], error: type[ModelError], said: str
) -> None:
    with pytest.raises(error, match=said):
        load(written(tmp_path, **changes), SIGNATURES)


def test_not_a_number_cannot_be_built_either() -> None:
    with pytest.raises(BadNumbers, match="the weight of MW"):
        model(coefficients=(Coefficient("MW", "identity", math.nan),))


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n", b"[]", b"{}", b"null", b"[" * 100_000])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(NotAModel, match="wort train"):
        load(tmp_path / "other", SIGNATURES)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(NotAModel, match="cannot be read"):
            load(path, SIGNATURES)


def test_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(NotAModel):
            load(path, SIGNATURES)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from([*msgspec.to_builtins(model()), "other"]), JSON_VALUES, max_size=3),
    st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 255)), max_size=3),
)
def test_a_mangled_file_is_refused_or_scores_in_range(
    tmp_path: Path, changes: dict[str, Any], bytes_changed: list[tuple[int, int]]
) -> None:
    content = bytearray(json.dumps({**msgspec.to_builtins(model()), **changes}).encode())
    for place, byte in bytes_changed:
        content[place % len(content)] = byte
    (tmp_path / "model.json").write_bytes(content)
    try:
        loaded = load(tmp_path / "model.json", SIGNATURES)
    except ModelError:
        return
    scores = loaded.score(np.array([[0.0, 0.5, 1.0], [30.0, -1.0, 0.0]]))
    assert ((scores >= 0.0) & (scores <= 0.99)).all()


# Scoring


def test_scores_by_hand() -> None:
    values = np.array([[0.0, 9.0, 0.0], [2.0, 9.0, 0.05], [4.0, 9.0, 0.0], [-1.0, 9.0, 0.0]])
    esa = -0.5 * 0.05 + 0.125 * math.log(2.0)
    expected = [[0.0, 0.0, 0.0], [0.5, 0.0, esa], [1.0, 0.0, 0.0], [-0.25, 0.0, 0.0]]
    np.testing.assert_allclose(model().contributions(values), expected, rtol=1e-15)
    np.testing.assert_allclose(model().raw(values), [0.0625, 0.5625 + esa, 1.0625, -0.1875], rtol=1e-15)
    np.testing.assert_allclose(model().score(values), [0.0625, 0.5625 + esa, 0.99, 0.0], rtol=1e-15)


ROWS = st.lists(st.tuples(*[st.floats(-30.0, 30.0)] * 3), min_size=1, max_size=40)


@given(ROWS)
def test_contributions_sum_to_the_raw_score_exactly(rows: list[tuple[float, float, float]]) -> None:
    values = np.array(rows)
    for contributions, raw in zip(model().contributions(values), model().raw(values), strict=True):
        total = model().intercept
        for contribution in contributions.tolist():
            total += contribution
        assert total == raw


@given(ROWS)
def test_a_row_scores_the_same_in_any_batch(rows: list[tuple[float, float, float]]) -> None:
    values = np.array(rows)
    together = model().score(values)
    assert together.tolist() == [model().score(values[row : row + 1])[0] for row in range(len(values))]
    assert together[::-1].tolist() == model().score(values[::-1]).tolist()


def test_no_pairs_have_no_scores() -> None:
    assert model().score(np.empty((0, 3))).shape == (0,)


@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3,)])
def test_other_columns_are_an_error(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="features of shape"):
        model().raw(np.zeros(shape))


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_transform_is_finite_rising_and_keeps_absence(name: str) -> None:
    values = np.array([-1e6, -1.0, 0.0, 1e-300, 0.5, 1.0, 1e6])
    transformed = TRANSFORMS[name].apply(values)
    assert np.isfinite(transformed).all()
    assert (np.diff(transformed) >= 0).all()
    assert transformed[2] == 0.0


@pytest.mark.parametrize(
    ("name", "at_a_quarter"), [("identity", 0.25), ("sqrt", 0.5), ("log1p20", math.log(6))]
)
def test_a_transform_by_hand(name: str, at_a_quarter: float) -> None:
    assert TRANSFORMS[name].apply(np.array([0.25]))[0] == pytest.approx(at_a_quarter, rel=1e-15)


# Where it stands


def test_a_foreign_snapshot_is_named() -> None:
    assert model().check_snapshot("toywiki-20200101-abcd") is None
    warning = model().check_snapshot("otherwiki")
    assert warning is not None
    assert "toywiki-20200101-abcd" in warning
    assert "No judgements of otherwiki were seen" in warning
    later = model().check_snapshot("toywiki-20210101-abcd")
    assert later is not None
    assert "judgements" not in later


def test_shipped_models_are_beside_the_module() -> None:
    assert shipped.path("starter").name == "starter.json"
    assert shipped.path("starter").parent == Path(shipped.__file__).parent


def test_a_model_is_used_without_what_trains_it() -> None:
    code = "import sys, models.files, models.shipped; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    packages = {name.split(".")[0] for name in loaded.stdout.split()}
    assert "models" in packages
    assert not packages & {"sklearn", "scipy", "training", "snapshots", "features"}
