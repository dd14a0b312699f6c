"""Senders that do not send, or send and leave: they keep nobody out, and no work is done for them."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import httpx
import pytest

from tests.attacks.clients import connected, ended, gauge, pairs, request, until
from tests.attacks.target import target  # noqa: F401

SENDERS = 200
ASKED = {"pairs": pairs(5)}


@pytest.mark.parametrize("path", ["/v1/relatedness", "/v1/terms/relatedness"])
@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_bodies_that_do_not_come_take_no_places(target: str, path: str, accept: str) -> None:  # noqa: F811
    head, body = request(path, ASKED, accept)
    with ExitStack() as stack:
        senders = [stack.enter_context(connected(target)) for _ in range(SENDERS)]
        for sender in senders:
            sender.sendall(head + body[:10])
        for _ in range(20):
            answer = httpx.post(f"{target}{path}", json=ASKED, headers={"Accept": accept}, timeout=120)
            assert answer.status_code == 200
        assert gauge(target, "wort_places_taken") == 0


@pytest.mark.slow
def test_a_body_that_trickles_in_is_not_waited_for(target: str) -> None:  # noqa: F811
    head, _ = request("/v1/relatedness", {"pairs": pairs(5000)})
    with ExitStack() as stack:
        senders = [stack.enter_context(connected(target)) for _ in range(20)]
        for sender in senders:
            sender.sendall(head)
        # A byte now and then, for as long as the server takes it.
        until(lambda: _all_ended(senders), seconds=300)


def _all_ended(senders: list[socket.socket]) -> bool:
    """Whether none takes a byte any more; each is sent one, whatever the others do."""
    return sum(ended(sender) for sender in senders) == len(senders)


def test_large_bodies_that_stop_before_their_end_keep_small_ones_in(target: str) -> None:  # noqa: F811
    head, body = request("/v1/relatedness", {"pairs": pairs(5), "padding": "x" * (15 << 20)})
    with ExitStack() as stack:
        for _ in range(30):
            sender = stack.enter_context(connected(target))
            # Where there is no more room, the server ends it in the middle.
            try:
                sender.sendall(head + body[:-1])
            except ConnectionError:
                continue
        for _ in range(20):
            answer = httpx.post(f"{target}/v1/relatedness", json=ASKED, timeout=120)
            assert answer.status_code == 200


def _posts(url: str) -> float:
    """The requests that have ended, however they did."""
    return gauge(url, "wort_requests_total", 'method="POST"')


def test_who_asks_and_leaves_has_no_work_done(target: str) -> None:  # noqa: F811
    # As many as are scored in one go.
    asked = {"pairs": pairs(200), "explain": True}
    scored, ended_before = gauge(target, "wort_pairs_total"), _posts(target)
    with ExitStack() as stack:
        for _ in range(60):
            leaving = stack.enter_context(connected(target))
            leaving.sendall(b"".join(request("/v1/relatedness", asked)))
    until(lambda: _posts(target) >= ended_before + 60)
    # Whoever else asks this server meanwhile is counted too; nobody does who attacks one of his own.
    assert gauge(target, "wort_pairs_total") - scored < 60 * 200 / 2
