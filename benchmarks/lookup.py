"""How fast titles become concepts, beside the bare trie that they are looked up in, among a million names.

Names of a wiki are made (``benchmarks.synthetic.names``), and the resolver is asked for them as people write
them, and for what is unknown, without suggestions. The bare trie, ``trie.get(title)``, is asked for the same
titles as they stand in it, in the same random order, in the same rounds.
"""

from __future__ import annotations

import gc
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import quote

import marisa_trie
import numpy as np
import typer

from app.scoring.naming.resolving import PairResolver
from app.serving.starter import snapshot_path
from benchmarks.report import Cell, Table, new_report, publish
from benchmarks.synthetic.names import SEED, write_synthetic
from snapshots.arrays import map_array
from snapshots.naming.aliases import Aliases
from snapshots.naming.names import ARTICLE, FILE, RECORD, REDIRECT, Names
from snapshots.naming.resolver import Resolver
from snapshots.page_ids import PageIds
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from tests.oracles.spelling import all_titles
from wiki.siteinfo import Siteinfo
from wiki.titles import title_rules

ASKED = 50_000
"""Look-ups of each kind in a round."""

BATCH = 2_000
"""References that are asked for together: those of a thousand pairs."""

ROUNDS = 5


class Kind(NamedTuple):
    """How references are written: ``write`` makes one of a title, ``share`` of them are such in the mixture.

    ``of``: the kind of name that the titles are; ``matched``: how the resolver finds them, None for not.
    """

    name: str
    share: float
    of: int
    matched: str | None
    write: Callable[[str], str]


KINDS = (
    Kind("a title", 0.6, ARTICLE, "title", lambda title: title),
    Kind("a redirect", 0.15, REDIRECT, "redirect", lambda title: title),
    Kind("with underscores", 0.1, ARTICLE, "title", lambda title: title.replace(" ", "_")),
    Kind("with a small first letter", 0.05, ARTICLE, "title", lambda title: title[0].lower() + title[1:]),
    Kind("percent-escaped", 0.03, ARTICLE, "title", lambda title: quote(title, safe="")),
    Kind(
        "as an address",
        0.02,
        ARTICLE,
        "title",
        lambda title: "https://en.wikipedia.org/wiki/" + quote(title.replace(" ", "_")),
    ),
    Kind("in another case", 0.03, ARTICLE, "variant", str.upper),
    Kind("unknown", 0.02, ARTICLE, None, lambda title: title + " zqxj"),
)

Asked = list[tuple[str, str]]
"""Titles as the trie has them (the unknown ones: has them not), and references to them."""


def opened(folder: Path) -> tuple[marisa_trie.RecordTrie, Resolver]:
    """The trie of the titles that ``write_synthetic`` wrote, and the resolver over them."""
    titles, variants = (
        marisa_trie.RecordTrie(RECORD).mmap(str(folder / f"{name}.marisa"))
        for name in ("titles", "title_variants")
    )
    offsets, data = (map_array(folder / f"concept_titles.{part}.npy") for part in ("offsets", "data"))
    concepts = StringTable(offsets, data)
    rules = title_rules(Siteinfo.from_json(Snapshot.open(snapshot_path()).manifest.siteinfo))
    names, page_ids = Names(folder / FILE), PageIds(np.arange(len(concepts), dtype=np.int64))
    return titles, Resolver(rules, titles, variants, concepts, page_ids, names, Aliases.none())


def asked_for(
    kind: Kind, titles: Sequence[str], resolver: Resolver, count: int, chance: random.Random
) -> Asked:
    """``count`` references of a kind to some of ``titles``, without those that are found in another way."""
    found: Asked = []
    for title in chance.sample(titles, len(titles)):
        text = kind.write(title)
        if resolver.resolve(text, suggest=False).matched == kind.matched:
            found.append((title if kind.matched else text, text))
            if len(found) == count:
                break
    return found


