"""How well the annotator reads single sentences, judged by the links that editors placed in them.

    python -m benchmarks.sentences DUMP… [--snapshot FOLDER]

The dumps are those of ``benchmarks.doubts``, which says what is right and what is wrong. Every second
sentence of 15 to 400 characters with a link is annotated alone, with the default settings; the others of its
paragraph do not help, as in a text that somebody types. Recall is of the links whose target the snapshot has.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice, pairwise
from pathlib import Path

from benchmarks.doubts import STARTER, Article, Targets, read
from snapshots.annotator import Annotator
from snapshots.naming.aliases import Aliases
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from wiki.page import Link

SHORTEST, LONGEST = 15, 400
"""Characters of the sentences."""

STEP = 2
"""Of so many sentences the last is annotated."""

_END = re.compile(r"(?<=[a-z)\"]{2})[.!?]\s+(?=[A-Z])")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dumps", type=Path, nargs="+")
    parser.add_argument("--snapshot", type=Path, default=STARTER)
    options = parser.parse_args()
    snapshot = Snapshot.open(options.snapshot)
    annotator, resolver = Annotator.of_snapshot(snapshot), Resolver.open(snapshot)
    articles, redirects = read(options.dumps)
    targets = Targets(resolver, Aliases.of_snapshot(snapshot), redirects)
    counts: Counter[str] = Counter()
    for text, links in islice(sentences(articles), STEP - 1, None, STEP):
        found = {(one.start, one.end): one.concept for one in annotator.annotate(text)}
        counts["annotations"] += len(found)
        for start, end, target in links:
            concept = found.get((start, end), snapshot.concepts)
            known = resolver.article(redirects.get(target, target)) >= 0
            right: bool | None = False
            if concept < snapshot.concepts:
                right = targets.right(target, snapshot.concept_titles[concept], concept, text[start])
                if right is None:
                    continue
                counts["right" if right else "wrong"] += 1
            counts["links"] += known
            counts["found"] += known and bool(right)
    judged = counts["right"] + counts["wrong"]
    print(f"{counts['annotations']:,} annotations; of those with the words of a link {counts['right']:,}")
    print(f"are right and {counts['wrong']:,} wrong: precision {counts['right'] / judged:.4f};")
    print(f"recall {counts['found'] / counts['links']:.4f} of {counts['links']:,} links")


def sentences(articles: list[Article]) -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """The sentences that have links, with the place and the target of each link in them."""
    for article in articles:
        placed = sorted(article.links, key=_paragraph)
        for number, links in groupby(placed, key=_paragraph):
            paragraph, inside = article.paragraphs[number], list(links)
            cuts = [0, *(end.end() for end in _END.finditer(paragraph)), len(paragraph)]
            for start, end in pairwise(cuts):
                own = [
                    (link.start - start, link.start + len(link.anchor) - start, link.target)
                    for link in inside
                    if link.start >= start and link.start + len(link.anchor) <= end
                ]
                if own and SHORTEST <= end - start <= LONGEST:
                    yield paragraph[start:end], own


def _paragraph(link: Link) -> int:
    return link.paragraph


if __name__ == "__main__":
    main()
