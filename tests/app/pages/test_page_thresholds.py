"""From a score to yes or no: the page of thresholds, and intervals where scores are shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect
from scipy import stats

from app.pages.thresholds import (
    HEIGHT,
    LARGEST_DOT,
    calibration_dots,
    chosen,
    threshold_plot,
    whole_parts,
    wilson,
)
from app.scoring.concepts import Scorer
from app.scoring.in_words import percent_below
from app.scoring.panels import panel_says
from app.service import create_app
from app.settings import Settings
from models.expectation import (
    CalibrationBin,
    CalibrationCurve,
    Estimate,
    IntervalBands,
    OperatingPoint,
    OperatingPoints,
)
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.app.pages.test_page_access import check
from tests.app.pages.test_page_models import following
from tests.support.browser import loose_percentages, text_of, window
from tests.support.plus import POINTS, operating_point, plus_model
from tests.support.promoted import Candidate, ToyRegistry
from tests.support.served import served_snapshot, serving, toy_app
from tests.support.toy_reports import report
from wort.schemas.described import Interval


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return Snapshot.open(served_snapshot(tmp_path_factory.mktemp("thresholds") / "snapshot"))


@pytest.fixture(scope="module")
def address(snapshot: Snapshot) -> Iterator[str]:
    scorer = Scorer(snapshot, Resolver.open(snapshot), plus_model(snapshot.id))
    with serving(create_app(Settings(), scorer)) as address:
        yield address


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose model says nothing of thresholds and intervals."""
    with serving(toy_app(tmp_path_factory.mktemp("without"))) as address:
        yield address


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({}, "The fewest errors 0.40"),
        (
            {"precision": "80"},
            "For a precision of at least 80 % 0.40 Call a pair related where its score is at least",
        ),
        ({"precision": "25"}, "For a precision of at least 25 % 0.00 Call every pair related."),
        ({"precision": "90.5"}, "No threshold reaches a precision of 90.5 %"),
        ({"recall": "50"}, "For a recall of at least 50 % 0.60"),
        ({"cost": "0.1"}, "Where a wrong yes costs 0.1 times as much as a missed pair 0.20"),
        ({"cost": "99"}, "99 times as much as a missed pair none Call no pair related"),
        (
            {"threshold": "0.6"},
            "A threshold of your choice 0.60 Call a pair related where its score is at least",
        ),
        ({"threshold": "0.79"}, "The step nearest to 0.79 0.80"),
        ({"threshold": "0.69"}, "at least 0.60. The model’s file says what to expect of such steps alone."),
        ({"threshold": "0.1"}, "The step nearest to 0.1 0.20"),
    ],
)
def test_every_wish_has_its_threshold(address: str, query: dict[str, str], says: str) -> None:
    assert says in text_of(address, "/threshold", 200, **query).text


def test_it_says_what_to_expect(address: str) -> None:
    shown = text_of(address, "/threshold", recall="80").text
    for says in (
        "Precision 80 % 75–85 of the pairs called related are",
        "Recall 80 % of the related pairs are called so",
        "Called related 25 % of all pairs",
        "200 rightly called related 50 wrongly called related 50 missed 700 rightly left out",
        "of which 25 % are related: at least 50 % of their judges said so",
        "They are 0.028 apart on average",
        "The words beside a score, such as “somewhat related”, decide nothing",
        "0.80 80 % 75–85 20 % 6 %",
    ):
        assert says in shown


def test_what_is_a_little_less_than_wanted_looks_so(snapshot: Snapshot) -> None:
    points = OperatingPoints(
        0.5, 0.25, (operating_point(0.3, 0.19925, 0.25, 0.25), operating_point(0.5, 0.1, 0.125, 0.25))
    )
    model = msgspec.structs.replace(plus_model(snapshot.id), operating_points=points)
    with serving(create_app(Settings(), Scorer(snapshot, Resolver.open(snapshot), model))) as address:
        strict = text_of(address, "/threshold", precision="80").text
        assert "0.50 80 % 75–85 40 %" in strict
        assert "0.30 79.7 % 74.7–84.7 79.7 %" in strict
        assert "0.30 80 % 75–85 79.7 %" in text_of(address, "/threshold", precision="75").text
        # Where nobody wished for another share, the fields have 80 %.
        assert "Precision 79.7 % 74.7–84.7" in text_of(address, "/threshold", threshold="0.3").text
        titled = httpx.get(f"{address}/threshold?precision=80").text
        assert "precision at 0.30: 79.7&nbsp;%" in titled
        assert "Precision rises from 79.7&nbsp;%" in titled


