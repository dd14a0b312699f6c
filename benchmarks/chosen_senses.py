"""``python -m benchmarks.chosen_senses DATA``: how often is a name that may mean several things understood?

On the starter, by the rule that answers where ``ambiguous`` is ``resolve``, and by others: with the priors in
full, and by the priors or the relatedness alone, by all of which a sense counts more whose title tells of the
other side. DATA is the folder of the benchmarks. A pair is a name and a
concept beside it; what the name means there is known, and is among its senses. The pairs are of five kinds:

- ``everyday``: ``chosen_senses.csv``, written by hand, and looked at while the rule was made;
- ``editors``: the texts of links in real dumps of the English Wikipedia, beside the article that they are in;
- ``WORD``: titles without their qualifiers and last words of titles, beside the other side of judged pairs,
  four in five of which are hardly related;
- ``linked, by links``: a name, a sense drawn by how often links with the name lead to it, and an article that
  links to it and to no other sense. The links of this dump were placed by such frequencies;
- ``linked, any sense``: the same with all senses drawn alike.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app.scoring.concepts import Scorer
from app.serving.starter import open_scorer
from benchmarks.choosing import ambiguous_mentions
from features.senses.choosing import OF_PRIOR, CandidatePair, CandidateSenses, choose_senses
from features.senses.titled import told_by_titles
from snapshots.text import words
from wiki.dump import Dump
from wiki.errors import TruncatedDump
from wiki.folding import fold
from wiki.page import RawPage
from wiki.xml import read_pages

EVERYDAY = Path(__file__).with_suffix(".csv")

DUMPS = (
    "enwik8-first-4MB-cut-mid-page.xml.bz2",
    "enwiki-2016-first-206-pages.xml.bz2",
    "enwiki-2021-27-pages.xml.bz2",
)

LINK = re.compile(r"\[\[([^\]|#\[]+)(?:#[^\]|]*)?\|?([^\]|\[]*)\]\]")

DRAWN = 4_000
"""Linked pairs of each kind."""

RULES = {"the rule": OF_PRIOR, "priors in full": 1.0, "relatedness alone": 0.0}
"""The exponent of the priors by each rule."""


class Asked(NamedTuple):
    """A name with its senses beside a concept, and which of them may be meant."""

    pair: CandidatePair
    meant: frozenset[int]


def asked(scorer: Scorer, name: str, beside: int, meant: frozenset[int]) -> Asked | None:
    """A pair; None where the name has no two senses, or none that is meant."""
    senses = senses_of(scorer, name)
    if len(senses) < 2 or beside < 0 or meant.isdisjoint(senses.concepts.tolist()):
        return None
    return Asked((senses, CandidateSenses.known(beside)), meant)


def senses_of(scorer: Scorer, name: str) -> CandidateSenses:
    """What a name may mean."""
    resolution = scorer.resolver.resolve(name, suggest=False, candidates=False)
    return scorer.pairs.senses.of_name(name, resolution)


def everyday(scorer: Scorer) -> Iterator[tuple[str, int, frozenset[int]]]:
    """The pairs that were written by hand."""
    article = scorer.resolver.article
    with EVERYDAY.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            beside = scorer.resolver.resolve(row["beside"], suggest=False).concept
            yield row["name"], beside, frozenset(map(article, row["meant"].split("|")))


def of_editors(scorer: Scorer, data: Path) -> Iterator[tuple[str, int, frozenset[int]]]:
    """The texts of editors' links, each once beside an article."""
    for name in DUMPS:
        for page in whole_pages(Dump.open(data / "wiki" / name)):
            own = concept_of(scorer, page.title)
            for target, text in dict.fromkeys(LINK.findall(page.text)):
                yield (text or target).strip(), own, frozenset([concept_of(scorer, target)])


def whole_pages(dump: Dump) -> Iterator[RawPage]:
    """The pages of a dump, one of which is cut in the middle of a page."""
    with suppress(TruncatedDump):
        for chunk in dump.chunks():
            yield from read_pages(chunk, dump.siteinfo)


