"""The page of models: with a registry and without, in trouble, and the reports that it leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from app.pages.models import STEP, judged, topics
from app.pages.registered import ReportedCorrelations, ReportedFigure, ReportedMeasure
from app.service import create_app
from app.serving.follower import Follower
from app.settings import Settings
from models.linear import LinearModel
from models.protocol import FoldResult, TrainingSet
from tests.conftest import ROOT
from tests.support.browser import Text, text_of
from tests.support.promoted import Candidate, ToyRegistry
from tests.support.served import serving, toy_app
from tests.support.toy_reports import EVIL, report

PAGE = "<!doctype html><title>a report</title><h1>as it was drawn</h1>"
FOLDS = (
    FoldResult("Cats", 12, 0.8, 0.7),
    FoldResult(EVIL, 9, 0.31, None),
    FoldResult("One pair", 1, None, None),
    FoldResult("Dogs", 7, 0.805, 0.5),
)


@contextmanager
def following(toy_registry: ToyRegistry) -> Iterator[str]:
    """The address of a server that follows the registry of ``toy_registry``."""
    settings = Settings(database=toy_registry.url, follow_seconds=0)
    with serving(create_app(settings, Follower(settings))) as address:
        yield address


def with_report(toy_registry: ToyRegistry, candidate: Candidate) -> str:
    """The ref of the model of ``candidate``, registered again with topics, a report and its page."""
    model = msgspec.json.decode(toy_registry.registry.artifact(candidate.ref), type=LinearModel)
    told = msgspec.structs.replace(
        model, cross_validation=FOLDS, metrics={"pearson": 0.7512, "spearman": None}
    )
    return toy_registry.registry.register(
        msgspec.json.encode(told),
        name="toy",
        snapshot=candidate.snapshot,
        report=report().json(),
        report_html=PAGE,
        dataset=TrainingSet("made up", "00", pairs=5000, fitted=4000, topics=3),
        who="a test",
    ).ref


def test_a_server_without_a_registry_shows_its_model(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address:
        shown = text_of(address, "/releases").text
        assert "toy" in shown
        assert "No registry is followed" in shown
        assert re.search(r"This server has answered by this model since [\d:, -]+ UTC\. toy", shown)
        # They are of a report, and without a registry there is none.
        assert "Feature by feature" not in shown
        assert text_of(address, "/releases", 404, model="toy@1").text.count("There is no model 'toy@1'") == 1
        assert httpx.get(f"{address}/report", params={"model": "toy@1"}).status_code == 404


def test_the_shipped_model_shows_every_topic() -> None:
    model = msgspec.json.decode((ROOT / "models" / "shipped" / "starter.json").read_bytes(), type=LinearModel)
    drawn = topics(model.cross_validation)
    assert drawn is not None
    assert len(drawn.dots) + drawn.undefined == len(model.cross_validation) > 50
    for dot in drawn.dots:
        assert dot.fold.pearson is not None
        shown = dot.across / 100 * (1 - drawn.low) + drawn.low
        assert abs(shown - dot.fold.pearson) <= STEP / 2 + 1e-9
    places = {(dot.across, dot.up) for dot in drawn.dots}
    assert len(places) == len(drawn.dots)


def test_topics_that_are_not_there_are_not_drawn() -> None:
    assert topics(()) is None
    listed = topics(FOLDS)
    assert listed is not None
    assert [fold.topic for fold in listed.folds] == ["Dogs", "Cats", EVIL, "One pair"]
    assert topics((FoldResult("One pair", 1, None, None),)) is None
    drawn = topics((FoldResult("a", 3, -0.4, 0.0), FoldResult("b", 3, 0.6, 0.0)))
    assert drawn is not None
    assert drawn.low == -0.4
    assert drawn.mean == pytest.approx(100 * 0.5 / 1.4)


def test_measures_are_ranked_and_the_model_is_told_apart() -> None:
    def measure(name: str, *figure: float | None) -> ReportedMeasure:
        return ReportedMeasure(name, ReportedCorrelations(ReportedFigure(*figure)))

    found = judged((measure("A", 0.2, -0.1, 0.3), measure("B", None, None, None), measure("own", 0.9)))
    assert [(one.name, one.model) for one in found] == [("own", True), ("A", False)]
    assert (found[1].low, found[1].high, found[1].length) == pytest.approx((0, 30, 20))
    assert (found[0].low, found[0].high) == pytest.approx((90, 90))


def test_versions_releases_and_what_is_in_force(toy_registry: ToyRegistry, first: Candidate) -> None:
    ref = with_report(toy_registry, first)
    second = toy_registry.candidate(first.folder, 0.2)
    toy_registry.promote(second)
    toy_registry.rollback()
    with following(toy_registry) as address:
        page = text_of(address, "/releases")
        assert re.search(
            rf"This server has answered by this model since [\d:, -]+ UTC\. {first.ref} ", page.text
        )
        for one in (first.ref, ref, second.ref):
            assert ("a", {"href": f"releases?model={one.replace('@', '%40')}"}) in [
                (tag, {"href": attributes["href"]}) for tag, attributes in page.tags if tag == "a"
            ]
        assert "4,000 pairs 0.751 –" in page.text
        assert "3 toy@1 in force" in page.text
        assert "on second thoughts (brings back release 1)" in page.text
        other = text_of(address, "/releases", model=ref).text
        assert f"This model is registered, and the server answers by another. {ref}" in other
        assert "in each of 3 topics, a dot each. The line is their mean. In 1 more it is undefined." in other
        assert "All 4 topics as a table, by Pearson’s correlation, the greatest first" in other
        assert other.index("Dogs 7 0.805") < other.index("Cats 12 0.800") < other.index("One pair 1 – –")
        assert "Feature by feature" in other
        assert EVIL.split()[-1] in other


def test_a_kept_report_is_shown_as_it_was_drawn(toy_registry: ToyRegistry, first: Candidate) -> None:
    ref = with_report(toy_registry, first)
    with following(toy_registry) as address:
        links = [
            attributes["href"]
            for tag, attributes in text_of(address, "/releases", model=ref).tags
            if tag == "a" and "report" in (attributes["href"] or "")
        ]
        assert set(links) == {f"report?model={ref.replace('@', '%40')}"}
        response = httpx.get(f"{address}/{links[0]}")
        assert response.text == PAGE
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "sandbox" in policy
        for wrong in ("toy@9", "nobody", first.ref):
            missing = httpx.get(f"{address}/report", params={"model": wrong})
            assert missing.status_code == 404
            assert f"There is no report on a model {wrong}." in Text(missing.text).text


def test_a_refused_release_is_told(toy_registry: ToyRegistry, first: Candidate, tmp_path: Path) -> None:
    settings = Settings(database=toy_registry.url, follow_seconds=0)
    source = Follower(settings)
    toy_registry.promote(toy_registry.candidate(first.folder, 0.3), identity="another-snapshot")
    source.look()
    with serving(create_app(settings, source)) as address:
        shown = text_of(address, "/releases").text
        assert "Release 2 was refused" in shown
        assert "another-snapshot" in shown
        assert f"UTC. {first.ref}" in shown


def test_a_registry_that_goes_away_leaves_the_page(toy_registry: ToyRegistry, first: Candidate) -> None:
    with following(toy_registry) as address:
        toy_registry.registry.close()
        path = Path(toy_registry.url.removeprefix("sqlite:///"))
        path.write_bytes(b"no database at all")
        shown = text_of(address, "/releases").text
        assert "The registry cannot be asked at present" in shown
        assert "toy" in shown
        # What is in force is in memory; of another version nobody knows now.
        assert "server has answered by this model" in text_of(address, "/releases", model="toy@1").text
        assert text_of(address, "/releases", 404, model="toy@2")


def test_an_empty_registry_says_what_to_do(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path / 'none.sqlite'}", follow_seconds=0)
    with serving(create_app(settings, Follower(settings))) as address:
        shown = text_of(address, "/releases").text
        assert "Nothing has been promoted yet" in shown
        assert "wort-plus-starter" in shown
    assert not (tmp_path / "none.sqlite").exists()


def test_a_model_without_figures_has_no_cards(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address:
        assert not [tags for tag, tags in text_of(address, "/releases").tags if tags.get("class") == "figure"]


def test_the_models_that_can_be_asked_are_listed(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address:
        offered = httpx.get(f"{address}/v1/models").json()["served"]["models"]
        page = text_of(address, "/releases")
        assert "Models that can be asked" in page.text
        assert {one["of"] for one in offered} == {"concepts", "terms"}
        for one in offered:
            assert one["says"] in page.text
        links = [
            str(tags["href"]) for tag, tags in page.tags if tag == "a" and "model=" in str(tags.get("href"))
        ]
        for one in offered:
            assert f"{'terms' if one['of'] == 'terms' else './'}?model={one['name']}" in links
        assert page.text.count(" default ") >= sum(one.get("default", False) for one in offered)


def test_a_browser_that_asks_for_models_sees_the_page(tmp_path: Path) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    with serving(toy_app(tmp_path)) as address:
        moved = httpx.get(f"{address}/models", headers=browser)
        assert (moved.status_code, moved.headers["location"]) == (303, "releases")
        # Programs, and whoever looks at the interface itself, get what it answers.
        for path, headers in (("/models", {}), ("/v1/models", browser)):
            answer = httpx.get(f"{address}{path}", headers=headers)
            assert answer.json()["served"]
            assert "Accept" in answer.headers["vary"].split(", ")
