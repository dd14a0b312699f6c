"""BiRD's experiment: each composition on each kind of word vectors, judged by people's scores of bigrams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from measures.arrays import Bools, Floats, Ints
from papers.bird.bigrams import BigramPairs
from papers.bird.composition import COMPOSITIONS, Composition, composed_relatedness, weighted_addition
from papers.bird.vectors import WordVectors
from training.errors import TooFewPairs
from training.progress import Progress
from training.statistics.correlation import defined, or_lowest, pearson, pearson_spearman
from training.statistics.significance import Difference, compare

ALPHAS = tuple(round(0.1 * step, 1) for step in range(11))
"""The weights of the modifier in BiRD's Figure 2."""

ENTRIES = 1 << 22
"""Numbers in the vectors of one side that are composed at once: 32 MB."""

_EQUAL = 1e-9
"""Cosines that differ by less differ by rounding."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A composition on one kind of vectors: its correlations with the scores, None where undefined.

    ``transposed``: its Pearson correlation on the AB–BA pairs alone, None where it gives all the same value,
    and ``transposed_mean`` the mean of its values there.
    """

    vectors: str
    method: str
    pearson: float | None
    spearman: float | None
    transposed: float | None
    transposed_mean: float | None


@dataclass(frozen=True, slots=True)
class Sweep:
    """Weighted addition on one kind of vectors: Pearson's r for each weight α of the modifier."""

    vectors: str
    alphas: tuple[float, ...]
    pearson: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """One kind of word vectors: the length of a vector, and how many of the benchmark's words have one."""

    name: str
    dimensions: int
    words: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Another measure on the same pairs."""

    name: str
    pearson: float | None
    spearman: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionResults:
    """The experiment's figures, over the ``pairs`` (of ``read``) whose words have vectors of every kind.

    ``words``: the benchmark's different words. ``transposed``: the AB–BA pairs among them, whose scores have
    mean and standard deviation ``transposed_mean`` and ``transposed_deviation``. ``differences``: for each
    kind of vectors, addition against the best other method, and modifier only against head only.
    """

    read: int
    pairs: int
    words: int
    spaces: tuple[Space, ...]
    transposed: int
    transposed_mean: float | None
    transposed_deviation: float | None
    results: tuple[Composed, ...]
    sweeps: tuple[Sweep, ...]
    differences: tuple[tuple[str, Difference], ...]
    beside: tuple[Beside, ...]

    def of(self, vectors: str, method: str) -> Composed:
        """The result of a method on one kind of vectors."""
        return next(one for one in self.results if (one.vectors, one.method) == (vectors, method))


def covered_by_all(pairs: BigramPairs, spaces: Sequence[WordVectors]) -> BigramPairs:
    """The pairs all of whose words have a vector of every kind.

    Raises:
        TooFewPairs: fewer than two are left.
    """
    known = np.logical_and.reduce([space.known for space in spaces])
    held = pairs.among(known)
    if len(held.scores) < 2:
        raise TooFewPairs(
            f"{len(held.scores)} of {len(pairs.scores)} pairs have vectors for all their words, and a "
            "correlation takes two. Is it a snapshot of the benchmark's language, with word vectors and word "
            "pairs?"
        )
    return held


def predicted(
    pairs: BigramPairs, vectors: WordVectors, compose: Composition, entries: int = ENTRIES
) -> Floats:
    """The relatedness of each pair: the cosine of its terms' vectors, float64[n].

    A bigram's vector is composed, a single word's is its own. ``entries``: how many numbers of one side's
    vectors are composed at once.
    """
    step = max(1, entries // max(vectors.dimensions, 1))
    blocks = [
        composed_relatedness(
            _terms(vectors, pairs.left[rows], pairs.bigram_left[rows], compose),
            _terms(vectors, pairs.right[rows], pairs.bigram_right[rows], compose),
        )
        for rows in (slice(start, start + step) for start in range(0, len(pairs.scores), step))
    ]
    return np.concatenate([np.zeros(0), *blocks])


def evaluate(
    read: int,
    pairs: BigramPairs,
    spaces: Sequence[WordVectors],
    *,
    beside: Mapping[str, Floats] | None = None,
    progress: Progress | None = None,
) -> CompositionResults:
    """The figures over ``pairs``, as from ``covered_by_all``, of the ``read`` pairs of the benchmark.

    ``beside``: other measures of the pairs, float64[n] by name. ``progress`` counts compositions, the
    weights of the sweep among them.
    """
    results: list[Composed] = []
    sweeps: list[Sweep] = []
    differences: list[tuple[str, Difference]] = []
    total, done = len(spaces) * (len(COMPOSITIONS) + len(ALPHAS)), 0

    def values_of(space: WordVectors, compose: Composition) -> Floats:
        nonlocal done
        values = predicted(pairs, space, compose)
        done += 1
        if progress is not None:
            progress(done, total)
        return values

    for space in spaces:
        columns = {method: values_of(space, compose) for method, compose in COMPOSITIONS.items()}
        results += [_composed(space.name, method, values, pairs) for method, values in columns.items()]
        differences += [(space.name, difference) for difference in _differences(columns, pairs.scores)]
        swept = tuple(defined(pearson(values_of(space, _weighted(alpha)), pairs.scores)) for alpha in ALPHAS)
        sweeps.append(Sweep(space.name, ALPHAS, swept))
    swapped = pairs.scores[pairs.transposed]
    return CompositionResults(
        read=read,
        pairs=len(pairs.scores),
        words=len(pairs.words),
        spaces=tuple(Space(space.name, space.dimensions, int(space.known.sum())) for space in spaces),
        transposed=len(swapped),
        transposed_mean=float(swapped.mean()) if len(swapped) else None,
        transposed_deviation=float(swapped.std(ddof=1)) if len(swapped) > 1 else None,
        results=tuple(results),
        sweeps=tuple(sweeps),
        differences=tuple(differences),
        beside=tuple(
            Beside(name, *pearson_spearman(values, pairs.scores)) for name, values in (beside or {}).items()
        ),
    )


def _terms(vectors: WordVectors, places: Ints, bigram: Bools, compose: Composition) -> Floats:
    first, last = vectors.of(places[:, 0]), vectors.of(places[:, 1])
    terms: Floats = np.where(bigram[:, np.newaxis], compose(first, last), last)
    return terms


def _weighted(alpha: float) -> Composition:
    return lambda u, v: weighted_addition(u, v, alpha)


def _composed(vectors: str, method: str, values: Floats, pairs: BigramPairs) -> Composed:
    swapped, scores = values[pairs.transposed], pairs.scores[pairs.transposed]
    varies = len(swapped) > 1 and float(np.ptp(swapped)) > _EQUAL
    return Composed(
        vectors,
        method,
        *pearson_spearman(values, pairs.scores),
        defined(pearson(swapped, scores)) if varies else None,
        float(swapped.mean()) if len(swapped) else None,
    )


def _differences(columns: Mapping[str, Floats], scores: Floats) -> list[Difference]:
    """Addition against the best of the others, and the modifier against the head."""
    others = [method for method in columns if method != "addition"]
    second = max(others, key=lambda method: or_lowest(pearson(columns[method], scores)))
    return [
        compare(columns[one], columns[other], scores, "pearson", (one, other))
        for one, other in (("addition", second), ("modifier only", "head only"))
    ]
