"""How long it takes to choose the senses of ambiguous pairs, beside pairs of titles.

``python -m benchmarks.choosing SNAPSHOT MODEL`` resolves pairs of titles, pairs of the snapshot's ambiguous
mentions, such mentions with long contexts, and the worst case: sides of ten senses each, equally likely, no
two sides alike, all of them from the tenth of the concepts with the most in-links. It prints the seconds of
processor time as JSON, on one core.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import marisa_trie
import numpy as np

from app.scoring.concepts import Scorer
from app.scoring.naming.references import MentionReference
from features.senses.candidates import LONGEST_CONTEXT
from features.senses.choosing import CANDIDATES, CandidateSenses
from features.senses.dictionary import MentionDictionary
from measures.ranks import greatest
from snapshots.annotator.annotator import TRIE
from snapshots.snapshot import Snapshot

PAIRS = 10_000
WITH_CONTEXT = 200


def ambiguous_mentions(snapshot: Snapshot) -> list[str]:
    """The mentions of a snapshot that may mean several of its concepts."""
    dictionary = MentionDictionary(snapshot)
    trie = marisa_trie.Trie().mmap(str(snapshot.folder / TRIE))
    rows = range(snapshot.csr("senses").rows)
    return [trie.restore_key(row) for row in rows if len(dictionary.senses(row)) > 1]


def seconds(call: Callable[[], object]) -> float:
    """The processor time of a call."""
    start = time.process_time()
    call()
    return round(time.process_time() - start, 3)


def main(snapshot_folder: str, model_file: str) -> None:
    """Print the figures."""
    scorer = Scorer.open(Path(snapshot_folder), Path(model_file))
    scorer.warm()
    snapshot, chance = scorer.snapshot, np.random.default_rng(1)
    names = ambiguous_mentions(snapshot)
    titles = [snapshot.concept_titles[row] for row in range(snapshot.concepts)]

    def drawn(texts: list[str], count: int) -> list[str]:
        return [texts[place] for place in chance.integers(0, len(texts), count)]

    def context() -> str:
        return " ".join(drawn(titles, LONGEST_CONTEXT // 5))[:LONGEST_CONTEXT]

    plain = list(zip(drawn(titles, PAIRS), drawn(titles, PAIRS), strict=True))
    mentions = [MentionReference(name) for name in drawn(names, 2 * PAIRS)]
    within = [MentionReference(name, context()) for name in drawn(names, 2 * WITH_CONTEXT)]
    in_links = snapshot.csr("in_links").sizes(np.arange(snapshot.concepts))
    popular = greatest(in_links, snapshot.concepts // 10)
    even = np.full(CANDIDATES, 1 / CANDIDATES)
    whole = np.zeros(CANDIDATES, np.int64)
    worst = [
        CandidateSenses(chance.choice(popular, CANDIDATES, replace=False), even, whole)
        for _ in range(2 * PAIRS)
    ]
    scorer.score([(mentions[0], within[0])], ambiguous="resolve")
    calls: dict[str, Callable[[], object]] = {
        "titles, reported": lambda: scorer.score(plain),
        "titles, resolved": lambda: scorer.score(plain, ambiguous="resolve"),
        "ambiguous mentions": lambda: scorer.score(
            list(zip(mentions[::2], mentions[1::2], strict=True)), suggest=0, ambiguous="resolve"
        ),
        "worst case": lambda: scorer.pairs.senses.choose_of_names(
            list(zip(worst[::2], worst[1::2], strict=True))
        ),
        "with contexts": lambda: scorer.score(
            list(zip(within[::2], within[1::2], strict=True)), suggest=0, ambiguous="resolve"
        ),
    }
    figures = {
        name: {"pairs": WITH_CONTEXT if "contexts" in name else PAIRS, "seconds": seconds(call)}
        for name, call in calls.items()
    }
    about = {"snapshot": snapshot.id, "ambiguous_mentions": len(names), "load": os.getloadavg()[0]}
    print(json.dumps({**about, "figures": figures}, indent=2))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