def test_a_share_of_all_has_an_interval_by_its_pairs(snapshot: Snapshot, address: str) -> None:
    all_right = OperatingPoint(
        0.9, Estimate(1.0, 1.0, 1.0), Estimate(0.16, 0.1, 0.2), Estimate(0.04, 0.02, 0.06)
    )
    points = OperatingPoints(0.5, 0.25, (operating_point(0.2, 0.225, 0.5, 0.25), all_right))
    model = msgspec.structs.replace(plus_model(snapshot.id), operating_points=points)
    with serving(create_app(Settings(), Scorer(snapshot, Resolver.open(snapshot), model))) as certain:
        shown = text_of(certain, "/threshold", precision="100").text
    # Of 375 pairs, a twenty-fifth.
    assert "Precision 100 % 80–100 of the pairs" in shown
    assert "Of the 375 pairs it was measured on, it calls 15 related: the precision rests on these." in shown
    assert "all pairs of a share are alike and drawing cannot say how sure that is, Wilson’s (1927)." in shown
    assert "Wilson" not in text_of(address, "/threshold", precision="80").text
    low, high = stats.binomtest(15, 15).proportion_ci(0.95, method="wilson")
    for estimate, ends in (
        (Estimate(1.0, 1.0, 1.0), (low, high)),
        (Estimate(0.0, 0.0, 0.0), (1 - high, 1 - low)),
    ):
        made = wilson(estimate, 15)
        assert (made.low, made.high) == pytest.approx(ends)


def test_its_forms_come_back_as_they_were_sent(address: str) -> None:
    tags = text_of(address, "/threshold", cost="7.5").tags
    fields = {attributes["name"]: attributes["value"] for tag, attributes in tags if tag == "input"}
    assert fields == {"precision": "80", "recall": "80", "cost": "7.5"}


@pytest.mark.parametrize("query", [{"precision": "0"}, {"recall": "101"}, {"cost": "0"}, {"cost": "nan"}])
def test_wishes_that_nobody_has(address: str, query: dict[str, str]) -> None:
    assert "422" in text_of(address, "/threshold", 422, **query).text


def test_where_it_is_found(address: str, without: str) -> None:
    paths = ("/?left=Cat&right=Dog", "/releases")
    for path in paths:
        page = text_of(address, path)
        assert "threshold" in [tags.get("href") for tag, tags in page.tags if tag == "a"]
        assert "Choose a threshold" in page.text
        assert "Choose a threshold" not in text_of(without, path).text
    assert "This model says nothing of thresholds" in text_of(without, "/threshold").text


def test_both_axes_of_the_calibration_are_on_one_scale(address: str) -> None:
    drawn = text_of(address, "/threshold").text
    _, calibration = drawn.split("Whether scores keep their word")
    assert "%" not in calibration.partition("across: the score upwards: the share of people")[0]


def test_a_version_of_the_registry(toy_registry: ToyRegistry, first: Candidate) -> None:
    plus = plus_model(first.snapshot)
    ref = toy_registry.registry.register(
        msgspec.json.encode(plus),
        name="plus",
        snapshot=first.snapshot,
        report=report().json(),
        dataset=plus.trained_on,
        who="a test",
    ).ref
    with following(toy_registry) as address:
        page = text_of(address, "/threshold", model=ref)
        assert f"Model {ref}" in page.text
        assert "0.40" in page.text
        hidden = [tags for tag, tags in page.tags if tag == "input" and tags.get("type") == "hidden"]
        assert [one["value"] for one in hidden] == [ref] * 3
        links = [tags["href"] for tag, tags in text_of(address, "/releases", model=ref).tags if tag == "a"]
        assert f"threshold?model={ref.replace('@', '%40')}" in links
        assert "This model says nothing of thresholds" in text_of(address, "/threshold").text
        assert "There is no model 'nobody@1'" in text_of(address, "/threshold", 404, model="nobody@1").text


def test_the_curves_stand_where_their_figures_say() -> None:
    plot = threshold_plot(POINTS)
    for curve, shares in ((plot.precision, (0.45, 0.8, 0.8, 0.8)), (plot.recall, (0.9, 0.8, 0.5, 0.2))):
        assert [one.across for one in curve] == pytest.approx([20, 40, 60, 80])
        assert [1 - one.height / HEIGHT for one in curve] == pytest.approx(shares)
    assert 1 - plot.precision[0].low / HEIGHT == pytest.approx(0.4)
    assert plot.recall[0].low == plot.recall[0].high == plot.recall[0].height
    assert len(plot.lines) == 6
    assert {name for name, _, _ in plot.lines} == {"precision", "recall"}


def test_dots_are_as_large_as_their_bins() -> None:
    bins = (CalibrationBin(400, 0.1, 0.2), CalibrationBin(100, 0.5, 0.25), CalibrationBin(1, 0.9, 1.0))
    many, fewer, one = calibration_dots(CalibrationCurve(bins))
    assert (many.across, many.height, many.radius) == pytest.approx((10, 0.8 * HEIGHT, LARGEST_DOT))
    assert fewer.radius == pytest.approx(LARGEST_DOT / 2)
    assert 1 < one.radius < fewer.radius
    assert one.height == 0


