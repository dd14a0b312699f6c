"""What is counted, and that nothing of what was asked is among it."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client import values
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Message, Scope

from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.web.middleware.metrics import Metrics
from app.web.middleware.worker_slots import FOLDER, Slot
from app.web.request_notes import Notes
from tests.support.patience import least
from tests.support.served import serving, toy_app, toy_scorer

PAIRS = {"pairs": [{"left": "Cat", "right": "Dog"}, {"left": "A confidential title", "right": "Cat"}]}


@pytest.fixture(scope="module", name="http")
def http_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    app = toy_app(tmp_path_factory.mktemp("metrics"), max_pairs=10)
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def counted(http: httpx.Client, path: str = "/metrics") -> Samples:
    """The samples by their name and labels."""
    answer = http.get(path)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def difference(http: httpx.Client, name: str, before: Samples, **labels: str) -> float:
    key = (name, tuple(sorted(labels.items())))
    return counted(http)[key] - before.get(key, 0)


def test_requests_are_counted_by_their_route(http: httpx.Client) -> None:
    before = counted(http)
    http.post("/relatedness", json=PAIRS)
    http.post("/v1/relatedness", json=PAIRS)
    http.post("/relatedness", content=b"{", headers={"Content-Type": "text/plain"})
    labels = {"route": "/relatedness", "method": "POST"}
    assert difference(http, "wort_requests_total", before, **labels, status="200") == 1
    assert difference(http, "wort_requests_total", before, **labels, status="415") == 1
    versioned = {"route": "/v1/relatedness", "method": "POST"}
    assert difference(http, "wort_requests_total", before, **versioned, status="200") == 1
    assert difference(http, "wort_request_seconds_count", before, route="/relatedness") == 2
    assert difference(http, "wort_pairs_total", before, scored="concepts") == 4
    assert difference(http, "wort_problems_total", before, type="unsupported-media-type") == 1


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_a_route_is_counted_with_its_version_and_by_its_template(http: httpx.Client, prefix: str) -> None:
    before = counted(http)
    http.get(f"{prefix}/concepts/999999999")
    route = f"{prefix}/concepts/{{id}}"
    assert difference(http, "wort_requests_total", before, route=route, method="GET", status="404") == 1


def test_terms_are_counted_apart(http: httpx.Client) -> None:
    before = counted(http)
    answer = http.post("/terms/relatedness", json={"pairs": [{"left": "cat", "right": "dog"}] * 3})
    assert answer.status_code == 200
    key = ("wort_pairs_total", (("scored", "terms"),))
    assert counted(http)[key] - before.get(key, 0) == 3


def test_nobody_makes_more_counters_than_there_are_routes(http: httpx.Client) -> None:
    http.get("/health")
    http.get("/nothing")
    http.get("/static/nothing")
    http.request("PROPFIND", "/nothing")
    before = {key for key in counted(http) if key[0].startswith("wort_")}
    for number in range(30):
        http.get(f"/secret{number}")
        http.get(f"/static/secret{number}")
        http.get(f"/retrainings/{number + 1}")
        http.request("PROPFIND", f"/secret{number}")
    after = {key for key in counted(http) if key[0].startswith("wort_")}
    routes = {dict(labels)["route"] for _, labels in after if "route" in dict(labels)}
    assert {dict(labels).get("route", "") for _, labels in after - before} <= {"", "/retrainings/{number}"}
    assert {"none", "/static"} < routes


def test_nothing_of_what_was_asked_is_shown(http: httpx.Client) -> None:
    http.post("/relatedness", json=PAIRS, headers={"X-API-Key": "sekretKEY", "X-Request-ID": "sekretID"})
    http.get("/concepts/search", params={"q": "a confidential beginning"})
    http.get("/a-confidential-path", params={"a-confidential-name": "x"})
    shown = http.get("/metrics").text
    assert "wort_requests_total" in shown
    assert not re.search("confidential|sekret|Cat", shown)


def test_what_is_served_is_shown(http: httpx.Client) -> None:
    shown = counted(http, "/v1/metrics")
    ((info, value),) = ((dict(key[1]), value) for key, value in shown.items() if key[0] == "wort_served_info")
    assert value == 1
    assert (info["model"], info["wiki"]) == ("toy", "smallwiki")
    assert info["snapshot"] == http.get("/models").json()["served"]["snapshot"]["id"]
    assert shown["process_resident_memory_bytes", (("worker", "0"),)] > 1e6
    assert shown["process_cpu_seconds_total", (("worker", "0"),)] > 0


def test_places_are_shown_while_they_are_taken(tmp_path: Path) -> None:
    app = toy_app(tmp_path, concurrency=1, queue=3)
    workers = app.state.workers

    def places() -> tuple[float, float]:
        samples = {
            sample.name: sample.value
            for family in text_string_to_metric_families(app.state.metrics.exposition().decode())
            for sample in family.samples
            if sample.labels == {"pool": "concepts"}
        }
        return samples["wort_places_taken"], samples["wort_places_queued"]

    with workers.place():
        assert places() == (1, 0)
        with workers.place(), workers.place():
            assert places() == (3, 2)
    assert places() == (0, 0)


def test_a_slot_is_taken_over_with_its_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As workers do it, but within one process: its slots are freed by closing their files."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    (tmp_path / "toy").mkdir()
    source = Source(Serving(toy_scorer(tmp_path / "toy"), TermSettings()))
    scope: Scope = {"type": "http", "method": "GET", "path": "/x", "state": {}}

    def worker() -> tuple[Metrics, Slot]:
        """What counts from here on: a process has one."""
        metrics = Metrics(source)
        metrics.count(scope, Notes(), 200, 0.01)
        metrics.places("concepts", 1)(2)
        assert metrics._slot is not None
        return metrics, metrics._slot

    (one, first), (other, second) = worker(), worker()
    one.count(scope, Notes(), 200, 0.01)
    assert (first.number, second.number) == (0, 1)

    def shown(metrics: Metrics) -> dict[str, float]:
        families = text_string_to_metric_families(metrics.exposition().decode())
        return {sample.name: sample.value for family in families for sample in family.samples}

    assert shown(other)["wort_requests_total"] == 3
    assert shown(other)["wort_places_taken"] == 4
    os.close(first._descriptor)
    # Its gauges end with it, its counts stay.
    assert shown(other)["wort_places_taken"] == 2
    assert shown(other)["wort_requests_total"] == 3
    _, again = worker()
    assert again.number == 0
    assert shown(other)["wort_requests_total"] == 4
    assert shown(other)["wort_places_taken"] == 4
    assert len(list(tmp_path.glob("counter_*.db"))) == 2
    for slot in (second, again):
        os.close(slot._descriptor)


def test_counting_costs_little(tmp_path: Path) -> None:
    """A small part of what the cheapest request takes without a network, of processor time."""
    service = toy_app(tmp_path)

    async def ignored(_: Message) -> None:
        pass

    async def receive() -> Message:
        raise AssertionError

    async def seconds() -> tuple[float, float]:
        known = {"type": "http", "method": "GET", "path": "/health", "query_string": b"", "headers": []}
        scopes: list[Scope] = [{**known, "state": {}} for _ in range(300)]
        metrics = Metrics(service.state.source)
        begun = time.thread_time()
        for scope in scopes:
            metrics.count(scope, Notes(), 200, 0.001)
        counted = time.thread_time()
        for scope in scopes:
            await service(scope, receive, ignored)
        return counted - begun, time.thread_time() - counted

    async def share() -> float:
        counting, whole = (min(of_one) for of_one in zip(*[await seconds() for _ in range(5)], strict=True))
        return float(counting / whole)

    assert least(lambda: asyncio.run(share()), 0.1) < 0.1  # measured 0.02
