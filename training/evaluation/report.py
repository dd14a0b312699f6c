"""What training and evaluation report: the same form for both, as JSON and for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from measures.arrays import Floats, Ints
from models.expectation import OperatingPoints
from models.protocol import FoldResult
from training.coverage import Coverage, UnresolvedTitle
from training.evaluation.ablation import Ablation
from training.evaluation.deciles import Decile
from training.json_report import JSONReport
from training.statistics.calibration import Bin
from training.statistics.correlation import CorrelationKind
from training.statistics.intervals import IntervalCoverage
from training.statistics.significance import Difference
from training.statistics.thresholds import ThresholdChoice

PAPER_MARGIN = {"pearson": 0.13, "spearman": 0.16}
"""By how much WORT passed its best feature on WORD's test split (Ein-Dor et al. 2018, section 5)."""


FEWEST = 10
"""Figures over fewer pairs are noise: they are not shown, and the JSON has them."""

COVERED = "pairs with a concept on both sides"


def too_few(pairs: Mapping[str, int], which: str = COVERED) -> tuple[str, ...]:
    """Which benchmarks have too few ``pairs`` to judge by, in a sentence; none where all have enough.

    >>> too_few({"a": 3, "b": 1, "word": FEWEST}, "pairs")
    ('Too few pairs to judge by: a (3), b (1). Over fewer than 10, figures are chance and are not shown.',)
    >>> too_few({"word": FEWEST})
    ()
    """
    few = [f"{name} ({number})" for name, number in pairs.items() if number < FEWEST]
    if not few:
        return ()
    why = f"Over fewer than {FEWEST}, figures are chance and are not shown."
    return (f"Too few {which} to judge by: {', '.join(few)}. {why}",)


class Figure(msgspec.Struct, frozen=True):
    """A correlation and its bootstrap interval; None where undefined."""

    value: float | None
    low: float | None
    high: float | None


class Correlations(msgspec.Struct, frozen=True):
    """One kind of correlation of a measure with people's scores.

    ``pooled``: over all pairs. ``mean``: of the topics' own correlations, over those where it is defined;
    ``undefined``: the number of the others (one pair, equal scores, or equal values). Both empty where the
    file has no topics.
    """

    pooled: Figure
    mean: Figure | None
    undefined: int | None


class Measure(msgspec.Struct, frozen=True):
    """A feature or the model, judged. ``evidence``: the pairs where a feature is not at its absent value."""

    name: str
    evidence: int | None
    pearson: Correlations
    spearman: Correlations


class Margin(msgspec.Struct, frozen=True):
    """By what share the model's pooled correlation passes that of the ``best`` single feature.

    ``best`` is None where the correlation is defined for no feature, ``value`` where it is for no feature or
    not for the model, or where the best is not above 0.
    """

    best: str | None
    value: float | None
    paper: float


class Resampling(msgspec.Struct, frozen=True):
    """How the intervals came about: what was drawn (topics or pairs), how often, and with which seed."""

    unit: str
    resamples: int
    level: float
    seed: int


class LeaderboardEntry(msgspec.Struct, frozen=True):
    """A measure judged: its ``role`` in the row, its ``name``, and its correlations with people's scores.

    ``pearson`` is None for rankings, whose figure is the mean Spearman correlation over the seeds. The best
    feature is chosen for each correlation: where that of Pearson is another one than that of Spearman, which
    is ``name``, it is ``by_pearson``, and ``pearson`` is its figure.
    """

    role: str
    name: str
    pearson: Figure | None
    spearman: Figure
    by_pearson: str | None = None

    @property
    def names(self) -> str:
        """The name, or both, each with its correlation."""
        return self.name if self.by_pearson is None else f"{self.by_pearson} (r), {self.name} (ρ)"

    def name_by(self, kind: CorrelationKind) -> str:
        """The name of what has the figure of this correlation."""
        return self.by_pearson or self.name if kind == "pearson" else self.name


class LeaderboardFigures(msgspec.Struct, frozen=True):
    """The measures of a row on one set of pairs: how many ``pairs``, and an entry for each measure."""

    pairs: int
    entries: tuple[LeaderboardEntry, ...]

    def of(self, role: str) -> LeaderboardEntry | None:
        """The entry of that role, None where there is none."""
        return next((entry for entry in self.entries if entry.role == role), None)


