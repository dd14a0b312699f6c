"""How fast concepts are found by what is typed, among millions of names, and how often the ones meant.

``python -m benchmarks.search SNAPSHOT FOLDER`` makes names by recombining the titles of SNAPSHOT, five
million if ``--names`` does not say otherwise. That takes some minutes and 2 GB in FOLDER, where they stay for
the next time. It asks for what people type and prints milliseconds by kind of query as JSON: beginnings of
titles of every length, mistyped ones, other scripts, and what is no title. It also mistypes titles of
SNAPSHOT, and prints in what share the one that was meant is among ten, beside that where comparing with every
title would show it there.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import marisa_trie
import numpy as np

from benchmarks.synthetic.names import SEED, write_synthetic
from snapshots.arrays import map_array
from snapshots.naming.aliases import Aliases
from snapshots.naming.names import FILE, RECORD, Names
from snapshots.naming.resolver import Resolver
from snapshots.naming.search import TitleSearch
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from tests.oracles.spelling import Titles, all_titles, mistyped
from wiki.folding import fold

QUERIES = 300
"""Of each kind."""

SHOWN = 10

STRANGE = (
    *("москва", "афины", "東京", "서울", "العربية", "हिन्दी", "ไทย"),
    *("%", "%%", "_", "'", '"', "\x00", "a\x00b", "' OR 1=1 --", "\U0010ffff", " ", "\u0301"),
    *("x" * 255, "abc " * 63, "%" * 255, "é" * 255, "0" * 255, "the " * 63),
)
"""Queries in other scripts, and what is no title."""


def queries(titles: list[str], chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Kinds of queries, ``QUERIES`` of each, of titles drawn with replacement."""

    def drawn() -> str:
        return fold(chance.choice(titles)) or "a"

    def beginning(title: str) -> str:
        return title[: chance.randint(1, len(title))]

    for length in (1, 2, 3, 4, 6, 8, 12):
        yield f"first {length}", [drawn()[:length] for _ in range(QUERIES)]
    yield "a whole title", [drawn() for _ in range(QUERIES)]
    yield "a beginning, one error", [mistyped(beginning(drawn()), chance) for _ in range(QUERIES)]
    yield "a title, one error", [mistyped(drawn(), chance) for _ in range(QUERIES)]
    yield "a title, two errors", [mistyped(mistyped(drawn(), chance) or "a", chance) for _ in range(QUERIES)]
    yield "the first letter wrong", [chance.choice("qxzj") + drawn()[1:] for _ in range(QUERIES)]
    yield "words in another order", [" ".join(reversed(drawn().split(" "))) for _ in range(QUERIES)]
    yield "strange", list(STRANGE)


def timed(search: TitleSearch, asked: list[str]) -> dict[str, dict[str, float]]:
    """Milliseconds that queries take, each by itself: those that pass, and those of the processor.

    The two differ where the machine has something else to do.
    """
    times = []
    for text in asked:
        start = time.perf_counter(), time.thread_time()
        search.find(text, SHOWN)
        times.append((time.perf_counter() - start[0], time.thread_time() - start[1]))
    p50, p95, longest = (1000 * np.percentile(times, [50, 95, 100], axis=0)).round(2).tolist()
    return {
        name: {"p50": p50[column], "p95": p95[column], "max": longest[column]}
        for column, name in enumerate(("passed", "processor"))
    }


def speed(folder: Path, real: list[str], names: int) -> dict[str, Any]:
    """Milliseconds by kind of query, over ``names`` names made of the titles ``real``, in ``folder``."""
    if not folder.exists():
        write_synthetic(folder, real, names)
    variants = marisa_trie.RecordTrie(RECORD).mmap(str(folder / "title_variants.marisa"))
    offsets, data = (map_array(folder / f"concept_titles.{part}.npy") for part in ("offsets", "data"))
    table = StringTable(offsets, data)
    search = TitleSearch(Names(folder / FILE), variants, table, Aliases.none())
    chance = random.Random(SEED)
    some = [
        *chance.sample(real, min(len(real), 2000)),
        *(table[chance.randrange(len(table))] for _ in range(2000)),
    ]
    start = time.perf_counter()
    search.find("amercia", SHOWN)
    first = time.perf_counter() - start
    # What stands in memory for the queries alone is none of the service's.
    gc.collect()
    gc.freeze()
    kinds = {kind: timed(search, asked) for kind, asked in queries(some, chance)}
    gc.unfreeze()
    return {"names": names, "first_query_ms": round(1000 * first), "milliseconds": kinds}


def recall(snapshot: Snapshot, errors: int) -> dict[str, Any]:
    """How often a title of the snapshot that was mistyped so often is shown, by how long it is."""
    resolver, titles = Resolver.open(snapshot), all_titles(snapshot.concept_titles)
    oracle = Titles([fold(title) for title in titles])
    in_links = snapshot.csr("in_links").sizes(np.arange(snapshot.concepts))
    chance = random.Random(SEED)
    asked = shown = possible = both = 0
    while asked < 2 * QUERIES:
        concept = chance.randrange(len(titles))
        typed = fold(titles[concept])
        if len(typed) < 6:
            continue
        for _ in range(errors):
            typed = mistyped(typed, chance)
        distances = oracle.distances(typed)
        nearer = (distances < distances[concept]) | (
            (distances == distances[concept]) & (in_links > in_links[concept])
        )
        found = any(each.concept == concept for each in resolver.search(typed, SHOWN))
        could = bool(nearer.sum() < SHOWN)
        asked, shown, possible, both = asked + 1, shown + found, possible + could, both + (found and could)
    return {
        "queries": asked,
        "shown": round(shown / asked, 3),
        "comparing_with_all": round(possible / asked, 3),
        "shown_of_those": round(both / possible, 3),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", type=int, default=5_000_000)
    options = parser.parse_args()
    snapshot = Snapshot.open(options.snapshot)
    figures = {
        "snapshot": snapshot.id,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load": os.getloadavg()[0],
        "recall": {f"{errors} errors": recall(snapshot, errors) for errors in (1, 2)},
        "speed": speed(
            options.folder / str(options.names), all_titles(snapshot.concept_titles), options.names
        ),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
