"""Where scores are cut: only a concept with itself has 1, every way in says the same, and ranks are kept."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import numpy as np
import pytest

from app.scoring.concepts import Scorer
from app.scoring.related import related
from app.service import create_app
from app.serving.starter import open_scorer, snapshot_path
from app.settings import Settings
from features.catalogue import SIGNATURES
from features.terms.catalogue import TERM_SIGNATURES
from models.files import load
from models.protocol import CLIP
from models.shipped import shipped_models
from tests.app.batch.test_batch import scored
from tests.support.served import serving, toy_files
from tests.wikis.toy import TITLES

HIGHEST = 0.99


@pytest.fixture(scope="module", params=[[0.0, 0.99], [0.0, 1.0]], ids=["now", "as earlier files say"])
def eager(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    """The toy, with a model that calls nearly all of it related."""
    snapshot, model = toy_files(tmp_path_factory.mktemp("eager"))
    content = msgspec.json.decode(model.read_bytes())
    content |= {"intercept": 0.97, "clip": request.param}
    model.write_bytes(msgspec.json.encode(content))
    return Scorer.open(snapshot, model)


@pytest.fixture(scope="module")
def http(eager: Scorer) -> Iterator[httpx.Client]:
    with (
        serving(create_app(Settings(), eager)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def raw(scorer: Scorer, concept: int) -> dict[str, float]:
    """The raw score of every other concept beside ``concept``, by its title."""
    others = np.array([row for row in range(len(TITLES)) if row != concept])
    found = scorer.raw(np.full(len(others), concept), others).tolist()
    return dict(zip((scorer.snapshot.concept_titles[row] for row in others), found, strict=True))


@pytest.mark.parametrize("concept", range(len(TITLES)))
def test_related_concepts_are_in_the_order_of_raw_scores(eager: Scorer, concept: int) -> None:
    by_raw = raw(eager, concept)
    found = related(eager, concept, 100).related
    titles = [one.title for one in found]
    assert titles == sorted(by_raw, key=lambda title: (-by_raw[title], eager.resolver.resolve(title).page_id))
    assert [one.score for one in found] == [min(max(by_raw[title], 0.0), HIGHEST) for title in titles]


def test_cut_scores_hide_another_order(eager: Scorer) -> None:
    """What page ids would order otherwise is there to be ordered."""
    cut = [
        [one for one in related(eager, concept, 100).related if one.score == HIGHEST]
        for concept in range(len(TITLES))
    ]
    by_page_id = [sorted(found, key=lambda one: one.page_id or 0) for found in cut]
    assert cut != by_page_id


def test_every_way_in_has_the_same_score_and_1_for_the_same_concept_alone(
    eager: Scorer, http: httpx.Client, tmp_path: Path
) -> None:
    pairs = [(left, right) for left in TITLES for right in TITLES]
    asked = {"pairs": [{"left": left, "right": right} for left, right in pairs]}
    scores = [result["score"] for result in http.post("/relatedness", json=asked).json()["results"]]
    matrix = http.post("/relatedness/matrix", json={"concepts": list(TITLES)}).json()["scores"]
    assert [score for row in matrix for score in row] == scores
    for (left, right), score in zip(pairs, scores, strict=True):
        assert (score == 1.0) == (left == right), (left, right)
        assert left == right or score <= HIGHEST
    assert scores.count(HIGHEST) > len(TITLES)

    of_ibm = http.post(
        "/api/scores/TermRelater/pairs",
        json=[{"first": left, "second": right} for left, right in pairs],
    )
    assert of_ibm.status_code == 200, of_ibm.text
    assert of_ibm.json() == scores

    lines = io.StringIO()
    csv.writer(lines).writerows([("left", "right"), *pairs])
    rows, _ = scored(eager, tmp_path, lines.getvalue().encode())
    assert [float(row["score"]) for row in rows] == scores

    for concept in range(len(TITLES)):
        left = eager.snapshot.concept_titles[concept]
        found = http.get(f"/concepts/{eager.snapshot.array('page_ids')[concept]}/related", params={"k": 100})
        for one in found.json()["related"]:
            assert one["score"] == scores[pairs.index((left, one["title"]))]


def test_a_page_shows_no_1_for_two_concepts(eager: Scorer, http: httpx.Client) -> None:
    title = eager.snapshot.concept_titles[0]
    best = related(eager, 0, 1).related[0]
    assert best.score == HIGHEST
    page = http.get("/", params={"left": title, "right": best.title}).text
    assert '<p class="score">0.99</p>' in page
    assert '<p class="score">1.00</p>' in http.get("/", params={"left": title, "right": title}).text


def test_the_most_related_of_the_starter_are_told_apart() -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    scorer = open_scorer(None, None, strict=True)
    concept = scorer.resolver.resolve("Religion").concept
    found = related(scorer, concept, 20).related
    others = np.array([scorer.resolver.article(one.title) for one in found])
    by_raw = scorer.raw(np.full(len(others), concept), others)
    assert (np.diff(by_raw) < 0).all()
    assert max(one.score for one in found) <= HIGHEST


def test_shipped_models_say_where_they_cut() -> None:
    for path in shipped_models(""):
        terms = path.name.startswith("terms-")
        model = load(path, TERM_SIGNATURES if terms else SIGNATURES)
        assert model.clip == CLIP == (0.0, HIGHEST), path.name
        far = np.full((1, len(model.features)), 30.0)
        assert 0.0 <= model.score(far)[0] <= HIGHEST
