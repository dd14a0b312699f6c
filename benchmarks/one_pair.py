"""What one pair takes, whichever way it comes in: a call in process, a request over HTTP.

    python -m benchmarks.one_pair

On the starter snapshot, by ``wort-plus`` or another model of concepts (``--model``). Times are of the
processor, so that other work beside it changes them little: in process those of the thread, over HTTP those
of the server. To compare two versions, run it in a checkout of each, in turn.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from app.scoring.concepts import Scorer
from app.serving.starter import open_scorer
from benchmarks.report import Cell, Table, new_report, publish
from benchmarks.server import Running, asking, processor_seconds, running

CALLS = 600
REQUESTS = 2_000
ROUNDS = 9
BATCH = 1_000


def main(
    model: Annotated[
        Path | None, typer.Option(help="A model of concepts; the starter's own if unset.")
    ] = None,
) -> None:
    """Print what a pair takes in process and over HTTP."""
    scorer = open_scorer(None, model)
    scorer.warm()
    table = Table(
        "one_pair",
        "What one pair takes",
        ("", "µs of the processor"),
        [*in_process(scorer), *over_http(scorer, model)],
        f"The least of {ROUNDS} rounds in process, of 3 over HTTP; a request of {BATCH:,} pairs by pair.",
    )
    publish(new_report("one_pair", f"{scorer.snapshot.id}, {scorer.model.name}", [table]))


def in_process(scorer: Scorer) -> list[tuple[Cell, ...]]:
    """A call by ids, a call by titles with percentiles and what an answer says, and a pair of a long call."""
    draw = np.random.default_rng(1)
    left, right = draw.integers(0, scorer.snapshot.concepts, (2, CALLS))
    titles = scorer.snapshot.concept_titles
    named = [(titles[a], titles[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    lefts, rights = draw.integers(0, scorer.snapshot.concepts, (2, 20_000))
    ids = [(left[place : place + 1], right[place : place + 1]) for place in range(CALLS)]
    return [
        ("a call, by ids", _least(lambda: [scorer.relatedness(*pair) for pair in ids], CALLS)),
        ("a call, by titles", _least(lambda: [scorer.score([pair]) for pair in named], CALLS)),
        ("a pair of 20,000, by ids", _least(lambda: scorer.relatedness(lefts, rights), 20_000)),
        (f"a pair of {CALLS}, by titles", _least(lambda: scorer.score(named), CALLS)),
    ]


def over_http(scorer: Scorer, model: Path | None) -> list[tuple[Cell, ...]]:
    """A request of one pair, and a pair of a long request: by titles, and by page ids."""
    snapshot = scorer.snapshot
    known = [row for row in range(snapshot.concepts) if snapshot.page_ids[row] is not None]
    by_title = [snapshot.concept_titles[row] for row in known]
    by_id = [snapshot.page_ids[row] for row in known]
    with running(model=model) as server:
        single = [_body(by_title, 1) for _ in range(REQUESTS)]
        for body in single[:400]:
            _ask(server, [body])
        return [
            ("a request of one pair", _cost(server, single) / REQUESTS),
            *(
                (f"a pair of a request of {BATCH:,}, by {what}", _cost(server, many) / (len(many) * BATCH))
                for what, many in (
                    ("titles", [_body(by_title, BATCH) for _ in range(40)]),
                    ("page ids", [_body(by_id, BATCH) for _ in range(40)]),
                )
            ),
        ]


def _body(named: Sequence[str | int | None], pairs: int) -> bytes:
    chosen = random.Random(1)  # the same each time, no secret
    return json.dumps(
        {"pairs": [{"left": chosen.choice(named), "right": chosen.choice(named)} for _ in range(pairs)]}
    ).encode()


def _least(call: Callable[[], object], calls: int) -> float:
    """The least processor time of a thread that one of the ``calls`` of ``call`` took, in µs."""
    taken = []
    for _ in range(ROUNDS):
        begun = time.thread_time()
        call()
        taken.append(time.thread_time() - begun)
    return round(min(taken) / calls * 1e6, 1)


def _cost(server: Running, bodies: Sequence[bytes]) -> float:
    """The least processor time, in µs, that a server took for all of ``bodies`` on one connection."""
    taken = []
    for _ in range(3):
        before = processor_seconds(server.process)
        _ask(server, bodies)
        taken.append(processor_seconds(server.process) - before)
    return round(min(taken) * 1e6, 1)


def _ask(server: Running, bodies: Sequence[bytes]) -> None:
    with asking(server) as ask:
        for body in bodies:
            ask(body)


if __name__ == "__main__":
    typer.run(main)