class LeaderboardRow(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark on the leaderboard.

    ``covered``: over the pairs with a concept on both sides; ``all_pairs``: over all, a pair that a measure
    does not cover at the value of absent evidence. ``absent``: rows left out of both because the file says
    that a side has no article. ``seen``: the names of the measures that saw pairs of it before: models that
    were trained on them, encoders that were tuned on them, and what rests on these encoders' cosines.
    """

    benchmark: str
    title: str | None
    kind: str
    checksum: str
    split: str
    pairs: int
    topics: int
    unresolved: tuple[UnresolvedTitle, ...]
    covered: LeaderboardFigures
    all_pairs: LeaderboardFigures
    absent: int = 0
    seen: tuple[str, ...] = ()

    def saw(self, entry: LeaderboardEntry, kind: CorrelationKind) -> bool:
        """Whether what has this figure of an entry saw pairs of the benchmark before."""
        return entry.name_by(kind).removesuffix(" of terms") in self.seen


class LeftOut(msgspec.Struct, frozen=True):
    """A benchmark without a row, and why."""

    benchmark: str
    reason: str


class Leaderboard(JSONReport, frozen=True, kw_only=True):
    """Benchmarks judged on one snapshot. ``left_out``: those without a row.

    ``term_model`` and ``encoder`` are None where none was judged; of several encoders all are named.
    ``others``: further models of concepts.
    """

    snapshot: str
    model: str
    term_model: str | None
    encoder: str | None
    rows: tuple[LeaderboardRow, ...]
    left_out: tuple[LeftOut, ...]
    resampling: Resampling
    notes: tuple[str, ...]
    created: str
    code_version: str
    others: tuple[str, ...] = ()


class LearnerResult(msgspec.Struct, frozen=True):
    """A learner's out-of-fold predictions against the gold, pooled and as the mean over topics.

    None where undefined; topics whose correlation is undefined are left out of the mean.
    """

    learner: str
    description: str
    pearson: float | None
    spearman: float | None
    pearson_mean: float | None
    spearman_mean: float | None


@dataclass(frozen=True, slots=True)
class Predictions:
    """What a report is over, pair by pair, for plots: the model's predictions beside people's scores.

    ``gold``, ``predicted``: float64[n]; ``topic``: int64[n], the place of each pair's topic in ``topics``,
    which is empty where the benchmark has none.
    """

    gold: Floats
    predicted: Floats
    topic: Ints
    topics: tuple[str, ...]


class Certainty(msgspec.Struct, frozen=True):
    """What may be expected of a model's scores of two different sides.

    ``calibration_error``: the expected calibration error over ``bins``. ``intervals``: None where the model
    says none. ``thresholds``: None where people call all pairs related, or none; ``chosen``: those that were
    asked for.
    """

    calibration_error: float
    bins: tuple[Bin, ...]
    intervals: IntervalCoverage | None
    thresholds: OperatingPoints | None
    chosen: tuple[ThresholdChoice, ...] = ()


class Report(JSONReport, frozen=True, kw_only=True):
    """A benchmark judged on a snapshot.

    ``predictions``: "out-of-fold" (each pair predicted without its topic), "topic-folds" (without all topics
    of its fold, as its cosines are of an encoder tuned without them), "ten-fold" (in ten shuffled folds) or
    "model" (by a given model). ``of``: what was judged, "concepts" or "terms".
    ``pairs``: those the correlations are over, identical concepts included, whose score is 1. ``folds``: the
    model on each topic. ``notes``: what a reader of the figures must know.

    What was not asked for, or is not possible, is left empty. ``row``: the benchmark as the leaderboard has
    it. ``rejected``: measures that no model has. ``differences``: tests between measures that are next to
    each other, and of the model against the best feature and the baselines; ``all_differences``: between
    every two. ``deciles``: by the in-links of the less linked concept. ``ablation`` and ``learners``: out of
    fold, fitted to this benchmark. ``certainty``: what may be expected of the model's scores.
    """

    predictions: str
    model: str
    snapshot: str
    benchmark: str
    checksum: str
    split: str
    pairs: int
    topics: int
    coverage: Coverage
    measures: tuple[Measure, ...]
    margins: dict[str, Margin]
    folds: tuple[FoldResult, ...]
    resampling: Resampling
    notes: tuple[str, ...]
    created: str
    code_version: str
    kind: str = "concepts"
    of: str = "concepts"
    row: LeaderboardRow | None = None
    rejected: tuple[Measure, ...] = ()
    differences: tuple[Difference, ...] = ()
    all_differences: tuple[Difference, ...] = ()
    deciles: tuple[Decile, ...] = ()
    ablation: tuple[Ablation, ...] = ()
    learners: tuple[LearnerResult, ...] = ()
    certainty: Certainty | None = None

    @property
    def title(self) -> str:
        """The benchmark's name in full, where it is known."""
        return (self.row and self.row.title) or self.benchmark

    @property
    def says_nothing(self) -> bool:
        """Whether it is over so few pairs that its figures are noise, and are not shown."""
        return self.pairs < FEWEST

    @property
    def of_model(self) -> Measure:
        """The model's own figures, the last of the measures."""
        return self.measures[-1]

    @property
    def metrics(self) -> dict[str, float | None]:
        """The model's correlations in short, as its file carries them."""
        figures = {}
        for kind, of_kind in (("pearson", self.of_model.pearson), ("spearman", self.of_model.spearman)):
            figures[kind] = of_kind.pooled.value
            figures[f"{kind}_mean_over_topics"] = of_kind.mean.value if of_kind.mean else None
        return figures
