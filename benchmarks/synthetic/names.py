"""Names of a wiki of any size: the titles of a real one recombined, from a seed.

Half of the titles are words of real titles put together anew, by the pattern of a real title; in the other
half one of the words is made up, letter by letter, each drawn by the three before it: so there are ever more
different words, as there are ever more names of people and places in a larger wiki. In-links follow Zipf's
law.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from building.names_writer import write_names
from building.writer import SnapshotWriter
from snapshots.naming.names import ARTICLE, REDIRECT

SEED = 20150523
REDIRECTS = 0.55
"""The share of names that are redirects: about that of the English Wikipedia."""

_END = "\n"


class _Words:
    """Words made up of the letters of others: each letter is drawn by the three before it."""

    def __init__(self, words: Sequence[str], chance: random.Random) -> None:
        self._chance = chance
        self._next: dict[str, list[str]] = defaultdict(list)
        for word in words:
            padded = _END * 3 + word + _END
            for place in range(3, len(padded)):
                self._next[padded[place - 3 : place]].append(padded[place])

    def make(self) -> str:
        """Another word, of twenty letters at most."""
        made = _END * 3
        while len(made) < 23:
            letter = self._chance.choice(self._next[made[-3:]])
            if letter == _END:
                break
            made += letter
        return made[3:]


def titles(real: Sequence[str], count: int) -> Iterator[str]:
    """``count`` different titles, those of ``real`` first."""
    chance = random.Random(SEED)  # the same names each time, no secret
    words = [word for title in real for word in title.split(" ")]
    made_up = _Words(words, chance)
    known = set(real)
    yield from sorted(known)
    while len(known) < count:
        pattern = chance.choice(real).split(" ")
        kept = chance.randrange(len(pattern))
        new = [word if place == kept else chance.choice(words) for place, word in enumerate(pattern)]
        if len(new) == 1 or chance.random() < 0.5:
            new[chance.randrange(len(new))] = made_up.make()
        title = " ".join(word for word in new if word)
        if title and title not in known:
            known.add(title)
            yield title


def write_synthetic(folder: Path, real: Sequence[str], count: int) -> None:
    """Write what a snapshot of ``count`` names has for finding them: tries, the file of names, titles."""
    writer = SnapshotWriter(folder)
    made = list(titles(real, count))
    articles = round(count * (1 - REDIRECTS))
    chance = random.Random(SEED)
    # Real titles have any rank, as any other.
    chance.shuffle(made)
    links = [round(articles / (1 + chance.randrange(articles))) for _ in range(articles)]
    targets = [chance.randrange(articles) for _ in range(count - articles)]

    def names() -> Iterator[dict[str, Any]]:
        for number, title in enumerate(made):
            concept = number if number < articles else targets[number - articles]
            kind = ARTICLE if number < articles else REDIRECT
            yield {"title": title, "kind": kind, "concept": concept, "in_links": links[concept]}

    write_names(writer, names, lambda: [], lambda: [])
    writer.strings("concept_titles", made[:articles])
    writer.folder.rename(folder)
