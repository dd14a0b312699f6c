"""From a file of judgements to a report and scores."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from datasets.agreement.filtering import FilterSettings, word_filter
from datasets.agreement.judgements import Item, Judgements
from datasets.agreement.reading import (
    LARGEST,
    Kind,
    described,
    read_best_worst,
    read_items,
    read_judgements,
    with_items,
)
from datasets.agreement.report import AgreementReport, AgreementSettings
from datasets.agreement.reporting import SourceFile, of_answers, of_judgements
from datasets.agreement.score_file import Scored, check_sides
from datasets.agreement.scores import ItemScores, best_worst_scores, binary_scores, graded_scores
from models.given import content_of
from training.errors import NotABenchmark, TooFewPairs

Scale = tuple[float | None, float | None]
"""The lowest and the highest judgement; None for the one that occurs."""


@dataclass(frozen=True, slots=True)
class FileAgreement:
    """What was found of a file: the report, and each item with its score."""

    report: AgreementReport
    items: tuple[Item, ...]
    scores: ItemScores

    def scored(self, sides: Literal["concepts", "terms"], language: str | None = None) -> Scored:
        """What a score file takes.

        Raises:
            NotABenchmark: the sides of an item are not known.
        """
        check_sides(self.items)
        report = self.report
        return Scored(self.items, self.scores, report.low, report.high, sides, language)


def agreement(
    path: Path,
    kind: Literal["binary", "graded", "best-worst"],
    asked: AgreementSettings,
    *,
    items: Path | None = None,
    scale: Scale = (None, None),
    settings: FilterSettings | None = None,
) -> FileAgreement:
    """The agreement of the judgements at ``path``, and their scores.

    Args:
        path: see ``datasets.agreement.reading``.
        kind: what a judgement is.
        asked: how the measures are taken.
        items: a table of what items are.
        scale: of graded judgements.
        settings: whom to leave out of binary judgements; nobody without.

    Raises:
        BenchmarkError: a file cannot be used.
        TooFewPairs: the filter leaves nothing.
    """
    checksum = hashlib.blake2b(content_of(path, LARGEST), digest_size=32).hexdigest()
    known = None if items is None else read_items(items)
    if kind == "best-worst":
        answers = read_best_worst(path)
        if known is not None:
            answers = replace(answers, items=described(answers.items, known))
        scores = best_worst_scores(answers)
        report = of_answers(answers, scores, SourceFile(path.name, checksum, 0.0, 1.0), asked)
        return FileAgreement(report, answers.items, scores)
    read = read_judgements(path, kind)
    judgements = read.judgements if known is None else with_items(read.judgements, known)
    low, high = (0.0, 1.0) if kind == "binary" else _range(judgements, scale)
    return measured(
        judgements, kind, SourceFile(path.name, checksum, low, high, read.unknown), asked, settings
    )


def measured(
    judgements: Judgements,
    kind: Kind,
    source: SourceFile,
    asked: AgreementSettings,
    settings: FilterSettings | None = None,
) -> FileAgreement:
    """The agreement of judgements of pairs, and their scores; ``settings`` as ``agreement`` has them.

    Raises:
        TooFewPairs: the filter leaves nothing.
    """
    filtered = None if settings is None else word_filter(judgements, settings)
    if filtered is not None:
        judgements = filtered.kept
        if not len(judgements):
            raise TooFewPairs(
                f"{source.title}: the filter leaves no annotator, or no item with enough judgements. Lower "
                "what it asks for."
            )
    if kind == "binary":
        scores = binary_scores(judgements)
    else:
        scores = graded_scores(judgements, source.low, source.high)
    report = of_judgements(judgements, scores, kind, source, asked, filtered)
    return FileAgreement(report, judgements.items, scores)


def _range(judgements: Judgements, scale: Scale) -> tuple[float, float]:
    least, most = float(np.min(judgements.value)), float(np.max(judgements.value))
    low, high = least if scale[0] is None else scale[0], most if scale[1] is None else scale[1]
    if least < low or most > high:
        raise NotABenchmark(
            f"judgements go from {least:g} to {most:g}, and the scale from {low:g} to {high:g}. "
            "Correct one of them."
        )
    if not low < high:
        raise NotABenchmark(f"all judgements are {low:g}. Name the ends of the scale, --low and --high.")
    return low, high
