"""Pairs of concepts as WORD's: Ein Dor et al. 2018, sections 3.1, 3.2 and 3.4.

From articles to pairs:

1. Each article is annotated with the concepts that it mentions.
2. Its lexicon are the concepts that are over-represented in it: by the hypergeometric test, p ≤ 0.05 after
   Bonferroni's correction. The article's own concept is not among them.
3. 160 concepts are drawn from the lexicon: 40 are paired with the article's concept, 120 with others drawn
   from the lexicon. No pair has the same concept twice, and none stands twice in an article. A small lexicon
   gives as many pairs as there are.
4. Two thirds of the articles are for training, the others for the test.

What is not printed is a setting: see ``WordSettings``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

import msgspec
import numpy as np
from numpy.typing import NDArray

from datasets.selection.errors import TooFewTerms, UnusableInput
from datasets.selection.mentions import Unit, concepts_of_units
from datasets.selection.over_representation import log_p_value, over_represented
from datasets.selection.selection import PAIRS, Selection, SelectionTable, generator
from datasets.selection.texts import Document
from snapshots.annotator import Annotator
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.progress import Steps, counting

PROTOCOL = "word"


class WordSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of the protocol.

    Printed: ``level``, ``draws``, ``article_pairs`` and ``train_share``. Not printed: ``background``, which
    texts an article is compared with: the whole wiki of the ``snapshot``, whose tables count paragraphs, or
    all ``articles`` that were selected, as TR9856 does, whose procedure is called similar. The first gives
    concepts as frequent and pairs as related as WORD's. ``unit``, in which concepts are counted where
    articles are compared: the sentence, as TR9856. ``replacement``, whether a concept can be drawn again,
    which WORD's files show that it could. ``minimum_units``, in how many units a concept must be.
    """

    level: float = 0.05
    background: Literal["snapshot", "articles"] = "snapshot"
    unit: Unit = "sentence"
    minimum_units: int = 1
    draws: int = 160
    article_pairs: int = 40
    replacement: bool = True
    train_share: float = 2 / 3


@dataclass(frozen=True, slots=True)
class ConceptLexicon:
    """The concepts that are over-represented in an article, the most so first.

    ``concepts`` int64[n]; ``log_p`` float64[n], the natural logarithm of p before any correction; ``tests``:
    how many concepts were tested.
    """

    concepts: NDArray[np.int64]
    log_p: NDArray[np.float64]
    tests: int


@dataclass(frozen=True, slots=True)
class SourceArticle:
    """An article that pairs are selected from: its text, and its concept."""

    document: Document
    concept: int


Pair = tuple[int, int, str]
"""Two concepts, and the step that made the pair: ``article`` or ``lexicon``."""


def known_articles(
    snapshot: Snapshot, documents: Iterable[Document], listed: bool
) -> tuple[list[SourceArticle], list[str]]:
    """The articles whose titles name a concept of the snapshot, and the titles that do not.

    Raises:
        UnusableInput: none does; or one does not, and they were ``listed`` by a person.
    """
    resolver = Resolver.open(snapshot)
    resolved = [(document, resolver.resolve(document.title)) for document in documents]
    unknown = [document.title for document, resolution in resolved if resolution.status != "ok"]
    if unknown and (listed or len(unknown) == len(resolved)):
        raise UnusableInput(
            f"{snapshot.id} has no article {'; '.join(unknown[:10])}. An article's own concept is one side "
            "of its pairs: name texts as the snapshot names its articles, or leave these out."
        )
    known = {resolution.concept: document for document, resolution in resolved if resolution.status == "ok"}
    return [SourceArticle(document, concept) for concept, document in known.items()], unknown


