"""Reports as pages: nothing to fetch, nothing to run, every figure drawn, every text as it was written."""

from __future__ import annotations

import math
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from playwright.sync_api import Browser, sync_playwright
from scipy import stats

from models.protocol import FoldResult
from tests.support.toy_reports import BARE, EVIL, board, measure, predictions, report, row
from training.evaluation.ablation import Ablation, Scores
from training.evaluation.report import (
    LeaderboardFigures,
    Predictions,
)
from training.reports import charts, drawing
from training.reports.declared import Chart
from training.reports.page import render, render_leaderboard
from training.reports.sections import differences
from training.retraining.gate import Check, Verdict
from training.retraining.report import RetrainReport
from training.statistics.calibration import calibration, comparable
from training.statistics.significance import compare_all, shown_p

CHROMIUM = Path("/usr/bin/chromium")
PAGES = {
    "full": lambda: render(report(), predictions()),
    "bare": lambda: render(report(**BARE), None),
    "one pair": lambda: render(report(**BARE), predictions(1)),
    "other scale": lambda: render(
        report(**BARE), Predictions(np.array([1.0, 9.5]), np.array([0.1, 0.9]), np.zeros(2, np.int64), ())
    ),
    "nothing defined": lambda: render(
        report(measures=(measure("ESA", None), measure("wort-toy", None)), margins={}, rejected=()),
        predictions(0),
    ),
    "leaderboard": lambda: render_leaderboard(board(), [(report(), predictions()), (report(**BARE), None)]),
    "empty leaderboard": lambda: render_leaderboard(
        msgspec.structs.replace(board(), rows=(), left_out=()), []
    ),
}


