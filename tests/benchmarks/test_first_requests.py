"""A server that says it is ready answers each route's first request nearly as quickly as the next."""

from __future__ import annotations

import pytest

from benchmarks.first_requests import measure, nothing_compiled
from benchmarks.server import running

BARELY_NOTICED = 100.0
"""Milliseconds: what is quicker may be a multiple of very little, on a machine that has other work."""


@pytest.mark.slow
@pytest.mark.alone
def test_the_first_answer_of_each_route_takes_no_more_than_ten_times_the_later_ones() -> None:
    with nothing_compiled(), running() as server:
        timed = measure(server)
    assert all(each.status == 200 for each in timed), timed
    slow = [each for each in timed if each.ratio > 10 and each.first > BARELY_NOTICED]
    assert not slow, slow
