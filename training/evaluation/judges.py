"""The judges of a benchmark, and what each says of every pair: computed once, whatever is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from encoders.card import CARD, Card, read_card
from encoders.shipped import shipped_encoder
from features.catalogue import FEATURES
from features.extract import extract
from features.terms.encoded import EncodesTexts
from measures.arrays import Bools, Floats
from models.protocol import RelatednessModel
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark, Split
from training.coverage import Coverage, CoveredPairs, Resolves, cover, topics_of
from training.evaluation.baselines import ENCODER, RANDOM, random_baseline, title_cosine
from training.evaluation.columns import SEED, Gold
from training.evaluation.evaluate import model_predictions
from training.evaluation.seen import has_seen, was_tuned_on
from training.evaluation.term_judge import TermJudge
from training.left_out import OF_CONCEPTS, OF_TERMS
from training.progress import Progress

TextPairs = Sequence[tuple[str, str]]

ABSENT = 0.0
"""What every measure says of a pair that it does not cover: the value of absent evidence, which is that of
the features. It is a constant, so nothing of people's scores reaches it."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A measure that needs no snapshot: its name, and what it says of pairs of texts, float64[n].

    ``encoder``: the digest of the encoder that it is, where that is one of wort's.
    """

    name: str
    score: Callable[[TextPairs], Floats]
    encoder: str = ""


@dataclass(frozen=True, slots=True)
class Judges:
    """All that is judged on a benchmark: a model of concepts on its snapshot, and what stands beside it.

    ``terms``: judges benchmarks of terms and of documents, those of concepts too where ``terms_of_concepts``.
    ``encoders``: the names of the sentence encoders among the ``baselines``. ``others``: further models of
    concepts, each under a name of its own. ``each_feature``: whether a row has every single feature, not the
    best alone. ``cards``: of the encoders of which it is known what they were tuned on.
    """

    snapshot: Snapshot
    resolver: Resolves
    model: RelatednessModel
    terms: TermJudge | None = None
    terms_of_concepts: bool = False
    baselines: tuple[Baseline, ...] = ()
    encoders: tuple[str, ...] = ()
    others: tuple[RelatednessModel, ...] = ()
    each_feature: bool = False
    cards: tuple[Card, ...] = ()

    @classmethod
    def open(
        cls,
        snapshot: Snapshot,
        model: RelatednessModel,
        term_model: RelatednessModel | None = None,
        *,
        resolver: Resolver | None = None,
        terms_of_concepts: bool = False,
        encoders: Sequence[Path] = (),
        others: Sequence[RelatednessModel] = (),
        each_feature: bool = False,
        of_texts: EncodesTexts | None = None,
    ) -> Judges:
        """The models over a snapshot, and the baselines: chance, and the ``encoders``.

        ``resolver``: that of the snapshot, opened if left out; ``encoders``: folders of sentence encoders,
        wort's or sentence-transformers models; ``of_texts``: compares terms as texts, where the
        ``term_model`` does.

        Raises:
            ValueError: two models of concepts, or two encoders, have one name.
            MissingEncoder: the ``term_model`` compares texts, and nothing is given that does.
        """
        resolver = Resolver.open(snapshot) if resolver is None else resolver
        named = [folder.name for folder in encoders]
        _all_different("models of concepts", [each.name for each in (model, *others)])
        _all_different("encoders", named)
        baselines = [Baseline(RANDOM, lambda texts: random_baseline(len(texts), SEED))]
        cards = {folder: read_card(folder) for folder in encoders if (folder / CARD).is_file()}
        for folder in encoders:
            role = ENCODER if len(encoders) == 1 else f"{ENCODER} {folder.name}"
            digest = cards[folder].digest if folder in cards else ""
            baselines.append(Baseline(role, partial(_cosines, folder), digest))
        if (own := shipped_encoder()) is not None:
            cards[own] = read_card(own)
        return cls(
            snapshot,
            resolver,
            model,
            None if term_model is None else TermJudge.open(snapshot, resolver, term_model, of_texts),
            terms_of_concepts,
            tuple(baselines),
            tuple(named),
            tuple(others),
            each_feature,
            tuple({card.digest: card for card in cards.values()}.values()),
        )

    @property
    def models(self) -> tuple[RelatednessModel, ...]:
        """The models that are judged: of concepts, and of terms where there is one."""
        of_terms = None if self.terms is None else self.terms.model
        return (self.model, *self.others, *(() if of_terms is None else (of_terms,)))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know of the encoder that the model of terms compares texts by, in sentences."""
        warning = None if self.terms is None else self.terms.warning
        return () if warning is None else (warning,)

    @property
    def names(self) -> tuple[str, str | None]:
        """The names of the model of concepts and of that of terms, None where there is none."""
        of_terms = None if self.terms is None else self.terms.model
        return self.model.name, None if of_terms is None else of_terms.name

    def trained_on(self, predictions: JudgePredictions) -> list[RelatednessModel]:
        """The models that have seen pairs of a benchmark when they were trained."""
        return [model for model in self.models if has_seen(model, predictions.benchmark, predictions.split)]

    def tuned_on(self, predictions: JudgePredictions) -> list[Card]:
        """The encoders that have seen pairs of a benchmark when they were tuned."""
        return [card for card in self.cards if was_tuned_on(card, predictions.benchmark, predictions.split)]

    def seen(self, predictions: JudgePredictions) -> tuple[str, ...]:
        """The names of the measures that saw pairs of a benchmark, themselves or by an encoder that did.

        Models, encoders, and the features that are an encoder's cosines.
        """
        digests = {card.digest for card in self.tuned_on(predictions)}
        of_concepts = OF_CONCEPTS if self._encoder_of_concepts in digests else ()
        of_terms = OF_TERMS if self.terms is not None and self.terms.encoder in digests else ()
        learnt = {model.name for model in self.trained_on(predictions)}
        read = {model.name for model in self.models if {*of_concepts, *of_terms}.intersection(model.reads)}
        return (
            *(model.name for model in self.models if model.name in learnt | read),
            *(baseline.name for baseline in self.baselines if baseline.encoder in digests),
            *of_concepts,
            *of_terms,
        )

    @property
    def _encoder_of_concepts(self) -> str:
        """The digest of the encoder that the snapshot's vectors are of; nothing where it has none."""
        return str((self.snapshot.manifest.settings.get("encoder") or {}).get("digest", ""))