class Parsed(HTMLParser):
    """What a page is made of."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data.split()

    @property
    def text(self) -> str:
        return " ".join(self.words)


@cache
def page(name: str) -> str:
    """One of the pages, rendered once."""
    return PAGES[name]()


@pytest.fixture(params=PAGES)
def html(request: pytest.FixtureRequest) -> str:
    return page(request.param)


def test_a_page_is_whole(html: str) -> None:
    parsed = Parsed(html)
    assert parsed.open == []
    tags = [tag for tag, _ in parsed.tags]
    assert tags.count("h1") == 1
    assert html.startswith("<!doctype html>")
    for tag, attributes in parsed.tags:
        if tag == "th":
            assert attributes.get("scope") in {"col", "row"}


def test_a_page_fetches_nothing_and_runs_nothing(html: str) -> None:
    parsed = Parsed(html)
    for tag, attributes in parsed.tags:
        assert tag not in {"script", "link", "iframe", "img", "object", "embed", "form", "image", "use"}
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "href", "xlink:href", "action", "data"}
            assert name in {"xmlns", "xmlns:xlink"} or "://" not in (value or "")
    style = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert len(style) == 1
    assert "url(" not in style[0] and "@import" not in style[0]
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", html)


def test_every_drawing_says_what_it_shows(html: str) -> None:
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    for drawn in drawings:
        root = etree.fromstring(drawn.encode())
        assert root.get("role") == "img"
        label = root.get("aria-label", "")
        assert label.endswith(".") and len(label) > 20
        # The colours are the page's, so that they are read on light and on dark.
        assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', drawn)) <= {"none", "transparent"} | {
            f"var({name})" for name in drawing.LIGHT
        }
        assert "NaN" not in drawn


def test_the_pages_have_the_figures_that_they_can_have() -> None:
    def drawn(name: str) -> int:
        return page(name).count("<svg ")

    # Measures 2, predictions 4, topics 2, popularity 2, ablation 2.
    assert drawn("full") == 12
    assert drawn("bare") == 2
    assert drawn("one pair") == 2 + 4
    assert drawn("other scale") == 2 + 1
    assert drawn("nothing defined") == 10 - 4
    assert drawn("leaderboard") == 2 + 2 + 1
    assert drawn("empty leaderboard") == 0


def test_texts_are_shown_as_they_were_written() -> None:
    for name in ("full", "leaderboard"):
        assert "<script" not in page(name)
        assert EVIL in Parsed(page(name)).text.replace("  ", " ")


def test_the_figures_of_the_page_are_those_of_the_report() -> None:
    words = Parsed(page("full")).text
    assert "Pearson 0.740 95 %: 0.690 to 0.780" in words
    assert "below the best feature 1.5 % Spearman, ESA" in words
    assert "30 75.0 % of 40 have both concepts" in words
    of_pearson, of_spearman = "−0.200 [−0.250, −0.160]", "−0.300 [−0.350, −0.260]"
    assert f"MW 7 {of_pearson} {of_pearson} {of_spearman} {of_spearman}" in words
    assert "ESA Pearson 0.610 MW −0.200 0.100 3.20 0.200 0.0013 significant" in words
    assert "ridge least squares, shrunk 0.700 0.600 – 0.500" in words
    assert "Toy 30 75.0 % 0.600* [0.550, 0.640]" in Parsed(page("leaderboard")).text


def test_few_covered_pairs_are_not_judged_by() -> None:
    few = msgspec.structs.replace(row("Rare"), covered=LeaderboardFigures(9, row().covered.entries))
    shown = Parsed(render_leaderboard(msgspec.structs.replace(board(), rows=(few,)), [])).text
    assert "covered pairs benchmark" not in shown
    # The concept model rests on the nine pairs; what was chosen among the features does not.
    assert "Rare 40 100.0 % – ESA 0.500 [0.450, 0.540]" in shown


def test_every_two_measures_make_a_square() -> None:
    draw = np.random.default_rng(7)
    gold = draw.normal(size=60)
    columns = {name: gold + draw.normal(size=60) * noise for name, noise in (("a", 3), ("b", 0.2), ("c", 1))}
    found = compare_all(columns | {"flat": np.ones(60)}, gold, "spearman")
    neighbours, of_spearman = differences(report(differences=(), all_differences=found)).tables
    assert not neighbours.shown
    (first, *_), cells = of_spearman.on("page")
    rows = [[first.written(cell) for cell in row] for row in cells]
    assert [row[0] for row in rows] == ["1. b", "2. c", "3. a", "4. flat"]
    test = next(each for each in found if (each.first, each.second) == ("b", "a"))
    assert rows[0][4] == f"{shown_p(test.log10_p)}*"
    best, worst = (stats.spearmanr(columns[name], gold).statistic for name in ("b", "a"))
    assert rows[2][2] == f"{best - worst:.3f}"
    assert [row[place] for place, row in enumerate(rows, start=2)] == [""] * 4
    assert rows[3][2] == "–"
    assert "Spearman of every two measures" in render(report(all_differences=found), None)


def test_what_a_gate_said_comes_first() -> None:
    verdict = Verdict(False, f"Not better: {EVIL}", (Check("better", False, "p = 0.4"),))
    fields = {name: getattr(report(), name) for name in report().__struct_fields__}
    kept = ("validation", "cross_validation", "against", "comparisons", "agreements", "gate", "learnt")
    others = dict.fromkeys(kept)
    shown = Parsed(render(RetrainReport(**fields, **others, verdict=verdict), None)).text  # type: ignore[arg-type]
    assert "The gate: did not pass Not better: Ævar" in shown
    assert "better no p = 0.4" in shown
    asked = "It is promoted whatever the gate says, as ann asked. The reason: editors need it"
    forced = RetrainReport(**fields, **others, verdict=verdict, asked=asked)  # type: ignore[arg-type]
    assert (
        f"The gate: did not pass, and did not decide {asked} Not better" in Parsed(render(forced, None)).text
    )
    assert shown.index("did not pass") < shown.index("Each feature alone")


# The numbers behind the figures


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-0.5, 1.5)), min_size=1, max_size=40),
    st.integers(1, 12),
)
def test_calibration_by_looking_at_every_pair(pairs: list[tuple[float, float]], bins: int) -> None:
    gold, predicted = (np.array(column) for column in zip(*pairs, strict=True))
    found = calibration(gold, predicted, bins)
    groups: dict[int, list[tuple[float, float]]] = {}
    for score, prediction in pairs:
        number = min(max(math.floor(prediction * bins) if prediction > 0 else 0, 0), bins - 1)
        groups.setdefault(number, []).append((score, prediction))
    assert [one.pairs for one in found.bins] == [len(groups[number]) for number in sorted(groups)]
    error = 0.0
    for one, number in zip(found.bins, sorted(groups), strict=True):
        group = groups[number]
        assert (one.low, one.high) == (number / bins, (number + 1) / bins)
        assert one.gold == pytest.approx(sum(score for score, _ in group) / len(group))
        assert one.predicted == pytest.approx(sum(value for _, value in group) / len(group))
        error += len(group) / len(pairs) * abs(one.gold - one.predicted)
    assert found.error == pytest.approx(error, abs=1e-12)


def test_calibration_of_what_is_calibrated_and_of_nothing() -> None:
    values = np.linspace(0, 1, 101)
    assert calibration(values, values).error == pytest.approx(0.0, abs=1e-12)
    assert calibration(values, np.full(101, 0.9)).error == pytest.approx(0.4)
    assert calibration(values[:0], values[:0]).bins == ()
    assert calibration(values[:0], values[:0]).error is None


def test_scales() -> None:
    assert comparable(np.array([0.0, 1.0]))
    assert not comparable(np.array([0.0, 1.5]))
    assert not comparable(np.array([-0.1, 0.5]))
    assert not comparable(np.array([]))


def test_bars_of_residuals_stand_on_the_axis() -> None:
    gold = np.array([0.5, 0.5, 0.5, 0.9])
    drawn = charts.residual_distribution(gold, np.array([0.48, 0.48, 0.48, 0.18]))
    (bars,) = re.findall(r'<g class="mark-rect[^>]*>(.*?)</g>', drawn.svg, re.DOTALL)
    low, high = sorted(float(height) for height in re.findall(r"v([\d.]+)h", bars))
    assert high == pytest.approx(3 * low, rel=1e-3)


def test_measures_are_ranked_by_their_own_kind() -> None:
    listed = (measure("low", 0.1), measure("high", 0.9), measure("middle", 0.5))
    drawn = charts.ranked_measures(listed, "pearson")
    assert drawn is not None
    places = [drawn.svg.index(f">{name}<") for name in ("high", "middle", "low")]
    assert places == sorted(places)
    assert "high leads with 0.900, low is last with 0.100" in drawn.svg


@pytest.mark.parametrize(
    "drawn",
    [
        charts.ranked_measures((measure("ESA", None),), "pearson"),
        charts.ranked_measures((), "pearson"),
        charts.topic_spread((FoldResult("cats", 1, None, None),), "spearman"),
        charts.by_popularity((), ("ESA",), "spearman"),
        charts.ablation_drops((Ablation("all", 3, Scores(0.7, 0.6), None, None),), "pearson"),
        charts.predicted_against_gold(np.zeros(0), np.zeros(0)),
        charts.calibration_curve(np.array([3.0]), np.array([0.5])),
        charts.standings((), "covered", "covered pairs"),
    ],
)
def test_where_there_is_nothing_to_draw(drawn: Chart | None) -> None:
    assert drawn is None


def test_pairs_without_a_finite_prediction_are_left_out() -> None:
    found = predictions(30)
    found.predicted[3] = math.nan
    assert "for 29 pairs" in render(report(**BARE), found)


def test_many_topics_have_no_names_and_few_have() -> None:
    few = [FoldResult(f"topic {number}", 5, 0.5, number / 50) for number in range(5)]
    many = [FoldResult(f"topic {number}", 5, 0.5, number / 50) for number in range(45)]
    drawn_few, drawn_many = charts.topic_spread(few, "spearman"), charts.topic_spread(many, "spearman")
    assert drawn_few is not None and drawn_many is not None
    assert ">topic 3<" in drawn_few.svg
    assert ">topic 3<" not in drawn_many.svg
    assert "45 topics, the best first" in drawn_many.svg


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("colours", "card"), [(drawing.LIGHT, "#ffffff"), (drawing.DARK, "#1d2124")])
def test_colours_can_be_read(colours: dict[str, str], card: str) -> None:
    for name, colour in colours.items():
        if name != "--grid":
            high, low = sorted((luminance(colour), luminance(card)), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5, name


# In a browser


@pytest.fixture(scope="module")
def browser() -> Any:
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["full", "leaderboard"])
def test_in_a_browser(browser: Browser, tmp_path: Path, name: str, scheme: Any, width: int) -> None:
    path = tmp_path / "report.html"
    path.write_text(page(name), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("request", lambda asked: None if asked.url == path.as_uri() else wrong.append(asked.url))
    opened.goto(path.as_uri())
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    colours = opened.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor,
                  getComputedStyle(document.querySelector('svg text')).fill]"""
    )
    background, text = (sum(int(part) for part in re.findall(r"\d+", colour)[:3]) for colour in colours)
    assert (background > text) == (scheme == "light")
    names = opened.evaluate("[...document.querySelectorAll('svg')].map(one => one.getAttribute('role'))")
    assert names and set(names) == {"img"}
    context.close()
    assert not wrong