def compared(
    asked: Asked, trie: marisa_trie.RecordTrie, resolver: Resolver, scorers: PairResolver
) -> list[float]:
    """Microseconds a look-up of the bare trie; of ``resolve``, ``resolve_many``, the scorer, and times it.

    Batch by batch they take turns, so that what else the machine does slows all of them. No two of them look
    up the same titles one after the other: the second would find them in the processor's cache.
    """

    def each(look_up: Callable[[str], object], references: Sequence[str]) -> None:
        for reference in references:
            look_up(reference)

    resolve = partial(resolver.resolve, suggest=False)
    calls: tuple[Callable[[Sequence[str]], object], ...] = (
        lambda titles: each(trie.get, titles),
        lambda texts: each(resolve, texts),
        resolver.resolve_many,
        lambda texts: scorers.each(texts, 0, 0),
    )
    count = len(asked) // BATCH
    batches = [list(zip(*asked[start::count], strict=True)) for start in range(count)]
    taken = np.zeros((ROUNDS, len(calls)))
    for turn, place, (number, call) in product(range(ROUNDS), range(count), enumerate(calls)):
        batch = batches[(place + number * count // len(calls)) % count][min(number, 1)]
        start = time.perf_counter()
        call(batch)
        taken[turn, number] += time.perf_counter() - start
    times = np.median(taken / taken[:, :1], axis=0)
    each_one = np.median(taken, axis=0) / len(asked) * 1e6
    figures = [float(figure) for pair in zip(each_one, times, strict=True) for figure in pair]
    return [figures[0], *figures[2:]]


def lookups(titles: int, folder: Path) -> Table:
    """The figures of every kind and of their mixture, among so many names, written to ``folder``."""
    write_synthetic(folder, all_titles(Snapshot.open(snapshot_path()).concept_titles), titles)
    trie, resolver = opened(folder)
    # Only a mention's senses are read from the snapshot.
    scorers = PairResolver(Snapshot.open(snapshot_path()), resolver)
    chance = random.Random(SEED)  # the same look-ups each time, no secret
    by_kind: dict[int, list[str]] = {ARTICLE: [], REDIRECT: []}
    for title, (kind_of_name, _) in trie.iteritems():
        by_kind[kind_of_name].append(title)
    rows: list[tuple[Cell, ...]] = []
    mixture: Asked = []
    # What stands in memory for the questions alone is none of the service's.
    gc.freeze()
    for kind in KINDS:
        asked = asked_for(kind, by_kind[kind.of], resolver, ASKED, chance)
        mixture += asked[: round(kind.share * ASKED)]
        rows.append((kind.name, round(100 * kind.share), *compared(asked, trie, resolver, scorers)))
    chance.shuffle(mixture)
    rows.append(("the mixture", 100, *compared(mixture, trie, resolver, scorers)))
    gc.unfreeze()
    return Table(
        "lookup",
        f"Looking up titles among {titles:,} names",
        (
            *("asked", "of the mixture, %", "bare trie, µs", "one by one, µs", "times the trie"),
            *("resolve_many, µs", "times the trie", "the scorer's, µs", "times the trie"),
        ),
        rows,
        f"Medians of {ROUNDS} rounds of {ASKED:,} look-ups of a kind, in random order; the last two by "
        f"{BATCH:,} at once. An unknown title is unknown to the bare trie, too.",
    )


def main(
    titles: Annotated[int, typer.Option(help="How many names there are.")] = 1_000_000,
    json: Annotated[Path | None, typer.Option(help="A file to write the report to.")] = None,
) -> None:
    """Measure titles being looked up, beside the bare trie."""
    with tempfile.TemporaryDirectory() as folder:
        table = lookups(titles, Path(folder, "names"))
    publish(new_report("lookup", f"{titles:,} names made of the starter snapshot's", [table]), json)


if __name__ == "__main__":
    typer.run(main)