@dataclass(frozen=True, slots=True)
class JudgePredictions:
    """What the measures say of the n pairs of a benchmark, m of which the snapshot covers.

    ``gold``: what people said of all of them. ``covered``: which have a concept on both sides, bool[n].
    ``pairs``, ``values`` (float64[m, k]) and ``predicted`` (float64[m]): the covered ones, their features
    and the concept model's scores; ``others``: those of further models by name, each float64[m]. ``terms``:
    the features of terms by name, each float64[n]; ``term_model``: its scores, float64[n], None where there
    is none. ``baselines``: by name, each float64[n].
    """

    benchmark: Benchmark
    split: Split
    gold: Gold
    covered: Bools
    coverage: Coverage
    pairs: CoveredPairs
    values: Floats
    predicted: Floats
    terms: dict[str, Floats]
    term_model: Floats | None
    baselines: dict[str, Floats]
    others: dict[str, Floats] = field(default_factory=dict)

    @property
    def features(self) -> dict[str, Floats]:
        """The concept features by name, over all pairs: float64[n], ``ABSENT`` where not covered."""
        return {
            feature.name: spread(column, self.covered)
            for feature, column in zip(FEATURES, self.values.T, strict=True)
        }

    @property
    def model(self) -> Floats:
        """The concept model over all pairs: float64[n], ``ABSENT`` where not covered."""
        return spread(self.predicted, self.covered)


def predict(
    judges: Judges, benchmark: Benchmark, split: Split = "all", progress: Progress | None = None
) -> JudgePredictions:
    """Ask every one of ``judges`` about every pair; ``progress`` counts the titles that are looked up.

    A document is no title: no pair of a benchmark of documents is covered by the concept model.
    """
    titled = benchmark if benchmark.kind != "documents" else replace(benchmark, judgements=())
    pairs, coverage = cover(titled, judges.resolver, progress)
    coverage = msgspec.structs.replace(coverage, pairs=len(benchmark.judgements))
    values = extract(judges.snapshot, pairs.left, pairs.right)
    asked = judges.terms if benchmark.kind != "concepts" or judges.terms_of_concepts else None
    term_values = np.empty((len(benchmark.judgements), 0)) if asked is None else asked.values(benchmark)
    texts = [(text_of(pair.left), text_of(pair.right)) for pair in benchmark.judgements]
    return JudgePredictions(
        benchmark=benchmark,
        split=split,
        gold=gold_of(benchmark),
        covered=covered_pairs(benchmark, coverage) & (benchmark.kind != "documents"),
        coverage=coverage,
        pairs=pairs,
        values=values,
        predicted=model_predictions(judges.model, pairs, values),
        terms={} if asked is None else dict(zip(asked.names, term_values.T, strict=True)),
        term_model=None if asked is None else asked.scores(benchmark, term_values),
        baselines={baseline.name: baseline.score(texts) for baseline in judges.baselines},
        others={model.name: model_predictions(model, pairs, values) for model in judges.others},
    )


def _all_different(what: str, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            f"two {what} are called {', '.join(twice)}, and a leaderboard could not tell them apart"
        )


def _cosines(encoder: Path, texts: TextPairs) -> Floats:
    return title_cosine(encoder, [left for left, _ in texts], [right for _, right in texts])


def text_of(title: str) -> str:
    """A title, term or text as a measure of texts reads it: an underscore in place of a space is one.

    >>> text_of("Sexual_intercourse")
    'Sexual intercourse'
    """
    return title.replace("_", " ")


def gold_of(benchmark: Benchmark) -> Gold:
    """What people said of all pairs of a benchmark, whether or not anything covers them."""
    scores = np.array([pair.score for pair in benchmark.judgements], np.float64)
    topic, topics = topics_of([pair.topic for pair in benchmark.judgements])
    return Gold(scores, topic, topics)


def covered_pairs(benchmark: Benchmark, coverage: Coverage) -> Bools:
    """Which pairs have a concept on both sides: bool[n], in the order of the benchmark."""
    without = {entry.title for entry in coverage.unresolved}
    return np.array([not {pair.left, pair.right} & without for pair in benchmark.judgements], np.bool_)


def spread(values: Floats, covered: Bools) -> Floats:
    """The values of the covered pairs, float64[m], in their places among all: float64[n].

    >>> spread(np.array([0.7, 0.2]), np.array([True, False, True])).tolist()
    [0.7, 0.0, 0.2]
    """
    over_all = np.full(len(covered), ABSENT)
    over_all[covered] = values
    return over_all
