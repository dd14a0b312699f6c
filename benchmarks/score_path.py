"""How long the road is that a plain pair takes through our own files, from the connection to the answer.

    python -m benchmarks.score_path [--listed]

One pair of titles is asked of the starter snapshot over HTTP, when the server is warm. Counted are the files
of ours that run, their functions, the moves from a function of one file to one of another (a coroutine that
goes on counts as called again), and the forms that the pair takes: the structs, named tuples and data classes
of ours that are handed from function to function and were made for this request, but for those that are part
of another one. The array of its features is one form more.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
import threading
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NamedTuple

import msgspec
import typer
import uvicorn

import app
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from app.web.connection import Connection

ROOT = Path(app.__file__).parents[1]

PAIRS = (("Christianity", "Philosophy"), ("Islam", "Science"), ("Atheism", "Religion"))
"""What is asked; the road of the last pair is counted."""

WARM = 80
"""Requests before that: the first ones go over threads, until a hundred works were quick in a row."""

_DEPTH = 4


class Road(NamedTuple):
    """What one pair ran through: functions as ``file:name``, in the order in which they were first called."""

    files: list[str]
    functions: list[str]
    moves: int
    forms: list[str]

    def counts(self) -> dict[str, int]:
        """How many there are of each."""
        return {
            "files": len(self.files),
            "functions": len(self.functions),
            "moves": self.moves,
            "forms": len(self.forms),
        }


class _Tracer:
    """Notes the calls of our functions on every thread, while ``noting``."""

    def __init__(self) -> None:
        self.noting = False
        self._calls: list[tuple[str, str]] = []
        # Held, so that no identity is given to another object.
        self._seen: dict[int, object] = {}
        self._forms: dict[str, None] = {}
        self._parts: set[str] = set()

    def __call__(self, frame: FrameType, event: str, result: object) -> None:
        if not self.noting or event not in ("call", "return"):
            return
        file = frame.f_code.co_filename
        if not file.startswith(f"{ROOT}/") or file == __file__ or ".venv" in file:
            return
        if event == "call":
            self._calls.append((str(Path(file).relative_to(ROOT)), frame.f_code.co_qualname))
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            handed: list[object] = [frame.f_locals.get(name) for name in names]
        else:
            handed = [result]
        for value in handed:
            self._note_forms(value, _DEPTH, part=False)

    def road(self) -> Road:
        """What was noted since the last time that this was asked."""
        calls, forms = self._calls, [form for form in self._forms if form not in self._parts]
        self._calls, self._forms, self._parts = [], {}, set()
        moves = sum(one[0] != other[0] for one, other in pairwise(calls))
        files = list(dict.fromkeys(file for file, _ in calls))
        return Road(files, list(dict.fromkeys(map(":".join, calls))), moves, forms)

    def _note_forms(self, value: object, depth: int, part: bool) -> None:
        is_record = _is_record(value)
        if is_record and part:
            self._parts.add(_named(value))
        if depth == 0 or id(value) in self._seen:
            return
        if is_record:
            self._seen[id(value)] = value
            self._forms.setdefault(_named(value))
        for inner in _within(value):
            self._note_forms(inner, depth - 1, part or is_record)


def _is_record(value: object) -> bool:
    kind = type(value)
    ours = kind.__module__.partition(".")[0] in _PACKAGES
    return ours and (
        isinstance(value, msgspec.Struct) or dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")
    )


def _named(record: object) -> str:
    return f"{type(record).__module__}.{type(record).__qualname__}"


def _within(value: object) -> Iterator[object]:
    if isinstance(value, (list, tuple)):
        yield from value[:4]
    elif isinstance(value, dict):
        yield from list(value.values())[:4]
    elif isinstance(value, msgspec.Struct):
        yield from (getattr(value, name) for name in value.__struct_fields__)


_PACKAGES = frozenset(folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").exists())


def plain_road() -> Road:
    """The road of one plain pair over HTTP, by what the package carries."""
    tracer = _Tracer()
    scorer = open_scorer(None, None)
    scorer.warm()
    settings = Settings(follow_seconds=0, concurrency=1)
    served = create_app(settings, scorer)
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        return asyncio.run(_asked(served, settings, tracer))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def _asked(served: Any, settings: Settings, tracer: _Tracer) -> Road:  # noqa: ANN401 an application
    http = partial(Connection, send_seconds=settings.send_seconds)
    config = uvicorn.Config(served, port=0, log_config=None, access_log=False, http=http)  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started or not served.state.ready:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number, pair in enumerate([*PAIRS[:1] * WARM, *PAIRS]):
        tracer.road()
        tracer.noting = number >= WARM
        writer.write(_request(pair))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        await reader.readexactly(int(length.partition(b":")[2]))
        if tracer.noting:
            await asyncio.sleep(0.05)  # what follows the answer is part of the road
        tracer.noting = False
    writer.close()
    server.should_exit = True
    await running
    return tracer.road()


def _request(pair: tuple[str, str]) -> bytes:
    body = json.dumps({"pairs": [dict(zip(("left", "right"), pair, strict=True))]}).encode()
    head = (
        "POST /v1/relatedness HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def main(listed: Annotated[bool, typer.Option(help="List them all.")] = False) -> None:
    """Count what a plain pair runs through."""
    road = plain_road()
    print(json.dumps(road.counts()))
    if listed:
        print("\n".join([*road.functions, "", *road.forms]))


if __name__ == "__main__":
    typer.run(main)
