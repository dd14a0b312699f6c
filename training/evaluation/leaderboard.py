"""The leaderboard: benchmarks in rows, and in each the models, the best single feature and the baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import msgspec
import numpy as np

from measures.arrays import Bools, Floats, Ints
from training.evaluation.columns import Gold, Sampling, pooled
from training.evaluation.judges import JudgePredictions, spread
from training.evaluation.report import Figure, LeaderboardEntry, LeaderboardFigures
from training.statistics.correlation import pearson, spearman

CONCEPTS, TERMS, BEST, MILNE_WITTEN = "concept model", "term model", "best feature", "Milne-Witten"
"""The roles in a row, besides those of ``baselines``: the models, the best single feature, MW. Further models
of concepts, and features where all are shown, have roles of their own (``other_model``, ``of_feature``)."""

FEATURE = "feature"


class Contender(NamedTuple):
    """A column that stands for something in a row: its role, its name, and its values, float64[n]."""

    role: str
    name: str
    values: Floats


class Criterion(NamedTuple):
    """How columns are judged: what chooses the best feature, and the figures, Pearson None if there is none.

    ``choice`` chooses it for the figure of Spearman, ``by_pearson`` for that of Pearson. All take values,
    float64[n], and the gold; ``figures`` also what is drawn, as from ``Sampling.draws``.
    """

    choice: Callable[[Floats, Gold], float]
    figures: Callable[[Floats, Gold, Ints], tuple[Figure | None, Figure]]
    by_pearson: Callable[[Floats, Gold], float] | None = None


def _pooled(values: Floats, gold: Gold, drawn: Ints) -> tuple[Figure, Figure]:
    return pooled("pearson", values, gold, drawn), pooled("spearman", values, gold, drawn)


OF_PAIRS = Criterion(
    lambda values, gold: spearman(values, gold.scores),
    _pooled,
    lambda values, gold: pearson(values, gold.scores),
)
"""Pearson and Spearman over all pairs at once."""


def contenders(predictions: JudgePredictions, names: tuple[str, str | None]) -> list[Contender]:
    """The models, Milne-Witten alone and the baselines, each over all pairs."""
    concepts, terms = names
    entered = []
    if predictions.term_model is not None and terms is not None:
        entered.append(Contender(TERMS, terms, predictions.term_model))
    if predictions.benchmark.kind != "documents":
        beside = (
            Contender(other_model(name), name, spread(values, predictions.covered))
            for name, values in predictions.others.items()
        )
        entered[:0] = Contender(CONCEPTS, concepts, predictions.model), *beside
        entered.append(Contender(MILNE_WITTEN, "MW", predictions.features["MW"]))
    return entered + [Contender(name, name, values) for name, values in predictions.baselines.items()]


def other_model(name: str) -> str:
    """The role of a further model of concepts."""
    return f"{CONCEPTS} {name}"


def of_feature(name: str) -> str:
    """The role of a single feature that is shown whether or not it is the best."""
    return f"{FEATURE} {name}"


def is_model(role: str) -> bool:
    """Whether a role is that of a model.

    >>> is_model(TERMS), is_model(other_model("ours")), is_model(BEST)
    (True, True, False)
    """
    return role in {CONCEPTS, TERMS} or role.startswith(other_model(""))


def single_features(predictions: JudgePredictions) -> dict[str, Floats]:
    """Every feature of concepts and of terms by name, over all pairs; a name that both have says which."""
    concepts = {} if predictions.benchmark.kind == "documents" else predictions.features
    return concepts | {
        f"{name} of terms" if name in concepts else name: values for name, values in predictions.terms.items()
    }


def standing(
    entered: Iterable[Contender],
    features: Mapping[str, Floats],
    gold: Gold,
    chosen: Bools,
    sampling: Sampling,
    judge: Criterion = OF_PAIRS,
    each_feature: bool = False,
) -> LeaderboardFigures:
    """The contenders, and the best of the ``features``, on the ``chosen`` pairs, bool[n].

    ``each_feature``: and all of these, last.
    """
    own = gold.of(chosen)
    if not len(own.scores):
        return LeaderboardFigures(0, ())
    drawn = sampling.draws(own)
    entries = [
        LeaderboardEntry(role, name, *judge.figures(values[chosen], own, drawn))
        for role, name, values in entered
    ]
    judged = {name: values[chosen] for name, values in features.items()}
    best = best_feature(judged, own, judge.choice)
    if best is not None:
        models = sum(is_model(entry.role) for entry in entries)
        entry = LeaderboardEntry(BEST, best, *judge.figures(judged[best], own, drawn))
        other = None if judge.by_pearson is None else best_feature(judged, own, judge.by_pearson)
        if other not in {None, best}:
            figure, _ = judge.figures(judged[other], own, drawn)
            entry = msgspec.structs.replace(entry, pearson=figure, by_pearson=other)
        entries.insert(models, entry)
    alone = judged.items() if each_feature else ()
    entries += [
        LeaderboardEntry(of_feature(name), name, *judge.figures(values, own, drawn)) for name, values in alone
    ]
    return LeaderboardFigures(len(own.scores), tuple(entries))


def best_feature(
    features: Mapping[str, Floats], gold: Gold, choice: Callable[[Floats, Gold], float] = OF_PAIRS.choice
) -> str | None:
    """The name of the feature that is the highest by ``choice``; None where that is defined for none.

    It is chosen by the scores that it is then judged by, which flatters it beside a model that is not.
    """
    judged = {name: choice(values, gold) for name, values in features.items()}
    known = {name: value for name, value in judged.items() if not np.isnan(value)}
    return max(known, key=known.__getitem__) if known else None
