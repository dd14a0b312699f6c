"""The projection to a whole Wikipedia: its arithmetic."""

from __future__ import annotations

import pytest

from benchmarks.projection import Stage, divided_share, hours_table, stages_of
from benchmarks.report import Table, new_report


@pytest.mark.parametrize(("divided", "alone"), [(100.0, 0.0), (60.0, 40.0), (0.0, 10.0)])
def test_the_divided_share_is_found_again(divided: float, alone: float) -> None:
    assert divided_share(alone + divided, alone + divided / 2) == pytest.approx(divided / (alone + divided))


def test_hours_follow_from_the_share_and_the_growth() -> None:
    # On two processors 36 s at a tenth of the size; 24 s of them alone, 12 s divided by two.
    stage = Stage("links", 36.0, 1.0, divided=24 / 48)
    assert stage.hours(10, 2) == pytest.approx(0.1)
    assert stage.hours(10, 16) == pytest.approx((240 + 240 / 16) / 3600)
    assert Stage("pages", 36.0, 2.0, divided=1.0).hours(10, 4) == pytest.approx(0.05)


def test_stages_are_read_from_two_reports() -> None:
    columns = ("", "1,000", "4,000", "exponent")
    two = Table("seconds", "", columns, [("pages", 10.0, 40.0, 1.0), ("esa", 8.0, 64.0, 1.5)])
    one = Table("seconds", "", ("", "1,000"), [("pages", 20.0), ("esa", 8.0)])
    stages, articles = stages_of(new_report("two", "", [two]), new_report("one", "", [one]))
    assert articles == 4000
    assert stages == [Stage("pages", 40.0, 1.0, 1.0), Stage("esa", 64.0, 1.5, 0.0)]
    assert hours_table(stages, 4).rows[-1][1] == pytest.approx((160 + 64 * 4) / 3600)
