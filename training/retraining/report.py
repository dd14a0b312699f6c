"""What a retraining reports: all of a training's report, and what became of the data and the challenger."""

from __future__ import annotations

import msgspec

from training.evaluation.report import Report
from training.retraining.agreement import Agreement
from training.retraining.champion import LearntRow
from training.retraining.comparison import Comparison
from training.retraining.gate import Gate, Verdict
from training.retraining.validate import Validation


class CrossValidation(msgspec.Struct, frozen=True):
    """How pairs were left out: the kind of the folds, what it means, how many there are.

    ``shared``: pairs that have a concept in common with a pair of another fold. No two folds have the same
    pair of concepts.
    """

    kind: str
    meaning: str
    folds: int
    shared: int


class Against(msgspec.Struct, frozen=True):
    """The champion, the model in force: its name, release (0: none registered) and snapshot.

    ``predictions``: "held out", "as it is" or "none"; ``refits``: folds that it was fitted again for;
    ``note``: what a reader must know of that.
    """

    model: str
    release: int
    snapshot: str
    predictions: str
    refits: int
    note: str


class RetrainReport(Report, frozen=True, kw_only=True):
    """The report of a training, and all that a retraining adds to it.

    ``comparisons``: on a user's own pairs, on those of base sets, and on those that the champion learnt
    from. ``agreements``: the judgements beside what was known of their pairs. ``verdict``: the gate's.
    ``learnt``: the pairs that the model was fitted to, so that it can later be judged without them.
    ``asked``: what was asked to be done with it whatever the gate says, and why, in a sentence; empty where
    the gate decides.
    """

    validation: Validation
    cross_validation: CrossValidation
    against: Against
    comparisons: tuple[Comparison, ...]
    agreements: tuple[Agreement, ...]
    gate: Gate
    verdict: Verdict
    learnt: tuple[LearntRow, ...]
    asked: str = ""
