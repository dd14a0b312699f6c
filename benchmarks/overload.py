"""What does a server do under twice the load that it can bear?

    python -m benchmarks.overload [--seconds 120] [--times 2] [--workers 1] [--pairs 100]

Starts ``wort serve`` on the starter snapshot, measures its capacity (a few clients that ask again as soon as
they are answered), and then asks ``times`` as often, whether or not there was an answer, each request on a
connection of its own. Prints the answers by status, how long those took that were scored, the refusals that
do not say when to try again, whatever else went wrong, the memory of all the server's processes over the
time, and how it answers afterwards. Ends by itself; exit code 1 where anything but 200, 429 and 503 came.

Client and server share the machine's processors here, so the capacity is less than that of the server alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.memory import descendants
from benchmarks.server import Running, running
from benchmarks.titles import TITLES

PATIENCE = 60.0
"""Seconds after which an answer counts as missing."""
WARMING, CAPACITY = 3.0, 8.0
"""Seconds of asking before anything is measured, and while the capacity is."""


class Answer(NamedTuple):
    """``status``: 0 where there was no whole answer; then ``error`` says why."""

    status: int
    seconds: float
    retry_after: bool = False
    error: str = ""


class Memory(NamedTuple):
    """MiB of all processes: what they have written (``own``), and that with the files that they map."""

    own: float
    resident: float


@dataclass
class Report:
    """What was seen.

    ``lag``: the seconds that the client was behind its own plan at the worst. ``others``: the share of the
    machine's processors that neither client nor server had, and that were not idle.
    """

    capacity: float
    rate: float
    seconds: float
    lag: float = 0.0
    others: float = 0.0
    answers: list[Answer] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    afterwards: list[Answer] = field(default_factory=list)

    @property
    def statuses(self) -> Counter[int]:
        """How many answers had each status."""
        return Counter(answer.status for answer in self.answers)

    @property
    def errors(self) -> Counter[str]:
        """What went wrong but 429 and 503, and how often."""
        return Counter(
            answer.error or str(answer.status)
            for answer in [*self.answers, *self.afterwards]
            if answer.status not in (200, 429, 503)
        )

    @property
    def unadvised(self) -> int:
        """Refusals that do not say when to try again."""
        return sum(answer.status in (429, 503) and not answer.retry_after for answer in self.answers)

    def grown(self) -> tuple[float, float]:
        """The processes' own memory over the first fifth of the time and over the last, in MiB."""
        fifth = max(1, len(self.memory) // 5)
        own = [memory.own for memory in self.memory]
        return float(np.mean(own[:fifth])), float(np.mean(own[-fifth:]))

    def show(self) -> None:
        """Print it."""
        scored = [answer.seconds * 1000 for answer in self.answers if answer.status == 200] or [float("nan")]
        middle, most = np.percentile(scored, [50, 99])
        statuses = ", ".join(f"{number:,} × {status}" for status, number in sorted(self.statuses.items()))
        resident = [memory.resident for memory in self.memory]
        first, last = self.grown()
        after = np.median([answer.seconds * 1000 for answer in self.afterwards])
        print(f"capacity: {self.capacity:.0f} requests/s")
        print(f"the processors were busy with other work: {self.others:.0%}")
        print(
            f"asked: {len(self.answers):,} requests in {self.seconds:.0f} s, {self.rate:.0f}/s "
            f"(at most {self.lag:.2f} s late)"
        )
        print(f"answered: {statuses}; {self.statuses[200] / self.seconds:.0f} scored a second")
        print(f"scored after: {middle:.0f} ms median, {most:.0f} ms p99, {max(scored):.0f} ms longest")
        print(f"refusals without Retry-After: {self.unadvised}")
        print(f"other errors: {dict(self.errors) or 'none'}")
        print(f"memory of its own: {first:.0f} MiB in the first fifth, {last:.0f} MiB in the last")
        print(f"resident memory: {resident[0]:.0f} MiB at first, {resident[-1]:.0f} MiB at last")
        print(f"afterwards: {len(self.afterwards)} answers, {after:.0f} ms median")


def request(pairs: int) -> bytes:
    """A request for so many pairs, as it goes over the wire."""
    every = [{"left": left, "right": right} for left in TITLES for right in TITLES]
    body = json.dumps({"pairs": (every * (pairs // len(every) + 1))[:pairs]}).encode()
    head = (
        "POST /v1/relatedness HTTP/1.1\r\nHost: benchmark\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


async def ask(place: tuple[str, int], asked: bytes) -> Answer:
    """The answer to a request on a connection of its own."""
    begun = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(*place)
            try:
                writer.write(asked)
                head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
            finally:
                writer.close()
    except (OSError, TimeoutError) as error:
        return Answer(0, time.perf_counter() - begun, error=type(error).__name__)
    seconds = time.perf_counter() - begun
    length = re.search(rb"(?i)content-length: (\d+)", head)
    if length is None or int(length[1]) != len(body):
        return Answer(0, seconds, error="cut off")
    return Answer(int(head[9:12]), seconds, b"retry-after:" in head.lower())


async def capacity_of(place: tuple[str, int], asked: bytes, clients: int, seconds: float) -> float:
    """Requests a second that are scored for clients that ask without a pause."""
    end = time.perf_counter() + seconds

    async def client() -> int:
        scored = 0
        while time.perf_counter() < end:
            scored += (await ask(place, asked)).status == 200
        return scored

    return sum(await asyncio.gather(*(client() for _ in range(clients)))) / seconds


async def overload(server: Running, asked: bytes, times: float, seconds: float) -> Report:
    """What is seen while a server is asked ``times`` as often as it can answer."""
    process, place = server.process, (server.host, server.port)
    clients = 2 * (os.cpu_count() or 1)
    await capacity_of(place, asked, clients, WARMING)
    capacity = await capacity_of(place, asked, clients, CAPACITY)
    report = Report(capacity, times * capacity, seconds)
    pending: set[asyncio.Task[None]] = set()

    async def once() -> None:
        report.answers.append(await ask(place, asked))

    before = _processor_seconds(process)
    begun = time.perf_counter()
    watched = begun
    number = 0
    while (now := time.perf_counter()) < begun + seconds:
        due = begun + number / report.rate
        if now >= watched:
            report.memory.append(memory_of(process))
            watched += 1
        if now < due:
            await asyncio.sleep(due - now)
            continue
        report.lag = max(report.lag, now - due)
        number += 1
        task = asyncio.create_task(once())
        pending.add(task)
        task.add_done_callback(pending.discard)
        # Lets those that have begun go on, however late this is.
        await asyncio.sleep(0)
    await asyncio.gather(*pending)
    report.memory.append(memory_of(process))
    all_, busy, ours = (now - then for now, then in zip(_processor_seconds(process), before, strict=True))
    report.others = (busy - ours) / all_
    report.afterwards = [await ask(place, asked) for _ in range(20)]
    return report


def memory_of(process: int) -> Memory:
    """The memory of a process and all that it started."""
    own = resident = 0
    for each in descendants(process):
        status = Path(f"/proc/{each}/status").read_text()
        own += _kibibytes(status, "RssAnon")
        resident += _kibibytes(status, "VmRSS")
    return Memory(own / 1024, resident / 1024)


def _processor_seconds(process: int) -> tuple[float, float, float]:
    """Those of the whole machine, those of them that were not idle, those of the server and this client."""
    line = Path("/proc/stat").read_text().partition("\n")[0].split()
    ticks = [int(number) for number in line[1:9]]
    # Idle, and idle while a disk was waited for.
    busy = sum(ticks) - ticks[3] - ticks[4]
    ours = 0
    for each in (os.getpid(), *descendants(process)):
        spent = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ours += int(spent[11]) + int(spent[12])
    return sum(ticks), busy, ours


def _kibibytes(status: str, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    return 0 if found is None else int(found[1])


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--times", type=float, default=2)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=100)
    options = parser.parse_args()
    with running(workers=options.workers) as server:
        asked = request(options.pairs)
        report = asyncio.run(overload(server, asked, options.times, options.seconds))
    report.show()
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