def concept_of(scorer: Scorer, title: str) -> int:
    """The concept whose title or redirect it is, -1 where there is none."""
    return scorer.resolver.resolve(title, suggest=False, candidates=False, aliases=False).concept


def of_word(scorer: Scorer, data: Path) -> Iterator[tuple[str, int, frozenset[int]]]:
    """Shorter names of the concepts of WORD beside those that they were judged with."""
    with (data / "word" / "word_train.csv").open(newline="", encoding="utf-8") as lines:
        pairs = [(row["concept1"], row["concept2"]) for row in csv.DictReader(lines)]
    for title, other in dict.fromkeys([*pairs, *((right, left) for left, right in pairs)]):
        names = {re.sub(r" \(.*\)$", "", title), title.split(",")[0], title.split()[-1]} - {title}
        for name in sorted(names):
            yield name, concept_of(scorer, other), frozenset([concept_of(scorer, title)])


def linked(scorer: Scorer, by_links: bool) -> Iterator[Asked]:
    """Names of the snapshot beside articles that link to one of their senses."""
    chance, in_links = np.random.default_rng(1), scorer.snapshot.csr("in_links")
    names = ambiguous_mentions(scorer.snapshot)
    made = 0
    while made < DRAWN:
        senses = senses_of(scorer, names[chance.integers(len(names))])
        if len(senses) < 2:
            continue
        weights = senses.priors / senses.priors.sum() if by_links else None
        meant = int(chance.choice(senses.concepts, p=weights))
        linking = [set(in_links.row(sense).tolist()) for sense in senses.concepts.tolist() if sense != meant]
        own = set(in_links.row(meant).tolist()).difference(senses.concepts.tolist(), *linking)
        own = {article for article in own if article < scorer.snapshot.concepts}
        if own:
            made += 1
            beside = int(chance.choice(sorted(own)))
            yield Asked((senses, CandidateSenses.known(beside)), frozenset([meant]))


def told(scorer: Scorer, pair: CandidatePair) -> CandidatePair:
    """A pair with the senses that titles tell of likelier than the others, as by the rule that answers."""
    titles = scorer.snapshot.concept_titles
    left, right = ([set(words(fold(titles[one]))) for one in side.concepts.tolist()] for side in pair)
    return told_by_titles(pair, (left, right))


def right(scorer: Scorer, pairs: Sequence[Asked]) -> list[int]:
    """How many of some pairs are understood by each of ``RULES``, and by the likeliest prior."""
    nearness = scorer.pairs.senses.nearness_of_names
    by_rule = [
        choose_senses([told(scorer, _weighed(each.pair, exponent)) for each in pairs], nearness).left.tolist()
        for exponent in RULES.values()
    ]
    likeliest = [int(each.pair[0].concepts[0]) for each in pairs]
    return [
        sum(concept in each.meant for concept, each in zip(chosen, pairs, strict=True))
        for chosen in (*by_rule, likeliest)
    ]


def _weighed(pair: CandidatePair, exponent: float) -> CandidatePair:
    left, right = pair
    return left.weighed(exponent), right.weighed(exponent)


def main(data: Path) -> None:
    """Print a table."""
    scorer = open_scorer(None, None)
    named = {"everyday": everyday(scorer), "editors": of_editors(scorer, data), "WORD": of_word(scorer, data)}
    kinds = {kind: [asked(scorer, *each) for each in pairs] for kind, pairs in named.items()}
    kinds["linked, by links"] = list(linked(scorer, True))
    kinds["linked, any sense"] = list(linked(scorer, False))
    print(f"| pairs | | {' | '.join(RULES)} | the likeliest prior |")
    for kind, found in kinds.items():
        pairs = [each for each in found if each is not None]
        counts = (f"{count:,}" for count in right(scorer, pairs))
        print(f"| {kind} | {len(pairs):,} | {' | '.join(counts)} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
