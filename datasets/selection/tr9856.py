"""Pairs of terms as TR9856's: Levy et al. 2015, section 3; release notes, sections 2.2 to 2.4.

For each topic, with m1 terms in its definition (S_def) and three lexicons of n-grams, n = 1, 2, 3:

1. S_top,n are the m2 n-grams that are most over-represented; S_misc,n are m2 others, drawn at random.
2. Each term of S_def is paired with each of S_top,n: m1·m2 pairs for each n.
3. Each term of S_def is paired with each of S_misc,n: as many.
4. 6·m1·m2 pairs are drawn at random of one term of S_top and one of S_misc.

These are 12·m1·m2 pairs. The paper draws the last ones across n, S_top,n × S_misc,m; the release notes within
each n. The data have the same n in 34 % of these pairs, as a draw across n gives: it is the default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from datasets.selection.errors import TooFewTerms
from datasets.selection.ngrams import Gram, NgramLexicon, Sentences, ngram_lexicon
from datasets.selection.selection import PAIRS, Selection, SelectionTable, generator
from datasets.selection.texts import Document
from datasets.selection.topics import Topic
from snapshots.text import words
from training.progress import Steps, counting

PROTOCOL = "tr9856"

LENGTHS = (3, 2, 1)
"""Of n-grams, in the order in which their lexicons are made."""

TOP, MISCELLANEOUS, RANDOM = "definition-top", "definition-miscellaneous", "random"
"""The step that made a pair."""


class Tr9856Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of the protocol.

    Printed: ``level``, ``minimum_occurrences`` and ``terms_of_a_kind`` (m2). ``random_step`` is printed in
    two ways: across n in the paper, within each n in the release notes. Not printed: ``ignored_in_unigrams``,
    whether an occurrence of a 1-gram within a selected longer one is ignored, as one of a 2-gram is; and
    ``definition_terms``, whether a term of the definition may be one of a lexicon too, as in the data, which
    have 43 pairs of a term with itself for that.
    """

    level: float = 0.05
    minimum_occurrences: int = 3
    terms_of_a_kind: int = 10
    random_step: Literal["across", "within"] = "across"
    ignored_in_unigrams: bool = True
    definition_terms: Literal["kept", "left out"] = "kept"


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a topic that pairs are made of; of ``top`` and ``miscellaneous``, by n."""

    definition: tuple[str, ...]
    top: Mapping[int, tuple[str, ...]]
    miscellaneous: Mapping[int, tuple[str, ...]]


Pair = tuple[str, str, str]
"""Two terms and the step that paired them."""


def select(
    topics: Sequence[Topic],
    documents: Mapping[str, Document],
    stop_words: AbstractSet[str],
    settings: Tr9856Settings,
    seed: int,
    steps: Steps,
    source: Mapping[str, object],
) -> Selection:
    """Pairs of terms for some topics, whose articles are among ``documents``.

    ``source``: what the provenance says of the texts.

    Raises:
        TooFewTerms: no topic has over-represented terms.
    """
    sentences = Sentences(documents)
    steps.begin("Finding the terms of the topics", "topics")
    rows: list[tuple[object, ...]] = []
    listed: list[tuple[object, ...]] = []
    sizes = {}
    for topic in counting(topics, steps.advance_to):
        lexicons = topic_lexicons(sentences, topic, stop_words, settings)
        random = generator(seed, PROTOCOL, topic.definition)
        for left, right, step in pairs_of(terms_of(topic, lexicons, settings, random), settings, random):
            rows.append((len(rows) + 1, topic.definition, left, right, step))
        for length, lexicon in lexicons.items():
            listed += _listed(topic, length, lexicon)
        sizes[topic.definition] = {str(length): len(one.terms) for length, one in lexicons.items()}
    if not rows:
        raise TooFewTerms(
            "No topic has over-represented terms. Name more articles for each, and topics that differ."
        )
    return Selection(
        PROTOCOL,
        settings,
        seed,
        {
            PAIRS: SelectionTable(("pair", "context", "left", "right", "step"), rows),
            "lexicons": SelectionTable(("context", "n", "term", "log_p", "tests"), listed),
        },
        {"texts": dict(source), "stop_words": len(stop_words)},
        {
            "topics": len(topics),
            "sentences": len(sentences),
            "pairs_wanted": sum(12 * len(topic.terms) * settings.terms_of_a_kind for topic in topics),
            "lexicon_sizes": sizes,
        },
    )


def topic_lexicons(
    sentences: Sentences, topic: Topic, stop_words: AbstractSet[str], settings: Tr9856Settings
) -> dict[int, NgramLexicon]:
    """The lexicons of a topic, by n."""
    own = sentences.of(topic.articles)
    lexicons: dict[int, NgramLexicon] = {}
    for length in LENGTHS:
        longer: set[Gram] = set()
        if length > 1 or settings.ignored_in_unigrams:
            longer = {gram for lexicon in lexicons.values() for gram in lexicon.terms}
        minimum, level = settings.minimum_occurrences, settings.level
        lexicons[length] = ngram_lexicon(sentences, own, length, longer, stop_words, minimum, level)
    return lexicons


def terms_of(
    topic: Topic,
    lexicons: Mapping[int, NgramLexicon],
    settings: Tr9856Settings,
    random: np.random.Generator,
) -> Terms:
    """The terms of a topic: its own, the top of each lexicon, and as many of the rest drawn at random."""
    definition = tuple(dict.fromkeys(term.lower() for term in topic.terms))
    ignored = {tuple(words(term)) for term in topic.leave_out}
    if settings.definition_terms == "left out":
        ignored |= {tuple(words(term)) for term in definition}
    top: dict[int, tuple[str, ...]] = {}
    miscellaneous: dict[int, tuple[str, ...]] = {}
    for length in sorted(lexicons):
        usable = [" ".join(gram) for gram in lexicons[length].terms if gram not in ignored]
        most, rest = usable[: settings.terms_of_a_kind], usable[settings.terms_of_a_kind :]
        drawn = random.permutation(len(rest))[: settings.terms_of_a_kind]
        top[length], miscellaneous[length] = tuple(most), tuple(rest[place] for place in drawn)
    return Terms(definition, top, miscellaneous)


def pairs_of(terms: Terms, settings: Tr9856Settings, random: np.random.Generator) -> list[Pair]:
    """The pairs of a topic's terms: 12·m1·m2, or as many as small lexicons give."""
    pairs = []
    for step, sets in ((TOP, terms.top), (MISCELLANEOUS, terms.miscellaneous)):
        for of_length in sets.values():
            pairs += [(term, own, step) for own in terms.definition for term in of_length]
    for_each = 2 * len(terms.definition) * settings.terms_of_a_kind
    if settings.random_step == "within":
        for length in terms.top:
            pairs += _random(terms.top[length], terms.miscellaneous[length], for_each, random)
        return pairs
    all_top = [term for of_length in terms.top.values() for term in of_length]
    all_miscellaneous = [term for of_length in terms.miscellaneous.values() for term in of_length]
    return pairs + _random(all_top, all_miscellaneous, len(LENGTHS) * for_each, random)


def _random(
    top: Sequence[str], miscellaneous: Sequence[str], wanted: int, random: np.random.Generator
) -> list[Pair]:
    """Different pairs drawn at random, as many as wanted or as there are."""
    places = random.permutation(len(top) * len(miscellaneous))[:wanted].tolist()
    size = len(miscellaneous)
    return [(top[place // size], miscellaneous[place % size], RANDOM) for place in places]


def _listed(topic: Topic, length: int, lexicon: NgramLexicon) -> list[tuple[object, ...]]:
    return [
        (topic.definition, length, " ".join(gram), float(f"{log_p:.6g}"), lexicon.tests)
        for gram, log_p in zip(lexicon.terms, lexicon.log_p.tolist(), strict=True)
    ]
