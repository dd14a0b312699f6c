"""What training and evaluation report: the same form for both, as JSON and for the terminal."""

from __future__ import annotations

import msgspec

from models.model import FoldResult
from training.coverage import Coverage

PAPER_MARGIN = {"pearson": 0.13, "spearman": 0.16}
"""By how much WORT passed its best feature on WORD's test split (Ein-Dor et al. 2018, section 5)."""


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
    """By what share the model's pooled correlation passes that of the best single feature."""

    best: str
    value: float | None
    paper: float


class Resampling(msgspec.Struct, frozen=True):
    """How the intervals came about: what was drawn (topics or pairs), how often, and with which seed."""

    unit: str
    resamples: int
    level: float
    seed: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark judged on a snapshot.

    ``predictions``: "out-of-fold" (each pair predicted without its topic) or "model" (by a given model).
    ``pairs``: those the correlations are over, identical concepts included, whose score is 1. ``folds``: the
    model on each topic. ``notes``: what a reader of the figures must know.
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

    @property
    def of_model(self) -> Measure:
        """The model's own figures, the last of the measures."""
        return self.measures[-1]

    @property
    def metrics(self) -> dict[str, float | None]:
        """The model's correlations in short, as its file carries them."""
        found = {}
        for kind, of_kind in (("pearson", self.of_model.pearson), ("spearman", self.of_model.spearman)):
            found[kind] = of_kind.pooled.value
            found[f"{kind}_mean_over_topics"] = of_kind.mean.value if of_kind.mean else None
        return found

    def json(self) -> bytes:
        """The report as JSON, to be read by people too."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"
