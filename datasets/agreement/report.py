"""What there is to say of a file of judgements, as it is kept and shown."""

from __future__ import annotations

from typing import Literal

import msgspec

from datasets.agreement.enough import WANTED
from datasets.agreement.split_half import SPLITS
from training.json_report import JSONReport


class AgreementSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the measures are taken.

    ``overlap``: items that two annotators must have in common to be compared; ``splits``: random splits in
    halves; ``seed``: of whatever is drawn; ``wanted``: the reliability aimed at; ``width``: of an item's
    interval, as a share of the scale.
    """

    overlap: int = 50
    splits: int = SPLITS
    seed: int = 0
    wanted: float = WANTED
    width: float = 0.5


class Measured(msgspec.Struct, frozen=True):
    """A measure of all judgements: its name, what it answers, its value (None: undefined), and what of."""

    name: str
    question: str
    value: float | None
    of: str = ""


class AnnotatorReport(msgspec.Struct, frozen=True):
    """An annotator: judgements, their mean, agreement with each other one, with the rest, with themselves.

    ``out``: why the filter leaves the annotator out, None where it does not or was not asked for.
    """

    annotator: str
    judgements: int
    mean: float | None
    kappa: float | None
    rest: float | None
    themselves: float | None
    out: Literal["kappa", "common"] | None = None


class FilterReport(msgspec.Struct, frozen=True):
    """What a filter left: annotators of those there were, items, and the mean kappa of those who stay."""

    annotators: int
    of_annotators: int
    items: int
    of_items: int
    kappa: float | None
    passes: int


class SizeReport(msgspec.Struct, frozen=True):
    """Scores from so many judgements: the reliability as measured and as predicted."""

    judgements: int
    measured: float | None
    predicted: float | None


class NeedsMore(msgspec.Struct, frozen=True):
    """An item whose interval is wider than asked for, and about how many judgements more it takes."""

    item: str
    low: float
    high: float
    judgements: int
    further: int


class GroupReport(msgspec.Struct, frozen=True):
    """A group of items: how many, the mean and the deviation of scores, the mean deviation of judgements."""

    group: str
    items: int
    mean: float
    deviation: float | None
    disagreement: float | None


class LevelReport(msgspec.Struct, frozen=True):
    """Triangles by the score R2 of their second pair: the mean of |R3 − R1|, of how many."""

    level: float
    mean: float
    differences: int


class AgreementReport(JSONReport, frozen=True, kw_only=True):
    """The whole: what the file has, how far annotators agree, and what its scores are worth.

    ``items``: those that have a score; ``needed``: judgements an item for the reliability ``wanted``;
    ``more``: the items that need most further judgements; ``items_needing``, ``further``: how many items need
    any, and how many judgements in all. ``notes``: what a reader must know.
    """

    title: str
    checksum: str
    kind: Literal["binary", "graded", "best-worst"]
    asked: AgreementSettings
    annotators: int
    items: int
    judgements: int
    unknown: int
    repeated: int
    low: float
    high: float
    mean: float | None
    width: float | None
    measures: tuple[Measured, ...]
    of_annotators: tuple[AnnotatorReport, ...]
    filtered: FilterReport | None = None
    curve: tuple[SizeReport, ...] = ()
    needed: int | None = None
    more: tuple[NeedsMore, ...] = ()
    items_needing: int = 0
    further: int = 0
    groups: tuple[GroupReport, ...] = ()
    triangles: int = 0
    transitivity: float | None = None
    levels: tuple[LevelReport, ...] = ()
    notes: tuple[str, ...] = ()
