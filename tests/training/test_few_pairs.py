"""A report over a handful of pairs says that they say nothing, and shows no figures of them."""

from __future__ import annotations

import msgspec
import pytest

from app.cli.reports.figures import show
from tests.support.toy_reports import board, report, row
from training.evaluation.evaluate import shortfalls
from training.evaluation.report import FEWEST, LeaderboardFigures, Report, too_few
from training.reports.page import render, render_leaderboard


def _over(pairs: int) -> Report:
    """A report as ``judge`` makes it, with its row of the leaderboard."""
    covered = LeaderboardFigures(pairs, row().covered.entries)
    standing = msgspec.structs.replace(row(), covered=covered)
    return msgspec.structs.replace(report(), pairs=pairs, row=standing, notes=too_few({"toy": pairs}))


@pytest.mark.parametrize(("pairs", "shown"), [(3, False), (FEWEST - 1, False), (FEWEST, True)])
def test_figures_are_shown_from_some_pairs_on(
    pairs: int, shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    over = _over(pairs)
    show(over)
    page, terminal = render(over, None), " ".join(capsys.readouterr().out.split())
    of_several = render_leaderboard(msgspec.structs.replace(board(), rows=()), [(over, None)])
    said = f"Too few pairs with a concept on both sides to judge by: toy ({pairs}). Over fewer than 10,"
    for text in (page, terminal, of_several):
        assert ("0.740" in text) is shown
        assert text.count("Too few pairs") == (not shown)
        assert (said in text) is not shown
    for text in (page, terminal):
        assert ("the best feature" in text) is shown


def test_no_floor_is_reached_by_a_few_pairs() -> None:
    floors = {"pearson": 0.1, "spearman": None}
    assert shortfalls(_over(FEWEST), floors) == []
    few = _over(3)
    needed = "10 pairs are needed, and it was judged by 3."
    assert shortfalls(few, floors) == [f"{few.model} meets no floor of Pearson: {needed}"]
