"""Twice the load that a server can bear, for seconds; ``benchmarks.overload`` holds it for two minutes."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.overload import overload, request
from benchmarks.server import running


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_too_much_is_refused_and_nothing_else_fails(workers: int) -> None:
    with running(workers=workers, queue="8") as server:
        report = asyncio.run(overload(server, request(50), times=2, seconds=10))
    assert report.capacity > 0
    assert report.statuses[200] > 0
    assert report.statuses[503] > 0
    assert not report.errors
    assert report.unadvised == 0
    assert len(report.answers) >= 10 * report.capacity
    assert [answer.status for answer in report.afterwards] == [200] * 20
    first, last = report.grown()
    assert last - first < 30


@pytest.mark.slow
def test_a_limit_of_the_rate_answers_429_and_when_to_try_again() -> None:
    with running(rate_limit="20/second") as server:
        report = asyncio.run(overload(server, request(10), times=2, seconds=3))
    assert report.statuses[429] > 0
    assert not report.errors
    assert report.unadvised == 0
