"""Several models over one snapshot: by name in a request, by a setting, and which answers otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from app.errors import UnknownModelName, UnusableModel
from app.scoring import offered
from app.scoring.concepts import Scorer
from app.scoring.model_kinds import load_concept_model
from app.scoring.offered import (
    NAMES,
    REGRESSION,
    WORT,
    WORT_PLUS,
    concept_models,
    concept_trouble,
    default_model,
)
from app.service import create_app
from app.serving.encoder import EncoderPlace
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.serving.starter import model_path, open_scorer, snapshot_path
from app.settings import Settings
from app.web.responses.caching import tag_of
from features.catalogue import FEATURES
from models.protocol import RelatednessModel, TextsEncoder
from models.shipped import path as shipped_file
from snapshots.snapshot import Snapshot
from tests.support.patience import PATIENCE
from tests.support.plus import LetterEncoder, plus_model, plus_term_model
from tests.support.served import serving, toy_scorer
from wort.client import Client
from wort.errors import NotFound
from wort.schemas.releases import ModelsResponse


class Place(EncoderPlace):
    """Where an encoder is, without a folder of it."""

    def __init__(self) -> None:
        super().__init__(None)
        self.folder = Path("somewhere")

    def open(self) -> LetterEncoder:
        return LetterEncoder()


@pytest.fixture
def with_plus(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the logistic models that come with wort were toys."""
    shipped = offered._shipped

    def more(of_terms: bool) -> tuple[offered.ShippedModel, ...]:
        made: RelatednessModel = plus_term_model("s") if of_terms else plus_model("s")
        stem = "terms-plus-enwiki-relinked" if of_terms else "plus-starter"
        others = (each for each in shipped(of_terms) if each.model.unit != made.unit)
        return (*others, offered.ShippedModel(made, Path(f"{stem}.json")))

    monkeypatch.setattr(offered, "_shipped", more)


