"""How much of the true list of related concepts is found, and how fast.

``python -m benchmarks.related SNAPSHOT MODEL`` scores every concept of SNAPSHOT with some drawn evenly and
with some of the hundredth that has the most in-links, and takes the true lists from that. It prints as JSON
what share of the first 10, 20 and 100 the generators of candidates hold, together and each alone, and others
in addition, how many candidates that is, and what it costs; then what share of the true ten is in the ten
shown, and how long twenty take.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from app.scoring.candidates import ENCODED, GENERATORS, Generator, alike_in_title
from app.scoring.concepts import Scorer
from app.scoring.related import related
from benchmarks.other_candidates import OTHERS
from measures.arrays import Ints
from measures.ranks import greatest

DEPTHS = (10, 20, 100)
NEAREST = (50, 100, 200, 300)
"""How many nearest titles, or beginnings, are tried, where the model reads what an encoder says."""

SHOWN = 20


class Truth(NamedTuple):
    """A concept, and all others that ``max(DEPTHS)`` need, the most related first."""

    concept: int
    best: Ints


def truth(scorer: Scorer, concept: int) -> Truth:
    """The true list of a concept: by raw score, then by page id, as the service has it."""
    everyone = np.delete(np.arange(scorer.snapshot.concepts), concept)
    raw = scorer.raw(np.full(len(everyone), concept), everyone)
    return Truth(concept, everyone[greatest(raw, max(DEPTHS))])


def recall(scorer: Scorer, truths: list[Truth], generators: tuple[Generator, ...]) -> dict[str, Any]:
    """The share of each depth of the true lists that ``generators`` find, and what they cost."""
    found, sizes, times = [], [], []
    for true in truths:
        start = time.perf_counter()
        held = np.unique(np.concatenate([generate(scorer.snapshot, true.concept) for generate in generators]))
        times.append(time.perf_counter() - start)
        sizes.append(len(held))
        found.append([np.isin(true.best[:depth], held).mean() for depth in DEPTHS])
    return {
        "recall": dict(zip(DEPTHS, np.mean(found, 0).round(3).tolist(), strict=True)),
        "candidates": round(float(np.mean(sizes))),
        "ms": round(1000 * float(np.mean(times)), 2),
    }


def shown_of_the_true(scorer: Scorer, truths: list[Truth]) -> float:
    """The share of the true ten that is in the ten that the service shows."""
    titles = scorer.snapshot.concept_titles
    found = []
    for true in truths:
        shown = {one.title for one in related(scorer, true.concept, 10).related}
        found.append(np.mean([titles[concept] in shown for concept in true.best[:10].tolist()]))
    return float(np.mean(found))


def milliseconds(scorer: Scorer, truths: list[Truth]) -> dict[str, float]:
    """How long ``SHOWN`` related concepts take."""
    times = []
    for true in truths:
        start = time.perf_counter()
        related(scorer, true.concept, SHOWN)
        times.append(1000 * (time.perf_counter() - start))
    return dict(
        zip(("p50", "p95", "max"), np.percentile(times, [50, 95, 100]).round(1).tolist(), strict=True)
    )


def figures(scorer: Scorer, concepts: Ints) -> dict[str, Any]:
    """All figures over some concepts."""
    truths = [truth(scorer, int(concept)) for concept in concepts]
    return {
        "concepts": len(truths),
        "shown_of_the_true_ten": round(shown_of_the_true(scorer, truths), 3),
        "milliseconds": milliseconds(scorer, truths),
        "together": recall(scorer, truths, GENERATORS),
        "alone": {
            generate.__name__: recall(scorer, truths, (generate,)) for generate in (*GENERATORS, *OTHERS)
        },
        "in addition": {
            generate.__name__: recall(scorer, truths, (*GENERATORS, generate)) for generate in OTHERS
        },
        **({} if ENCODED.isdisjoint(scorer.model.reads) else nearest(scorer, truths)),
    }


def nearest(scorer: Scorer, truths: list[Truth]) -> dict[str, Any]:
    """The same with so many nearest titles besides, or beginnings of articles."""
    tables: tuple[Literal["title_vectors", "lead_vectors"], ...] = ("title_vectors", "lead_vectors")
    return {
        f"{most} nearest by {table}": recall(
            scorer, truths, (*GENERATORS, partial(alike_in_title, most=most, vectors_of=table))
        )
        for table in tables
        for most in NEAREST
    }


def drawn(scorer: Scorer, random: int, popular: int) -> dict[str, Ints]:
    """Concepts drawn evenly, and from the hundredth with the most in-links, or as many as asked for."""
    concepts = scorer.snapshot.concepts
    chance = np.random.default_rng(7)
    in_links = scorer.snapshot.csr("in_links").sizes(np.arange(concepts))
    most = greatest(in_links, max(concepts // 100, popular))
    return {
        "random": chance.choice(concepts, min(random, concepts), replace=False),
        "popular": chance.choice(most, min(popular, len(most)), replace=False),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--random", type=int, default=300)
    parser.add_argument("--popular", type=int, default=150)
    options = parser.parse_args()
    scorer = Scorer.open(options.snapshot, options.model)
    scorer.warm()
    samples = drawn(scorer, options.random, options.popular)
    print(
        json.dumps(
            {
                "snapshot": scorer.snapshot.id,
                "model": scorer.model.name,
                "machine": f"{platform.machine()}, {os.cpu_count()} cores, one used",
                "load": os.getloadavg()[0],
                **{name: figures(scorer, sample) for name, sample in samples.items()},
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
