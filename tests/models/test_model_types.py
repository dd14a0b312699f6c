"""A model is a protocol: another type of it is loaded, scored, explained, shown, promoted and replaced."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from app.cli import command_line
from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.follower import Follower
from app.settings import Settings
from features.catalogue import FEATURE_NAMES, SIGNATURES
from measures.arrays import Bools, Floats
from models import files
from models.errors import WrongFeatures, WrongModelFormat
from models.protocol import Coefficient, FoldResult, RelatednessModel, TrainingSet
from tests.support.browser import text_of
from tests.support.promoted import ToyRegistry, identity_of
from tests.support.served import served_snapshot, serving
from training.design import design_of
from training.retraining.folds import Folds
from training.retraining.held_out import ReadPairs, held_out


class ProductModel(RelatednessModel, frozen=True, kw_only=True):
    """The product of two features, each times its weight: what no sum of features is."""

    type: Literal["product"] = "product"
    coefficients: tuple[Coefficient, ...] = msgspec.field(name="factors")

    def contributions(self, values: Floats) -> Floats:
        """The product is what the first feature adds, and the second adds nothing."""
        weights = [factor.weight for factor in self.coefficients]
        added = np.zeros(values.shape)
        added[:, 0] = math.prod(weights) * values.prod(axis=1)
        return added

    def interval(
        self, values: Floats, scores: Floats | None = None, known: Bools | None = None
    ) -> tuple[Floats, Floats]:
        """A tenth on either side."""
        score = self.score(values) if scores is None else scores
        return score - 0.1, score + 0.1


def product(snapshot: str = "s1", features: tuple[str, ...] = ("J-IN@1", "TFIDF-CS@1")) -> ProductModel:
    return ProductModel(
        name="toy-product",
        features=features,
        coefficients=(Coefficient("J-IN", "times", 0.5), Coefficient("TFIDF-CS", "times", 2.0)),
        intercept=0.125,
        trained_on=TrainingSet("made up", "00", 12, 9, 3),
        snapshot=snapshot,
        metrics={"pearson": 0.5},
        cross_validation=(FoldResult("Owl", 3, 0.5, None),),
        created="2001-01-15T00:00:00+00:00",
        code_version="0",
    )


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The type is known, as that of a module of ours would be."""
    monkeypatch.setitem(files.TYPES, "product", ProductModel)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return served_snapshot(tmp_path_factory.mktemp("types") / "snapshot")


def test_it_is_not_known_unless_it_is_registered() -> None:
    with pytest.raises(
        WrongModelFormat, match="type 'product', and this version of wort knows linear and log-logistic ones"
    ):
        files.loads(product().encoded(), SIGNATURES)


@pytest.mark.usefixtures("registered")
def test_it_is_loaded_by_its_type(tmp_path: Path) -> None:
    product().save(tmp_path / "model.json")
    loaded = files.load(tmp_path / "model.json", SIGNATURES)
    assert loaded == product()
    assert isinstance(loaded, ProductModel)
    values = np.array([[0.5, 0.25], [0.0, 1.0], [2.0, 3.0]])
    assert loaded.raw(values).tolist() == [0.25, 0.125, 6.125]
    assert loaded.score(values).tolist() == [0.25, 0.125, 0.99]
    low, high = loaded.interval(values)
    assert (low < high).all()
    with pytest.raises(WrongFeatures, match="was trained on J-IN@9"):
        files.loads(product(features=("J-IN@9", "TFIDF-CS@1")).encoded(), SIGNATURES)


@pytest.mark.usefixtures("registered")
def test_it_scores_and_explains(snapshot: Path, tmp_path: Path) -> None:
    product(identity_of(snapshot)).save(tmp_path / "model.json")
    scorer = Scorer.open(snapshot, tmp_path / "model.json")
    (result,) = scorer.score([("Cat", "Dog")], explain=True, features=True)
    assert result.features is not None
    assert list(result.features) == list(FEATURE_NAMES)
    assert result.explanation is not None
    total = result.explanation.intercept
    for entry in result.explanation.contributions:
        total += entry.contribution
    assert total == result.explanation.raw == 0.125 + result.features["J-IN"] * result.features["TFIDF-CS"]
    assert result.score == min(total, 0.99) > 0.125


@pytest.mark.usefixtures("registered")
def test_commands_and_pages_show_it(snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy_registry = ToyRegistry(tmp_path)
    monkeypatch.setenv("WORT_DATABASE", toy_registry.url)
    product(identity_of(snapshot)).save(tmp_path / "model.json")

    def wort(*arguments: str | Path) -> str:
        done = CliRunner().invoke(command_line(["models"]), ["models", *map(str, arguments)])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert wort("add", tmp_path / "model.json") == "toy-product@1 is registered\n"
    toy_registry.promote(toy_registry.candidate(snapshot, 0.1))
    wort("promote", "toy-product@1", "--snapshot", snapshot, "--reason", "another type")
    shown = wort("show", "toy-product@1")
    for row in (["J-IN", "times", "+0.5000"], ["intercept", "+0.1250"]):
        assert row in [line.split() for line in shown.splitlines()]
    assert "times(TFIDF-CS)" in wort("compare", "toy@1", "toy-product@1")
    settings = Settings(database=toy_registry.url, follow_seconds=0)
    with serving(create_app(settings, Follower(settings))) as address:
        assert "toy-product@1" in text_of(address, "/releases").text


def test_it_cannot_be_fitted_again_and_is_judged_as_it_is() -> None:
    model, values = product(), np.random.default_rng(1).random((12, 2))
    assert design_of(model) is None
    ends, topics = np.arange(12), tuple("abcd"[number % 4] for number in range(12))
    rows = ReadPairs(ends, ends + 100, values, model.score(values), topics)
    predicted = held_out(model, rows, rows, Folds("topics", ends % 4, 4, 0, ends % 4))
    assert (predicted.how, predicted.refits) == ("as it is", 0)
    assert "toy-product is of type product" in predicted.note
    assert predicted.values.tolist() == model.score(values).tolist()