@pytest.fixture
def http(tmp_path: Path, with_plus: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    monkeypatch.setattr("app.serving.models.EncoderPlace", lambda _: Place())
    with (
        serving(create_app(Settings(), toy_scorer(tmp_path))) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        yield client


def asked(http: httpx.Client, path: str = "/v1/relatedness", **more: Any) -> dict[str, Any]:
    response = http.post(path, json={"pairs": [{"left": "Cat", "right": "Dog"}], **more})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_a_request_names_its_model(http: httpx.Client) -> None:
    own, linear, plus = asked(http), asked(http, model="wort"), asked(http, model="wort-plus")
    assert [each["model"]["name"] for each in (own, linear, plus)] == ["toy", "wort-starter", "toy-plus"]
    assert len({each["results"][0]["score"] for each in (own, linear, plus)}) == 3
    assert asked(http, model="toy") == own
    assert "interval" not in own["results"][0]
    interval = plus["results"][0]["interval"]
    assert interval["low"] <= plus["results"][0]["score"] <= interval["high"]
    assert interval["level"] == 0.9
    # Percentiles are those of the model.
    assert own["results"][0]["percentiles"] is not None


def test_every_way_to_ask_takes_a_model(http: httpx.Client) -> None:
    (score,) = (result["score"] for result in asked(http, model="wort-plus")["results"])
    square = http.post(
        "/v1/relatedness/matrix", json={"concepts": ["Cat", "Dog"], "model": "wort-plus"}
    ).json()
    assert square["scores"][0][1] == score
    assert square["model"]["name"] == "toy-plus"
    related = http.get("/v1/concepts/related", params={"title": "Cat", "model": "wort-plus", "k": 50}).json()
    dog = next(each for each in related["related"] if each["title"] == "Dog")
    assert (dog["score"], dog["interval"]["level"]) == (score, 0.9)
    plain = http.get("/v1/concepts/related", params={"title": "Cat"}).json()
    assert all("interval" not in each for each in plain["related"])
    lines = http.post(
        "/v1/relatedness",
        json={"pairs": [{"left": "Cat", "right": "Dog"}], "model": "wort-plus"},
        headers={"Accept": "application/x-ndjson"},
    ).text.splitlines()
    assert [msgspec.json.decode(line) for line in lines][1]["score"] == score
    file = "left,right\nCat,Dog\nCat,Nobody\n"
    table = http.post(
        "/v1/relatedness/files?model=wort-plus", content=file, headers={"Content-Type": "text/csv"}
    ).text.splitlines()
    assert table[0].endswith("error,interval_low,interval_high")
    assert float(table[1].split(",")[2]) == score
    assert table[2].endswith(",,")
    plain_table = http.post("/v1/relatedness/files", content=file, headers={"Content-Type": "text/csv"}).text
    assert plain_table.splitlines()[0] == "left,right,score,status,left_title,right_title,error"
    (term,) = asked(http, "/v1/terms/relatedness", model="wort-plus")["results"]
    assert (term["score"], term["used"], term["model"]) == (score, ["concepts"], "toy-plus")
    free = http.post(
        "/v1/terms/relatedness",
        json={"pairs": [{"left": "cats and dogs", "right": "Dog"}], "model": "wort-plus"},
    ).json()
    assert free["model"]["name"] == "toy-terms-plus"
    assert free["concepts"]["name"] == "toy-plus"
    assert "encoder" in free["results"][0]["used"]
    text = http.post(
        "/v1/relatedness",
        json={"pairs": [{"left": {"text": "cats and dogs"}, "right": "Dog"}], "model": "wort-plus"},
    ).json()["results"]
    assert text[0]["score"] == free["results"][0]["score"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/relatedness", {"pairs": []}),
        ("/v1/relatedness/matrix", {"concepts": ["Cat"]}),
        ("/v1/terms/relatedness", {"pairs": []}),
    ],
)
def test_an_unknown_name_is_an_error_that_lists_the_known_ones(
    http: httpx.Client, path: str, body: dict[str, Any]
) -> None:
    refused = http.post(path, json={**body, "model": "wort-pls"})
    assert refused.status_code == 404
    assert refused.json()["type"] == "urn:wort:problem:unknown-model"
    assert (
        "model: there is no model 'wort-pls' here. There are wort-plus, wort, regression, toy."
        in refused.json()["detail"]
    )
    with Client(str(http.base_url)) as wort, pytest.raises(NotFound, match="There are wort-plus"):
        wort.relatedness("Cat", "Dog", model="wort-pls")


def test_the_models_are_listed(http: httpx.Client) -> None:
    served = msgspec.json.decode(http.get("/v1/models").content, type=ModelsResponse).served
    listed = {(each.of, each.name): each for each in served.models}
    assert list(listed) == [
        ("concepts", "toy"),
        ("concepts", "wort-plus"),
        ("concepts", "wort"),
        ("concepts", "regression"),
        ("terms", "wort-plus"),
        ("terms", "wort"),
        ("terms", "regression"),
    ]
    assert [each.name for each in served.models if each.default] == ["toy", "wort"]
    assert [each.interval for each in served.models] == [None] + [0.9] * 6
    assert listed["concepts", "wort-plus"].type == "log-logistic"
    assert listed["concepts", "wort-plus"].trouble is None
    for each in served.models:
        assert each.says
        assert each.model.name


def test_the_client_asks_for_a_model(http: httpx.Client) -> None:
    with Client(str(http.base_url)) as wort:
        result = wort.relatedness("Cat", "Dog", model="wort-plus")
        assert result.interval is not None
        assert wort.terms("Cat", "Dog", model="wort-plus").score == result.score
        assert wort.related("Cat", model="wort-plus").model.name == "toy-plus"
        assert wort.matrix(["Cat", "Dog"], model="wort-plus").scores[0][1] == result.score
        assert next(wort.stream([("Cat", "Dog")], model="wort-plus")) == result


@pytest.mark.usefixtures("with_plus")
def test_the_default_is_the_first_whose_evidence_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    starter = Snapshot.open(snapshot_path())
    assert list(concept_models(starter.id)) == [WORT_PLUS, WORT, REGRESSION]
    assert default_model(starter).model.name == "toy-plus"
    assert open_scorer(None, None).model.name == "toy-plus"
    has = Snapshot.has
    monkeypatch.setattr(Snapshot, "has", lambda self, name: name != "esa" and has(self, name))
    assert default_model(starter).model.name == "wort-starter"
    trouble = concept_trouble(starter, plus_model("s"))
    assert trouble is not None
    assert "was built without esa, which toy-plus reads" in trouble
    with pytest.raises(UnusableModel, match="was built without esa"):
        open_scorer(None, Path("wort-plus"))
    serves = Serving(open_scorer(None, None), TermSettings())
    with pytest.raises(UnusableModel, match="was built without esa"):
        serves.scorer_by(WORT_PLUS)
    listed = {each.name: each for each in serves.models.listed() if each.of == "concepts"}
    assert "was built without esa" in (listed[WORT_PLUS].trouble or "")
    assert listed[WORT].trouble is None


def test_a_setting_names_the_model() -> None:
    assert open_scorer(None, Path("wort")).model == open_scorer(None, shipped_file("starter")).model
    of_paper = open_scorer(None, Path("regression")).model
    assert of_paper == load_concept_model(shipped_file("regression-starter"))
    assert model_path().is_file()


def test_models_share_what_is_known_of_names(tmp_path: Path) -> None:
    serves = Serving(toy_scorer(tmp_path), TermSettings())
    assert serves.scorer_by(None) is serves.scorer_by("toy") is serves.scorer
    linear = serves.scorer_by(WORT)
    assert linear is serves.scorer_by(WORT)
    assert linear.pairs is serves.scorer.pairs
    assert linear.snapshot is serves.scorer.snapshot
    assert serves.terms("toy").model == serves.terms().model
    with pytest.raises(UnknownModelName):
        serves.terms("nobody")


@pytest.mark.usefixtures("with_plus")
def test_terms_are_on_the_scale_of_the_concepts(tmp_path: Path) -> None:
    scorer = toy_scorer(tmp_path)
    plus = Serving(scorer.by_model(plus_model(scorer.snapshot.id)), TermSettings(encoder=Place()))
    assert plus.terms().model.name == "toy-terms-plus"
    assert Serving(scorer, TermSettings(encoder=Place())).terms().model.name == "terms-enwiki-relinked"
    # Without an encoder the linear model of terms answers, and the other one is refused by name.
    without = Serving(scorer.by_model(plus_model(scorer.snapshot.id)), TermSettings())
    assert without.terms().model.name == "terms-enwiki-relinked"
    with pytest.raises(UnusableModel, match="WORT_ENCODER"):
        without.terms(WORT_PLUS)
    named = TermSettings.of(Settings(term_model=Path("wort-plus")))._replace(encoder=Place())
    assert Serving(scorer, named).terms().model.name == "toy-terms-plus"


def test_answers_warn_where_texts_are_compared_by_another_encoder(tmp_path: Path) -> None:
    """A model of terms names the encoder that it was trained with; answers by another one say so."""
    scorer, letters = toy_scorer(tmp_path), LetterEncoder()
    own = TextsEncoder(letters.name, letters.digest, letters.kind)

    def served(encoder: TextsEncoder) -> Serving:
        model = replace(plus_term_model(scorer.snapshot.id), encoder=encoder)
        return Serving(scorer, TermSettings(model, encoder=Place()))

    assert served(own).terms().model_info.warning is None
    by_table = str(served(replace(own, kind="onnx")).terms().model_info.warning)
    assert "onnx" in by_table
    assert "Install ONNX Runtime" in by_table
    other = replace(own, digest="f" * 16, kind="onnx")
    assert "Install" not in str(served(other).terms().model_info.warning)
    app = create_app(Settings(), Source(served(other)))
    with serving(app) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        warning = asked(client, "/v1/terms/relatedness")["model"]["warning"]
    assert str(other) in warning
    assert str(own) in warning


def test_an_encoder_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="WORT_ENCODER"):
        missing = EncoderPlace(None)
        missing.folder = None
        missing.open()
    with pytest.raises(UnusableModel, match=str(tmp_path)):
        EncoderPlace(tmp_path).open()


def test_every_table_that_a_feature_reads_is_known_to_a_whole_snapshot() -> None:
    starter = Snapshot.open(snapshot_path())
    needed = {table for feature in FEATURES for table in feature.tables}
    assert {name for name in needed if not starter.has(name)} <= {"title_vectors", "lead_vectors"}
    assert not starter.has("no such table")
    assert set(NAMES) >= {WORT, WORT_PLUS}


def test_the_tag_stays_that_of_what_is_in_force(tmp_path: Path) -> None:
    serves = Serving(toy_scorer(tmp_path), TermSettings())
    tag = tag_of(serves)
    serves.scorer_by(WORT)
    assert tag_of(serves) == tag


def test_scorers_of_one_snapshot_agree_with_fresh_ones(tmp_path: Path) -> None:
    scorer = toy_scorer(tmp_path)
    beside = scorer.by_model(plus_model(scorer.snapshot.id))
    alone = Scorer(scorer.snapshot, scorer.resolver, plus_model(scorer.snapshot.id))
    pairs = [("Cat", "Dog"), ("Mouse", "Cat"), ("Nobody", "Cat")]
    assert beside.score(pairs, explain=True) == alone.score(pairs, explain=True)
