"""How fast ``wort serve`` answers over HTTP, beside scoring in the same process in the same run.

    python -m benchmarks.http_load SNAPSHOT --model MODEL [--tool wrk] [--json FILE]

The server has one worker, on 127.0.0.1; the client shares the machine's processors with it. Requests hold
random pairs of the snapshot's titles, each request others. Without wrk the client is plain Python, which is
itself the slower, the smaller the answers. Memory is measured as ``benchmarks.scale_serving`` does.
"""

from __future__ import annotations

import json as jsons
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
import typer

from app.scoring.concepts import HELPED, Scorer
from app.scoring.naming.references import named
from app.web.requests.body import parsed
from benchmarks.report import Cell, Table, median_seconds, new_report, publish
from benchmarks.scale_serving import BATCH, WORKERS, apart, held, known
from benchmarks.server import Running, asking, running
from wort.schemas.relatedness import RelatednessRequest, RelatednessResponse

REQUESTS = 50
"""Different requests of a thousand pairs; of those with one pair a thousand times as many are made."""

STARTS = 3
"""Starts of the server that are timed, after one that does not count and leaves the compiled code behind."""

FORMER_SERVICE = (170, 460)
"""Pairs a second that IBM's hosted service answered, by what has been published of it."""

_LUA = """
local bodies, place = {{}}, 0
for line in io.lines("{bodies}") do bodies[#bodies + 1] = line end
wrk.method, wrk.headers["Content-Type"] = "POST", "application/json"
function request()
  place = place % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[place])
end
function done(summary, latency)
  local wrong = summary.errors
  local failed = wrong.connect + wrong.read + wrong.write + wrong.status + wrong.timeout
  local p50, p90, p99 = latency:percentile(50), latency:percentile(90), latency:percentile(99)
  print(string.format("FOUND [%d,%d,%d,%d,%d,%d]", summary.requests, summary.duration, failed, p50, p90, p99))
end
"""


class Load(NamedTuple):
    """What a client saw: requests a second, and percentiles of the milliseconds until the answer."""

    rate: float
    p50: float
    p90: float
    p99: float


class Kind(NamedTuple):
    """A kind of request: how many pairs, named how, what else is asked for, by how many connections."""

    name: str
    pairs: int
    connections: int
    by_id: bool = False
    options: tuple[str, ...] = ()


KINDS = (
    Kind("1 pair", 1, 1),
    Kind("1 pair", 1, 8),
    Kind("1 pair, explained", 1, 1, options=("explain",)),
    Kind("1,000 pairs of titles", BATCH, 1),
    Kind("1,000 pairs of titles", BATCH, 4),
    Kind("1,000 pairs of page ids", BATCH, 1, by_id=True),
    Kind("1,000 pairs of page ids", BATCH, 4, by_id=True),
    Kind("1,000 pairs with features", BATCH, 1, options=("features",)),
    Kind("1,000 pairs, explained", BATCH, 1, options=("explain",)),
)


class Drawn(NamedTuple):
    """Pairs drawn evenly from a snapshot: their concepts, int64[n] each, and their titles.

    ``page_ids``: as many pairs of the page ids of concepts that have one.
    """

    left: np.ndarray[Any, np.dtype[np.int64]]
    right: np.ndarray[Any, np.dtype[np.int64]]
    titles: list[tuple[str, str]]
    page_ids: list[tuple[int, int]]

    def bodies(self, kind: Kind) -> list[bytes]:
        """Requests of a kind, each for other pairs."""
        named: list[Any] = list(self.page_ids if kind.by_id else self.titles)
        pairs = [{"left": left, "right": right} for left, right in named]
        options = dict.fromkeys(kind.options, True)
        starts = range(0, len(pairs), kind.pairs)
        return [
            jsons.dumps({"pairs": pairs[start : start + kind.pairs], **options}).encode() for start in starts
        ]


