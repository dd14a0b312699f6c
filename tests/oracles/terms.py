"""The features of terms on words, transliterated from their definitions: slow, with sets and dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from math import log, sqrt
from pathlib import Path

from features.terms.extract import TermExtractor
from snapshots.naming.aliases import AliasSense
from snapshots.naming.resolution import Resolution
from snapshots.snapshot import Snapshot
from tests.wikis.small_wiki import SmallWiki, write_snapshot

Vector = dict[int, float]


class NoNames:
    """A resolver to which every title is unknown: terms then have words and no senses."""

    def resolve(
        self, reference: str | int, *, suggest: bool = True, candidates: bool = True, aliases: bool = True
    ) -> Resolution:
        return Resolution("unknown", title=str(reference))

    def named(self, name: str) -> list[AliasSense]:
        return []


def worded_snapshot(wiki: SmallWiki, folder: Path) -> Snapshot:
    """The snapshot of ``wiki`` with the look-up of its words."""
    return write_snapshot(wiki, folder, worded=True)


def opened(snapshot: Snapshot) -> TermExtractor:
    """The extractor over a snapshot whose titles nobody asks for."""
    return TermExtractor.open(snapshot, NoNames())  # type: ignore[arg-type]


def of_words(wiki: SmallWiki, left: str, right: str) -> dict[str, float]:
    """The features of two terms that rest on their words. Terms are words between single spaces."""
    a, b = left.split(), right.split()
    pmi, npmi = _pmi(wiki), _npmi(wiki)
    return {
        "ESA": cosine(_sum(wiki, a, _postings), _sum(wiki, b, _postings)),
        "W2V": cosine(_sum(wiki, a, _word2vec), _sum(wiki, b, _word2vec)),
        "PMI": _mean(pmi, a, b),
        "TOKENS": float(len(a) + len(b)),
        "NPMI": _mean(npmi, a, b),
        "PMI-LIFT": _best_match_average(pmi, a, b),
        "NPMI-LIFT": _best_match_average(npmi, a, b),
        "W2V-LIFT": _best_match_average(_word_cosine(wiki, _word2vec), a, b),
        "W2V-MEAN": _mean(_word_cosine(wiki, _word2vec), a, b),
        "W2V-IDF": cosine(_sum(wiki, a, _word2vec, idf=True), _sum(wiki, b, _word2vec, idf=True)),
        "ESA-IDF": cosine(
            _sum(wiki, a, _postings, idf=True, unit=True), _sum(wiki, b, _postings, idf=True, unit=True)
        ),
        "PMI2-LIFT": _best_match_average(_word_cosine(wiki, _pmi_vector), a, b),
        "SHARED-WORDS": 2 * len({*a} & {*b}) / max(len({*a}) + len({*b}), 1),
        "RAREST": max((_idf(wiki, word) for word in [*a, *b]), default=0.0),
    }


def _with(wiki: SmallWiki, *words: str) -> int:
    return sum(all(word in sentence for word in words) for sentence in wiki.sentences)


def _known(wiki: SmallWiki, *words: str) -> bool:
    return all(word in wiki.words for word in words)


def _pmi(wiki: SmallWiki) -> Callable[[str, str], float]:
    def relatedness(x: str, y: str) -> float:
        both = _with(wiki, x, y)
        if not _known(wiki, x, y) or both == 0:
            return 0.0
        return max(0.0, log(both * len(wiki.sentences) / (_with(wiki, x) * _with(wiki, y))))

    return relatedness


def _npmi(wiki: SmallWiki) -> Callable[[str, str], float]:
    pmi = _pmi(wiki)

    def relatedness(x: str, y: str) -> float:
        value = pmi(x, y)
        return value / -log(_with(wiki, x, y) / len(wiki.sentences)) if value else 0.0

    return relatedness


def _idf(wiki: SmallWiki, word: str) -> float:
    seen = _with(wiki, word)
    return log(len(wiki.sentences) / seen) if _known(wiki, word) and seen else 0.0


def _postings(wiki: SmallWiki, word: str) -> Vector:
    """The unit-length tf-idf weights of a word by article."""
    found = {}
    for article, row in enumerate(wiki.tfidf):
        if word in row:
            found[article] = row[word] / sqrt(sum(weight**2 for weight in row.values()))
    return found


def _word2vec(wiki: SmallWiki, word: str) -> Vector:
    vector = wiki.vectors.get(word, ())
    length = sqrt(sum(x * x for x in vector)) or 1.0
    return {axis: x / length for axis, x in enumerate(vector)}


def _pmi_vector(wiki: SmallWiki, word: str) -> Vector:
    """The PMI of a word with every word with which it stands in three sentences; with itself too."""
    pmi = _pmi(wiki)
    found = {}
    for axis, other in enumerate(wiki.words):
        if _known(wiki, word) and _with(wiki, word, other) >= 3:
            found[axis] = pmi(word, other)
    return found


Vectors = Callable[[SmallWiki, str], Vector]


def _sum(
    wiki: SmallWiki, words: list[str], vectors: Vectors, idf: bool = False, unit: bool = False
) -> Vector:
    total: Vector = {}
    for word, count in Counter(words).items():
        vector = vectors(wiki, word) if _known(wiki, word) else {}
        length = sqrt(sum(x * x for x in vector.values())) or 1.0
        weight = count * (_idf(wiki, word) if idf else 1.0) / (length if unit else 1.0)
        for axis, x in vector.items():
            total[axis] = total.get(axis, 0.0) + weight * x
    return total


def cosine(a: Vector, b: Vector) -> float:
    lengths = sqrt(sum(x * x for x in a.values())) * sqrt(sum(x * x for x in b.values()))
    return sum(x * b.get(axis, 0.0) for axis, x in a.items()) / lengths if lengths else 0.0


def _word_cosine(wiki: SmallWiki, vectors: Vectors) -> Callable[[str, str], float]:
    return lambda x, y: cosine(vectors(wiki, x), vectors(wiki, y)) if _known(wiki, x, y) else 0.0


def _mean(relatedness: Callable[[str, str], float], a: list[str], b: list[str]) -> float:
    pairs = list(product({*a}, {*b}))
    return sum(relatedness(x, y) for x, y in pairs) / len(pairs) if pairs else 0.0


def _best_match_average(relatedness: Callable[[str, str], float], a: list[str], b: list[str]) -> float:
    def one_way(some: set[str], others: set[str]) -> float:
        return sum(max(relatedness(x, y) for y in others) for x in some) / len(some)

    return (one_way({*a}, {*b}) + one_way({*b}, {*a})) / 2 if a and b else 0.0