def select(
    snapshot: Snapshot,
    articles: Sequence[SourceArticle],
    settings: WordSettings,
    seed: int,
    steps: Steps,
    source: Mapping[str, object],
) -> Selection:
    """Pairs from articles.

    ``source``: what the provenance says of the texts.

    Raises:
        UnusableInput: one article alone is to be compared with all that were selected.
        TooFewTerms: no article has a pair.
    """
    if settings.background == "articles" and len(articles) < 2:
        raise UnusableInput(
            "One article has nothing to be compared with. Name several, or compare it with the whole wiki "
            "of the snapshot: --set background=snapshot."
        )
    own = {article.document.title: article.concept for article in articles}
    mentioned = _mentioned(snapshot, articles, settings, steps)
    lexicons = _lexicons(snapshot, mentioned, settings)
    train = training_articles(list(own), settings.train_share, seed)
    drawn = {
        title: draw_pairs(lexicon.concepts.tolist(), own[title], settings, generator(seed, PROTOCOL, title))
        for title, lexicon in lexicons.items()
    }
    if not any(drawn.values()):
        raise TooFewTerms(
            "No article has two over-represented concepts. Take longer articles, or more different ones."
        )
    return Selection(
        PROTOCOL,
        settings,
        seed,
        {PAIRS: _pairs(snapshot, drawn, train), "lexicons": _listed(snapshot, lexicons)},
        {"snapshot": snapshot.id, "texts": dict(source)},
        {
            "articles": len(articles),
            "train_articles": len(train),
            "pairs_wanted": settings.draws * len(articles),
            "lexicon_sizes": {title: len(lexicon.concepts) for title, lexicon in lexicons.items()},
        },
    )


def draw_pairs(
    lexicon: Sequence[int], article: int, settings: WordSettings, random: np.random.Generator
) -> list[Pair]:
    """Pairs from a lexicon that has not the article's concept, no two of the same concepts.

    Concepts are drawn with replacement, and a pair that is there or of one concept alone is rejected, until
    there are as many as wanted or as can be: of n concepts, at most n with the article and n(n − 1)/2 among
    themselves. Without replacement the first sides are all different, and a lexicon of n gives at most n
    pairs.
    """
    of_article = min(settings.article_pairs, len(lexicon))
    among = settings.draws - settings.article_pairs
    if not settings.replacement:
        return _without_replacement(lexicon, article, of_article, among, random)
    taken: set[frozenset[int]] = set()

    def drawn() -> int:
        return lexicon[int(random.integers(len(lexicon)))]

    def new_pair(other: Callable[[], int]) -> tuple[int, int]:
        while True:
            pair = drawn(), other()
            concepts = frozenset(pair)
            if len(concepts) == 2 and concepts not in taken:
                taken.add(concepts)
                return pair

    pairs = [(*new_pair(lambda: article), "article") for _ in range(of_article)]
    possible = len(lexicon) * (len(lexicon) - 1) // 2
    return pairs + [(*new_pair(drawn), "lexicon") for _ in range(min(among, possible))]


def _without_replacement(
    lexicon: Sequence[int], article: int, of_article: int, among: int, random: np.random.Generator
) -> list[Pair]:
    firsts = [lexicon[place] for place in random.permutation(len(lexicon))]
    pairs: list[Pair] = [(first, article, "article") for first in firsts[:of_article]]
    taken: set[frozenset[int]] = set()
    for first in firsts[of_article : of_article + among]:
        others = [one for one in lexicon if one != first and frozenset((first, one)) not in taken]
        if others:
            other = others[int(random.integers(len(others)))]
            taken.add(frozenset((first, other)))
            pairs.append((first, other, "lexicon"))
    return pairs


def training_articles(titles: Sequence[str], share: float, seed: int) -> set[str]:
    """The articles of the train split, a share of all, drawn at random."""
    order = generator(seed, PROTOCOL, "split").permutation(len(titles))
    ordered = sorted(titles)
    return {ordered[place] for place in order[: round(share * len(titles))]}