def drawn(scorer: Scorer) -> Drawn:
    """``REQUESTS`` times a thousand random pairs of two concepts each, the same ones each time."""
    concepts, count = scorer.snapshot.concepts, REQUESTS * BATCH
    chance = np.random.default_rng(1)
    left = chance.integers(0, concepts, count)
    right = (left + chance.integers(1, concepts, count)) % concepts
    titles, page_ids = scorer.snapshot.concept_titles, scorer.snapshot.page_ids
    names = [(titles[one], titles[other]) for one, other in zip(left.tolist(), right.tolist(), strict=True)]
    known = [page_id for concept in range(concepts) if (page_id := page_ids[concept]) is not None]
    ids = [
        (known[one % len(known)], known[other % len(known)])
        for one, other in zip(left.tolist(), right.tolist(), strict=True)
    ]
    return Drawn(left, right, names, ids)


def by_wrk(server: Running, bodies: list[bytes], connections: int, duration: float) -> Load:
    """What wrk sees.

    Raises:
        RuntimeError: a request was not answered, or not with success.
    """
    with tempfile.TemporaryDirectory() as folder:
        asked, script = Path(folder, "bodies"), Path(folder, "load.lua")
        asked.write_bytes(b"\n".join(bodies))
        script.write_text(_LUA.format(bodies=asked))
        command = ["wrk", "-t1", f"-c{connections}", f"-d{duration:.0f}s", "--timeout=30s", f"-s{script}"]
        printed = subprocess.run(
            [*command, f"{server.url}/v1/relatedness"], check=True, capture_output=True, text=True
        ).stdout
    requests, microseconds, failed, *latencies = jsons.loads(printed.partition("FOUND ")[2])
    if failed:
        raise RuntimeError(f"{failed} of {requests} requests failed")
    return Load(requests / microseconds * 1e6, *(latency / 1000 for latency in latencies))


def by_python(server: Running, bodies: list[bytes], connections: int, duration: float) -> Load:
    """What clients in this process see, a thread and a connection each; raises as ``by_wrk``."""
    end = time.perf_counter() + duration

    def client(number: int) -> list[float]:
        taken: list[float] = []
        with asking(server) as ask:
            for body in cycle(bodies[number::connections]):
                start = time.perf_counter()
                if start >= end:
                    return taken
                ask(body)
                taken.append(time.perf_counter() - start)
        return taken

    with ThreadPoolExecutor(connections) as clients:
        taken = [1000 * seconds for each in clients.map(client, range(connections)) for seconds in each]
    return Load(len(taken) / duration, *np.percentile(taken, [50, 90, 99]).tolist())


def loads(server: Running, scorer: Scorer, pairs: Drawn, client: str, duration: float) -> Table:
    """What each kind of request takes, and how many pairs a second beside scoring in process."""
    load = by_wrk if client == "wrk" else by_python
    in_process = partial(scorer.relatedness, pairs.left[:BATCH], pairs.right[:BATCH])
    rows: list[tuple[Cell, ...]] = []
    for kind in KINDS:
        # Right before and right after, since what else the machine does comes and goes.
        seconds = [median_seconds(in_process, rounds=15)]
        bodies = pairs.bodies(kind)
        load(server, bodies, kind.connections, 1)  # what is read from the disk at first does not count
        found = load(server, bodies, kind.connections, duration)
        seconds.append(median_seconds(in_process, rounds=15))
        rate = found.rate * kind.pairs
        rows.append((kind.name, kind.connections, *found, rate, rate * float(np.mean(seconds)) / BATCH))
    return Table(
        "load",
        "One worker over HTTP",
        ("request", "connections", "requests/s", "p50, ms", "p90, ms", "p99, ms", "pairs/s", "of in process"),
        rows,
        f"Client: {client}, {duration:g} s a row; to its percentiles, wrk adds the requests that a stall "
        "kept from being sent. In process: the features and the model for 1,000 pairs of concepts at once, "
        f"on one core, right before and after each row. IBM's hosted service answered "
        f"{FORMER_SERVICE[0]} to {FORMER_SERVICE[1]} pairs/s.",
    )


