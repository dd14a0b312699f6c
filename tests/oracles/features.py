"""The features, slowly and obviously, on sets and dicts, sharing nothing with the code under test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt
from typing import Any

from tests.wikis.small_wiki import SmallWiki


def oracle(wiki: SmallWiki, a: int, b: int) -> dict[str, float]:
    """The features of the concepts ``a`` and ``b``, by name."""
    in_a, in_b, out_a, out_b = wiki.into(a), wiki.into(b), wiki.out(a), wiki.out(b)
    n = wiki.universe
    return {
        "PMI1": title_relatedness(wiki, a, b, lambda x, y: word_pmi(wiki, x, y)),
        "W2V": title_relatedness(wiki, a, b, lambda x, y: word_cosine(wiki, x, y)),
        "NPMI1_C": normalised(*frequencies(wiki.paragraphs, a, b)),
        "PMI1_C": pmi(*frequencies(wiki.paragraphs, a, b)),
        "PMI2_C": cosine(wiki.contexts[a], wiki.contexts[b]),
        "INLINK-PMI": normalised(len(in_a & in_b) / n, len(in_a) / n, len(in_b) / n),
        "MW": milne_witten(in_a, in_b, n),
        "COND-PROB": conditional_probability(in_a, in_b),
        "J-IN": jaccard(in_a, in_b),
        "J-OUT": jaccard(out_a, out_b),
        "J-IN-OUT": jaccard(in_a | out_a, in_b | out_b),
        "FRIEND": (friend(wiki, a, b) + friend(wiki, b, a)) / 2,
        "DIRECT-LINK": 1.0 if b in in_a and a in in_b else 0.0,
        "CATEGORY": 1.0 if wiki.categories[a] & wiki.categories[b] else 0.0,
        "TFIDF-CS": cosine(wiki.tfidf[a], wiki.tfidf[b]),
        "ESA": cosine(wiki.esa[a], wiki.esa[b]),
        "ENC-TITLE": encoded_cosine(wiki.title_vectors, a, wiki.title_vectors, b),
        "ENC-CROSS": (
            encoded_cosine(wiki.title_vectors, a, wiki.lead_vectors, b)
            + encoded_cosine(wiki.lead_vectors, a, wiki.title_vectors, b)
        )
        / 2,
        "ENC-LEAD": encoded_cosine(wiki.lead_vectors, a, wiki.lead_vectors, b),
    }


def title_relatedness(wiki: SmallWiki, a: int, b: int, r: Callable[[str, str], float]) -> float:
    def one_way(title: frozenset[str], other: frozenset[str]) -> float:
        return sum(max(r(x, y) for y in other) for x in title) / len(title)

    title, other = wiki.title_words[a], wiki.title_words[b]
    if not title or not other:
        return 0.0
    return (one_way(title, other) + one_way(other, title)) / 2


def word_pmi(wiki: SmallWiki, x: str, y: str) -> float:
    if x not in wiki.words or y not in wiki.words:
        return 0.0
    return pmi(*frequencies(wiki.sentences, x, y))


def word_cosine(wiki: SmallWiki, x: str, y: str) -> float:
    if x not in wiki.vectors or y not in wiki.vectors:
        return 0.0
    return cosine(dict(enumerate(wiki.vectors[x])), dict(enumerate(wiki.vectors[y])))


def frequencies(units: Sequence[frozenset[Any]], a: Any, b: Any) -> tuple[float, float, float]:
    """p(a,b), p(a), p(b)."""
    if not units:
        return 0.0, 0.0, 0.0
    both = sum(a in unit and b in unit for unit in units)
    return (
        both / len(units),
        sum(a in unit for unit in units) / len(units),
        sum(b in unit for unit in units) / len(units),
    )


def pmi(p_both: float, p_a: float, p_b: float) -> float:
    return max(0.0, log(p_both / (p_a * p_b))) if p_both > 0 else 0.0


def normalised(p_both: float, p_a: float, p_b: float) -> float:
    if p_both in (0, 1):
        return 0.0
    return pmi(p_both, p_a, p_b) / -log(p_both)


def milne_witten(a: set[int], b: set[int], n: int) -> float:
    if not a & b:
        return 0.0
    if a == b:
        return 1.0
    distance = (log(max(len(a), len(b))) - log(len(a & b))) / (log(n) - log(min(len(a), len(b))))
    return min(1.0, max(0.0, 1 - distance))


def conditional_probability(a: set[int], b: set[int]) -> float:
    if not a & b:
        return 0.0
    return (len(a & b) / len(b) + len(a & b) / len(a)) / 2


def jaccard(a: set[int], b: set[int]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


def friend(wiki: SmallWiki, a: int, b: int) -> float:
    if b in wiki.out(a):
        return 1.0
    return len(wiki.out(a) & wiki.into(b)) / len(wiki.out(a)) if wiki.out(a) else 0.0


def encoded_cosine(
    vectors: Sequence[Sequence[int]], a: int, others: Sequence[Sequence[int]], b: int
) -> float:
    """The cosine of a concept's vector and another's; 0 where one has none."""
    u, v = (dict(enumerate(of[concept])) if of else {} for of, concept in ((vectors, a), (others, b)))
    return cosine(u, v)


def cosine(u: Mapping[Any, float], v: Mapping[Any, float]) -> float:
    if not u or not v:
        return 0.0
    dot = sum(u[key] * v[key] for key in u if key in v)
    return dot / sqrt(sum(x * x for x in u.values())) / sqrt(sum(x * x for x in v.values()))