def lexicon_of(
    seen: Counter[int], units: int, counts: Callable[[int], int], population: int, settings: WordSettings
) -> ConceptLexicon:
    """The lexicon of an article.

    ``seen``: in how many of its ``units`` each concept is; ``counts``: in how many of the ``population``.
    """
    concepts = np.array(
        sorted(one for one, times in seen.items() if times >= settings.minimum_units), np.int64
    )
    times = np.array([seen[concept] for concept in concepts.tolist()], np.int64)
    marked = np.maximum([counts(concept) for concept in concepts.tolist()], times)
    log_p = log_p_value(population, marked, units, times)
    order = np.lexsort((concepts, log_p))
    kept = order[over_represented(log_p[order], len(concepts), settings.level)]
    return ConceptLexicon(concepts[kept], log_p[kept], len(concepts))


def _mentioned(
    snapshot: Snapshot, articles: Sequence[SourceArticle], settings: WordSettings, steps: Steps
) -> dict[str, list[set[int]]]:
    """The concepts in each unit of each article, but its own."""
    annotator = Annotator.of_snapshot(snapshot)
    unit: Unit = "paragraph" if settings.background == "snapshot" else settings.unit
    steps.begin("Annotating the articles", "articles")
    mentioned = {}
    for article in counting(articles, steps.advance_to):
        units = concepts_of_units(annotator, article.document, unit, article.concept)
        known = range(snapshot.concepts)
        mentioned[article.document.title] = [
            {one for one in each if one in known and one != article.concept} for each in units
        ]
    return mentioned


def _lexicons(
    snapshot: Snapshot,
    mentioned: Mapping[str, list[set[int]]],
    settings: WordSettings,
) -> dict[str, ConceptLexicon]:
    each = {title: Counter(one for unit in units for one in unit) for title, units in mentioned.items()}
    whole = sum(each.values(), Counter[int]())
    population = sum(len(units) for units in mentioned.values())

    def in_all(concept: int) -> int:
        return whole[concept]

    counts: Callable[[int], int] = in_all
    if settings.background == "snapshot":
        population = max(population, snapshot.manifest.counts["paragraphs"])
        paragraphs = snapshot.array("concept_counts")

        def in_snapshot(concept: int) -> int:
            return int(paragraphs[concept])

        counts = in_snapshot
    return {
        title: lexicon_of(seen, len(mentioned[title]), counts, population, settings)
        for title, seen in each.items()
    }


def _pairs(snapshot: Snapshot, drawn: Mapping[str, list[Pair]], train: set[str]) -> SelectionTable:
    columns = ("pair", "topic", "left", "right", "step", "split")
    rows: list[tuple[object, ...]] = []
    for title, pairs in drawn.items():
        split = "train" if title in train else "test"
        for left, right, step in pairs:
            titles = snapshot.concept_titles[left], snapshot.concept_titles[right]
            addresses = [_address(snapshot, one) for one in titles]
            ids = snapshot.page_ids[left], snapshot.page_ids[right]
            rows.append((len(rows) + 1, title, *titles, step, split, *addresses, *ids))
    return SelectionTable((*columns, "left_uri", "right_uri", "left_page_id", "right_page_id"), rows)


def _listed(snapshot: Snapshot, lexicons: Mapping[str, ConceptLexicon]) -> SelectionTable:
    rows = [
        (title, snapshot.concept_titles[concept], float(f"{log_p:.6g}"), lexicon.tests)
        for title, lexicon in lexicons.items()
        for concept, log_p in zip(lexicon.concepts.tolist(), lexicon.log_p.tolist(), strict=True)
    ]
    return SelectionTable(("topic", "concept", "log_p", "tests"), rows)


def _address(snapshot: Snapshot, title: str) -> str:
    """The address of an article, which people are shown beside its title."""
    code = snapshot.manifest.wiki.removesuffix("wiki").replace("_", "-")
    return f"https://{code}.wikipedia.org/wiki/{quote(title.replace(' ', '_'), safe='/:(),!')}"