def shares(scorer: Scorer, pairs: Drawn) -> Table:
    """What the parts of answering a thousand pairs of titles take, in this process."""
    body = pairs.bodies(KINDS[3])[0]
    left, right = pairs.left[:BATCH], pairs.right[:BATCH]
    reading = msgspec.json.Decoder(RelatednessRequest)
    asked = parsed(body, reading)
    sides = [(named(pair.left), named(pair.right)) for pair in asked.pairs]
    scores = scorer.relatedness(left, right)
    results = scorer.score(sides)
    answer = RelatednessResponse(results, scorer.model_info, scorer.snapshot_info)
    parts: dict[str, Callable[[], object]] = {
        "decode": lambda: [(named(each.left), named(each.right)) for each in parsed(body, reading).pairs],
        "resolve": lambda: scorer.pairs.pairs(sides, HELPED, HELPED, "report"),
        "features and model": lambda: scorer.relatedness(left, right),
        "percentiles": lambda: scorer.percentiles.of(scores),
        "encode": lambda: msgspec.json.encode(answer),
    }
    taken = {part: 1000 * median_seconds(call, rounds=15) for part, call in parts.items()}
    scored = 1000 * median_seconds(lambda: scorer.score(sides), rounds=15)
    within = taken["resolve"] + taken["features and model"] + taken["percentiles"]
    taken["results put together"] = max(0.0, scored - within)
    total = sum(taken.values())
    rows: list[tuple[Cell, ...]] = [(part, each, 100 * each / total) for part, each in taken.items()]
    return Table(
        "shares",
        "The parts of a request of 1,000 pairs of titles",
        ("part", "ms", "%"),
        [*rows, ("all", total, 100)],
        "In process, medians of 15 rounds. What HTTP adds is not among them.",
    )


def starts(snapshot: Path, model: Path, pairs: Drawn) -> Table:
    """How long the server takes to be ready, and the first request beside those after it."""
    rows: list[tuple[Cell, ...]] = []
    bodies = pairs.bodies(KINDS[0])[: 10 * REQUESTS]
    for number in range(STARTS + 1):
        with running(snapshot, model) as server, asking(server) as ask:
            taken = []
            for body in bodies:
                begun = time.perf_counter()
                ask(body)
                taken.append(1000 * (time.perf_counter() - begun))
        usual = float(np.median(taken[1:]))
        if number:
            rows.append((f"start {number}", server.start_seconds, taken[0], usual, taken[0] / usual))
    return Table(
        "starts",
        "From the start to the first answers",
        ("", "ready, s", "first request, ms", "median of the others, ms", "first, times the median"),
        rows,
        "One pair a request. Ready: from the command to the first 200 of /ready, with compiled code cached.",
    )


def memory(snapshot: Path, model: Path) -> Table:
    """What each further worker takes. This process must not have the snapshot mapped: it would share it."""
    titles = apart(partial(known, snapshot)).titles
    counted = [(workers, held(snapshot, model, titles, workers)) for workers in WORKERS]
    alone = counted[0][1].workers
    rows: list[tuple[Cell, ...]] = []
    for workers, found in counted:
        more = (found.workers - alone) / (workers - 1) if workers > 1 else None
        rows.append((workers, found.first, found.workers, more, found.private))
    return Table(
        "memory",
        "Memory of the processes, MB",
        ("workers", "their parent, PSS", "workers, PSS", "each further one, PSS", "a worker, private"),
        rows,
        "PSS counts a page that several processes map once in all; the snapshot's are among it.",
    )


def main(
    snapshot: Annotated[Path, typer.Argument(help="The snapshot folder.")],
    model: Annotated[Path, typer.Option(help="The model file to score with.")],
    tool: Annotated[str, typer.Option(help="wrk, or python, as which asks where wrk is missing.")] = "wrk",
    seconds: Annotated[float, typer.Option(help="How long each kind of request is asked.")] = 8.0,
    json: Annotated[Path | None, typer.Option(help="A file to write the report to.")] = None,
) -> None:
    """Measure the service over HTTP."""
    missing = tool == "wrk" and shutil.which("wrk") is None
    notes = ["wrk is not installed (apt-get install wrk): Python asked."] if missing else []
    of_processes = memory(snapshot, model)
    scorer = Scorer.open(snapshot, model)
    scorer.warm()
    pairs = drawn(scorer)
    with running(snapshot, model) as server:
        load = loads(server, scorer, pairs, "python" if missing else tool, seconds)
    tables = [load, shares(scorer, pairs), starts(snapshot, model, pairs), of_processes]
    publish(new_report("http_load", scorer.snapshot.id, tables, notes), json)


if __name__ == "__main__":
    typer.run(main)
