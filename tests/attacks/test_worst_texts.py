# ruff: noqa: F811  # what a test takes is a fixture of another module
"""No text stops a server: while each route gets the worst ones, others are answered as if there were none.

The limit is a quarter of a second for ``/health``, not by the clock but by what a piece of work takes that
lasts as long on an idle machine, and is done over and over beside the attack.
"""

from __future__ import annotations

import gzip
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from app.pages import compare, docs, explore, files, models
from tests.attacks.target import target  # noqa: F401  # a fixture
from tests.attacks.watch import SECONDS, Pacemaker, Watch, pacemaker, send
from tests.attacks.worst import (
    JSON,
    MEGABYTE,
    Attack,
    attacks_on,
    attacks_on_headers,
    attacks_on_query,
    bodies_of_pairs,
    pieces,
    texts,
)
from tests.support.processes import wort_serve

pytestmark = [pytest.mark.timeout(1800), pytest.mark.slow]
"""A test sends hundreds of requests; on a machine with much else to do that takes minutes."""

TRIES = 3
"""How often an attack is tried whose victim was slow: what stands still does so each time."""

AT_A_GLANCE = frozenset(["score_pairs", "search_concepts", "get_concept_by_title"])
"""The operations that are attacked at each change; the others have their turn in the longer suite."""

OPERATIONS = (
    "score_pairs",
    "score_matrix",
    "score_terms",
    "search_concepts",
    "get_concept",
    "get_concept_by_title",
    "related_concepts",
    "related_concepts_by_title",
    "annotate_text",
    "score_documents",
    "score_file",
    "get_models",
    "get_snapshot",
    "get_health",
    "get_readiness",
    "get_metrics",
    "start_retraining",
    "list_retrainings",
    "get_retraining",
    "get_retraining_report",
    "get_retraining_page",
    "term_relater_pairs",
    "term_wikifier_annotate",
)
"""The operations that are attacked; a test holds that a server has no other."""

PAGES = [
    route
    for module in (compare, docs, explore, files, models)
    for route in module.router.routes
    if isinstance(route, APIRoute)
]


@pytest.fixture(scope="module")
def pace() -> Iterator[Pacemaker]:
    with pacemaker() as made:
        yield made


@pytest.fixture(scope="module")
def operations(target: str) -> dict[str, tuple[str, str, Any]]:
    """The operations of the server by their names: their method, path and description."""
    document = httpx.get(f"{target}/openapi.json", timeout=60).json()
    found = {
        operation["operationId"]: (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    # What is first asked for opens tables and compiles.
    for name, made in JSON.items():
        method, path, _ = found[name]
        for asked in made(["Cat"]):
            httpx.request(method, f"{target}{path}", json=asked, timeout=SECONDS)
    return found


def endure(target: str, pace: Pacemaker, attacks: Sequence[Attack]) -> None:
    """Hold that a server answers others in time during each of some attacks, and fails at none."""
    left = list(attacks)
    assert left
    with Watch(target) as watch:
        for _ in range(TRIES):
            slow: list[tuple[Attack, float]] = []
            begun = time.monotonic()
            for attack in left:
                started = time.monotonic()
                status, body = send(target, attack)
                assert status < 500 or b"took-too-long" in body, (attack.name, attack.target[:80], body[:300])
                slow.append((attack, watch.slowest(started, time.monotonic())))
            limit = pace.slowest_lap(begun, time.monotonic())
            left = [attack for attack, slowest in slow if slowest > limit]
            if not left:
                return
    told = [
        f"{attack.name}: {attack.method} {attack.target[:80]}, {waited:.2f} s"
        for attack, waited in slow
        if waited > limit
    ]
    pytest.fail(f"/health waited for longer than {limit:.2f} s:\n" + "\n".join(told))


def test_no_route_is_left_out(operations: dict[str, tuple[str, str, Any]]) -> None:
    assert set(OPERATIONS) == set(operations)


@pytest.mark.parametrize(
    "name",
    [name if name in AT_A_GLANCE else pytest.param(name, marks=pytest.mark.slow) for name in OPERATIONS],
)
def test_no_text_stops_a_server(
    target: str, pace: Pacemaker, operations: dict[str, tuple[str, str, Any]], name: str
) -> None:
    method, path, operation = operations[name]
    endure(target, pace, list(attacks_on(operation, method, path)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_no_text_on_a_page_stops_a_server(target: str, pace: Pacemaker, page: APIRoute) -> None:
    parameters = [parameter.alias for parameter in page.dependant.query_params]
    endure(target, pace, list(attacks_on_query("GET", page.path, parameters)))


@pytest.mark.parametrize("path", ["/v1/snapshot", "/v1/concepts/search?q=a", "/"])
def test_no_header_stops_a_server(target: str, pace: Pacemaker, path: str) -> None:
    endure(target, pace, list(attacks_on_headers(path)))


@pytest.mark.parametrize("path", ["/v1/relatedness", "/v1/relatedness/files"])
def test_members_of_gzip_that_hold_nothing_stop_no_server(target: str, pace: Pacemaker, path: str) -> None:
    empty = gzip.compress(b"")
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    if path.endswith("files"):
        headers["Content-Type"] = "text/csv"
    # Sixteen megabytes, which is what a body may have.
    body = empty * ((16 * MEGABYTE) // len(empty))
    attack = Attack("empty members", "POST", path, body, headers)
    endure(target, pace, [attack])
    status, said = send(target, attack)
    assert (status, b"damaged-body" in said) == (400, True)


def test_a_server_stops_when_told_to_whatever_it_is_asked(tmp_path: Path) -> None:
    size = 15 * MEGABYTE
    bodies = {
        name: next(bodies_of_pairs([text]))
        for name, text in texts(size).items()
        if name.startswith("combining marks")
    }
    bodies["pieces"] = next(bodies_of_pairs(pieces(size)))
    with wort_serve(tmp_path, shutdown_seconds=0) as served:

        def ask(body: bytes) -> None:
            attack = Attack("", "POST", "/v1/relatedness", body, {"Content-Type": "application/json"})
            with suppress(OSError, HTTPException):
                send(served.address, attack)

        asking = [threading.Thread(target=ask, args=(body,)) for body in bodies.values()]
        for thread in asking:
            thread.start()
        # The bodies arrive, and work on them begins.
        time.sleep(1)
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(timeout=60) in (0, -signal.SIGTERM)
        for thread in asking:
            thread.join()
