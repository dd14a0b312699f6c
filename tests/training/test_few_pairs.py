"""A report over a handful of pairs says that they say nothing, and shows no figures of them."""

from __future__ import annotations

import msgspec
import pytest

from app.cli.reports.figures import show
from tests.support.toy_reports import report
from training.evaluation.evaluate import note_on_few, shortfalls
from training.evaluation.report import FEWEST, Report
from training.reports.page import render


def _over(pairs: int) -> Report:
    return msgspec.structs.replace(report(), pairs=pairs, notes=note_on_few(pairs))


@pytest.mark.parametrize(("pairs", "shown"), [(3, False), (FEWEST - 1, False), (FEWEST, True)])
def test_figures_are_shown_from_some_pairs_on(
    pairs: int, shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    over = _over(pairs)
    show(over)
    page, terminal = render(over, None), capsys.readouterr().out
    for text in (page, terminal):
        assert ("0.740" in text) is shown
        assert (f"{pairs} pairs are too few to judge by" in text) is not shown
        assert "the best feature" in text or not shown


def test_no_floor_is_reached_by_a_few_pairs() -> None:
    floors = {"pearson": 0.1, "spearman": None}
    assert shortfalls(_over(FEWEST), floors) == []
    (said,) = shortfalls(_over(3), floors)
    assert said.startswith("whether the Pearson correlation of ")
    assert "3 pairs do not say" in said