def test_a_threshold_below_all_is_the_least() -> None:
    found = chosen(OperatingPoints(0.5, 0.25, POINTS.points[1:]), threshold=0.0).point
    assert found is not None
    assert found.threshold == 0.4


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(lambda shares: sum(shares) > 0.01))
def test_whole_parts_are_all_and_next_to_their_shares(shares: list[float]) -> None:
    parts = whole_parts(shares, 1000)
    assert sum(parts) == 1000
    assert all(
        abs(part - 1000 * share / sum(shares)) < 1.001 for part, share in zip(parts, shares, strict=True)
    )


def test_the_interval_is_said_in_words(address: str, without: str) -> None:
    body = {"pairs": [{"left": "Cat", "right": "Dog"}]}
    (result,) = httpx.post(f"{address}/relatedness", json=body).json()["results"]
    low, high = (f"{result['interval'][end]:.2f}" for end in ("low", "high"))
    page = text_of(address, left="Cat", right="Dog")
    said = "".join(panel_says(result["score"], Interval(float(low), float(high), 0.9)))
    assert said.endswith(f" ({low} to {high}). Such intervals hold for 9 pairs in 10.")
    # It says what the score says, which is not said twice.
    assert said in page.text
    assert "in 100 people" not in page.text
    linked = percent_below(result["percentiles"]["linked"])
    assert f"Higher than {linked} % of pairs of linked articles" in page.text
    (scale,) = [tags["aria-label"] for _, tags in page.tags if tags.get("class") == "scale"]
    assert f"between {low} and {high}" in str(scale)
    assert "Of ten people" not in text_of(without, left="Cat", right="Dog").text
    assert "interval_low" in text_of(address, "/files").text
    assert "interval_low" not in text_of(without, "/files").text


def test_where_any_number_may_say_so_the_score_is_a_guess(snapshot: Snapshot, address: str) -> None:
    bands = IntervalBands(0.9, (0.0,), (1.0,), (1.0,))
    model = msgspec.structs.replace(plus_model(snapshot.id), interval_bands=bands)
    with serving(create_app(Settings(), Scorer(snapshot, Resolver.open(snapshot), model))) as unsure:
        shown = text_of(unsure, left="Cat", right="Dog").text
    assert re.search(r"Cat and Dog 0\.\d\d Too uncertain to tell The score", shown)
    assert "Higher than" not in shown
    guessed = shown.index("The score is a guess: about")
    assert guessed < shown.index("Of ten people, any number may call them related (0.00 to 1.00)")
    assert "a guess" not in text_of(address, left="Cat", right="Dog").text


def test_no_percentage_is_parted_from_its_sign(address: str) -> None:
    for query in ("", "?precision=99", "?recall=50"):
        assert loose_percentages(httpx.get(f"{address}/threshold{query}").text) == []


EDGES = """(lines) => lines.map((line) => {
  const around = line.previousElementSibling;
  const [edge, own] = [getComputedStyle(around), getComputedStyle(line)];
  const together = ["x1", "x2"].every((end) => around.getAttribute(end) === line.getAttribute(end));
  return together && parseFloat(edge.strokeWidth) > parseFloat(own.strokeWidth) && edge.stroke !== own.stroke;
})"""


def test_the_line_of_an_interval_has_an_edge_on_its_bar(browser: Browser, address: str) -> None:
    with window(browser, address, "/explore?concept=Cat") as page:
        edges = page.locator(".ranked .between").evaluate_all(EDGES)
        assert edges
        assert all(edges)
        check(page)


def test_a_telephone_shows_what_each_feature_asks(browser: Browser, address: str) -> None:
    telephone = {"width": 390, "height": 844}
    with window(browser, address, "/?left=Cat&right=Dog", viewport=telephone) as page:
        asked = page.locator(".adds tbody:not(:first-of-type) th[scope=row] small:visible")
        expect(asked.filter(has_text="?").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/threshold", "/threshold?precision=99", "/?left=Cat&right=Dog"])
def test_it_is_for_everybody(browser: Browser, address: str, path: str) -> None:
    with window(browser, address, path) as page:
        check(page)


@pytest.mark.slow
def test_a_model_without_figures_is_for_everybody(browser: Browser, without: str) -> None:
    with window(browser, without, "/threshold") as page:
        check(page)


def test_a_person_chooses_by_keyboard_and_without_scripts(browser: Browser, address: str) -> None:
    with window(browser, address, "/threshold", java_script_enabled=False) as page:
        field = page.get_by_label("Recall: of those that are related")
        field.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type("45")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="For a recall of at least 45 %")).to_be_visible()
        expect(page.locator(".decided .score")).to_have_text("0.60")
        page.get_by_role("link", name="0.80").click()
        expect(page.get_by_role("heading", name="A threshold of your choice")).to_be_visible()
        expect(page.get_by_role("link", name="0.80")).to_have_attribute("aria-current", "true")
