"""What is counted of the service, for Prometheus. No query, title or key is among it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.types import Scope

from app.serving.source import Source
from app.web.middleware.authority import is_static
from app.web.middleware.worker_slots import FOLDER, Slot
from app.web.request_notes import Notes
from app.web.version import VERSION

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The text format of Prometheus."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""The upper bounds of the durations that are told apart."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_VERSIONED = f"/{VERSION}/"
_PAGES = frozenset({"/docs", "/openapi.json"})


class Metrics:
    """The counters of one server. Several worker processes count into the folder that ``FOLDER`` names."""

    def __init__(self, source: Source) -> None:
        folder = os.environ.get(FOLDER)
        self._slot = None if folder is None else Slot(Path(folder))
        counted = CollectorRegistry()
        self._shown = counted if self._slot is None else CollectorRegistry()
        self._shown.register(_Served(source))
        # Before the files are read: it drops those of gauges whose worker is dead.
        self._shown.register(_Processes(self._slot))
        if folder is not None:
            MultiProcessCollector(self._shown, folder)
        self._requests = Counter(
            "wort_requests",
            "Requests answered, by the path of their route, their method and the status of the answer.",
            ("route", "method", "status"),
            registry=counted,
        )
        self._seconds = Histogram(
            "wort_request_seconds",
            "Seconds from the head of a request to the end of its answer.",
            ("route",),
            buckets=SECONDS,
            registry=counted,
        )
        self._pairs = Counter(
            "wort_pairs",
            "Pairs scored for who asked for pairs, of concepts and of terms.",
            ("scored",),
            registry=counted,
        )
        self._problems = Counter(
            "wort_problems",
            "Requests answered with a problem, by its type: busy and rate-limited are rejections.",
            ("type",),
            registry=counted,
        )
        self._taken = Gauge(
            "wort_places_taken",
            "Requests that hold a place: that are scored, wait for it, or for their reader.",
            ("pool",),
            registry=counted,
            multiprocess_mode="livesum",
        )
        self._queued = Gauge(
            "wort_places_queued",
            "Those of them that are more than are scored at once.",
            ("pool",),
            registry=counted,
            multiprocess_mode="livesum",
        )

        self._held = Gauge(
            "wort_held_bytes",
            "Memory of bodies, arriving or worked on, and of large answers that wait for their readers.",
            ("of",),
            registry=counted,
            multiprocess_mode="livesum",
        )

    def count(self, scope: Scope, notes: Notes, status: int, seconds: float) -> str:
        """Count a request that has ended, and say as what; ``status``: 0 where it was not answered."""
        route = route_of(scope)
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if notes.problem is not None:
            self._problems.labels(notes.problem).inc()
        for scored, number in notes.pairs.items():
            self._pairs.labels(scored).inc(number)
        return route

    def places(self, pool: str, at_once: int) -> Callable[[int], None]:
        """What is to be told how many places of a pool are taken, of which so many are scored at once."""
        all_taken, queued = self._taken.labels(pool), self._queued.labels(pool)

        def changed(taken: int) -> None:
            all_taken.set(taken)
            queued.set(max(0, taken - at_once))

        return changed

    def memory(self, of: str) -> Callable[[int], None]:
        """What is to be told how many bytes of ``of`` are held."""
        return self._held.labels(of).set

    def exposition(self) -> bytes:
        """All that is counted, as Prometheus reads it; files are read for it."""
        return generate_latest(self._shown)


def route_of(scope: Scope) -> str:
    """What a request is counted and logged as: there are as many as there are routes, whatever is asked for.

    The template of its route's path, with the version that it was asked by: a route knows it without.
    """
    path: str | None = getattr(scope.get("route"), "path", None)
    if path is not None:
        versioned = scope["path"].startswith(_VERSIONED) and not path.startswith(_VERSIONED)
        return f"/{VERSION}{path}" if versioned else path
    if is_static(scope["path"]):
        return "/static"
    return scope["path"] if scope["path"] in _PAGES else "none"


class _Served(Collector):
    """Which model and snapshot the worker serves that answers."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def collect(self) -> Iterator[Metric]:
        """One sample, 1, whose labels say it."""
        served = self._source.current.info
        release = "" if served.release is None else str(served.release.number)
        names = ("model", "version", "release", "snapshot", "wiki", "dump_date")
        info = GaugeMetricFamily(
            "wort_served_info", "What the worker serves that answers this.", labels=names
        )
        model, snapshot = served.model, served.snapshot
        labels = (model.name, model.version, release, snapshot.id, snapshot.wiki, snapshot.dump_date)
        info.add_metric([label or "" for label in labels], 1)
        yield info
        concepts = GaugeMetricFamily("wort_concepts", "Concepts of the snapshot that is served.")
        concepts.add_metric((), served.snapshot.concepts)
        yield concepts


class _Processes(Collector):
    """Memory, processor time and descriptors of each worker process."""

    def __init__(self, slot: Slot | None) -> None:
        self._slot = slot

    def collect(self) -> Iterable[Metric]:
        """The metrics that Prometheus knows of a process, with the worker's number as a label."""
        families: dict[str, GaugeMetricFamily | CounterMetricFamily] = {}
        workers = [(0, os.getpid())] if self._slot is None else self._slot.living()
        for number, process in workers:
            for metric in ProcessCollector(pid=partial(int, process), registry=None).collect():
                form = CounterMetricFamily if metric.type == "counter" else GaugeMetricFamily
                family = families.setdefault(
                    metric.name, form(metric.name, metric.documentation, labels=("worker",))
                )
                family.add_metric((str(number),), metric.samples[0].value)
        return families.values()
