"""Pairs with a bigram as BiRD's: Asaadi et al. 2019, sections 3.1 and 3.2.

1. AB are the bigrams of a corpus whose transpose BA is one too (``bigrams``); BA is the first X of AB.
2. Others X are words of WordNet in a relation to AB: at most five synonyms, and one hypernym, hyponym,
   holonym and meronym each.
3. Others are co-aligned with AB in a phrase table (``phrase_table``).
4. An AB that has fewer than three pairs is left out, and what nobody would understand.
5. The pairs are put into tuples, of which people choose the best and the worst pair (``tuples``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from datasets.selection.bird.bigrams import BigramCounts, TransposedBigram
from datasets.selection.bird.phrase_table import Side, co_aligned
from datasets.selection.bird.tuples import best_worst_tuples
from datasets.selection.errors import TooFewTerms
from datasets.selection.lexicons import RELATIONS, Relation, SenseLexicon
from datasets.selection.selection import PAIRS, Selection, SelectionTable, generator
from datasets.selection.tagging import Tagger
from datasets.selection.texts import Document
from training.progress import Steps, counting

PROTOCOL = "bird"

TRANSPOSE, CO_ALIGNED = "transpose", "co-aligned"
"""Where an X comes from, beside the relations of WordNet."""


class BirdSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of the protocol.

    Printed: ``threshold``, which both frequencies must be above; ``synonyms`` and ``of_other_relations``, the
    most words of WordNet; ``co_aligned``, the most 1-grams and as many 2-grams of each foreign phrase;
    ``minimum_pairs`` of an AB; ``tuple_size`` and ``tuples_per_pair``. Not printed: ``english``, the side of
    the phrase table that is of the language of the texts, and from which senses WordNet's words are: here
    all, the commonest first.
    """

    threshold: int = 30
    synonyms: int = 5
    of_other_relations: int = 1
    co_aligned: int = 5
    minimum_pairs: int = 3
    tuple_size: int = 4
    tuples_per_pair: int = 2
    english: Side = "source"


Pair = tuple[str, str, str, str]
"""AB, X, where X comes from, and the pattern of AB."""


def select(
    documents: Iterable[Document],
    tagger: Tagger,
    lexicon: SenseLexicon,
    phrase_table: Path | None,
    left_out: Collection[str],
    settings: BirdSettings,
    seed: int,
    steps: Steps,
    source: Mapping[str, object],
) -> Selection:
    """Pairs and tuples from a corpus.

    ``left_out``: terms that nobody would understand; ``source``: what the provenance says of the texts.

    Raises:
        TooFewTerms: the corpus has too few bigrams that can be transposed.
    """
    counts = BigramCounts()
    for document in documents:
        for sentence in document.sentences():
            counts.add(tagger.tag(sentence))
    targets = counts.targets(settings.threshold)
    aligned: Mapping[tuple[str, str], list[str]] = {}
    if phrase_table is not None:
        steps.begin("Reading the phrase table")
        bigrams = {target.bigram for target in targets}
        aligned = co_aligned(phrase_table, bigrams, settings.co_aligned, settings.english)
    steps.begin("Pairing the bigrams", "bigrams")
    candidates = [
        pairs_of(target, lexicon, aligned.get(target.bigram, []), left_out, settings)
        for target in counting(targets, steps.advance_to)
    ]
    pairs = kept_pairs(candidates, settings.minimum_pairs)
    if not pairs:
        raise TooFewTerms(
            f"Of {len(targets)} bigrams whose transpose is one too, none has {settings.minimum_pairs} pairs. "
            "Take a larger corpus, a lower threshold (--set threshold=5), or add a phrase table."
        )
    random = generator(seed, PROTOCOL, "tuples")
    tuples = best_worst_tuples(len(pairs), random, settings.tuple_size, settings.tuples_per_pair)
    return Selection(
        PROTOCOL,
        settings,
        seed,
        {
            PAIRS: SelectionTable(
                ("pair", "left", "right", "step", "pattern"),
                [(number, *pair) for number, pair in enumerate(pairs, start=1)],
            ),
            "tuples": tuples_table((tuples + 1).tolist()),
        },
        {
            "texts": dict(source),
            "phrase_table": None if phrase_table is None else phrase_table.name,
            **tagger.described(),
            **lexicon.described(),
        },
        {
            "targets": len(targets),
            "bigrams": len({pair[0] for pair in pairs}),
            "pairs_of_each_step": dict(sorted(Counter(pair[2] for pair in pairs).items())),
            "tuples": len(tuples),
        },
    )


def tuples_table(tuples: Sequence[Sequence[object]]) -> SelectionTable:
    """Tuples as a table of the numbers of their pairs."""
    size = len(tuples[0])
    rows = [(number, *one) for number, one in enumerate(tuples, start=1)]
    return SelectionTable(("tuple", *(f"pair{place}" for place in range(1, size + 1))), rows)


def pairs_of(
    target: TransposedBigram,
    lexicon: SenseLexicon,
    aligned: Sequence[str],
    left_out: Collection[str],
    settings: BirdSettings,
) -> list[Pair]:
    """The pairs of an AB, each X once, of one word or two: its transpose, WordNet's, the co-aligned."""
    name = " ".join(target.bigram)
    candidates = [(" ".join(target.bigram[::-1]), TRANSPOSE)]
    for relation in RELATIONS:
        most = settings.synonyms if relation == "synonym" else settings.of_other_relations
        candidates += [(term, relation) for term in _related(lexicon, name, relation)[:most]]
    candidates += [(term, CO_ALIGNED) for term in aligned]
    terms: dict[str, str] = {}
    for term, origin in candidates:
        if term != name and term not in left_out:
            terms.setdefault(term, origin)
    return [(name, term, origin, target.pattern) for term, origin in terms.items()]


def kept_pairs(candidates: Iterable[list[Pair]], minimum: int) -> list[Pair]:
    """The pairs of each AB that has enough; what two AB have in common is the first one's alone."""
    taken: set[frozenset[str]] = set()
    kept: list[Pair] = []
    for pairs in candidates:
        new = [pair for pair in pairs if frozenset(pair[:2]) not in taken]
        if len(new) >= minimum:
            kept += new
            taken |= {frozenset(pair[:2]) for pair in new}
    return kept


def _related(lexicon: SenseLexicon, name: str, relation: Relation) -> list[str]:
    """Words of one or two words in a relation to any sense of a noun, the commonest senses first."""
    words = (word.lower() for sense in lexicon.senses(name, "n") for word in lexicon.related(sense, relation))
    return [word for word in dict.fromkeys(words) if word != name and len(word.split()) <= 2]
