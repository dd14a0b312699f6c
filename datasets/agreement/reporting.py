"""The report of a file of judgements: every measure that its kind allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from datasets.agreement.alpha import Scale, krippendorff_alpha
from datasets.agreement.best_worst import BestWorst
from datasets.agreement.best_worst import split_half as best_worst_splits
from datasets.agreement.bradley_terry import bradley_terry
from datasets.agreement.correlation import between_annotators, fisher_mean, with_the_rest, with_themselves
from datasets.agreement.deviation import by_group, spread
from datasets.agreement.enough import (
    Reliability,
    further_needed,
    judgements_needed,
    reliability_curve,
)
from datasets.agreement.filtering import Filtered
from datasets.agreement.judgements import Item, Judgements
from datasets.agreement.kappa import (
    category_counts,
    cohen_kappa,
    confusions,
    fleiss_kappa,
    mean_kappas,
    mean_pairwise,
    pairwise,
)
from datasets.agreement.ratios import ratio
from datasets.agreement.reading import Kind
from datasets.agreement.report import (
    AgreementReport,
    AgreementSettings,
    AnnotatorReport,
    FilterReport,
    GroupReport,
    LevelReport,
    Measured,
    NeedsMore,
    SizeReport,
)
from datasets.agreement.scores import ItemScores
from datasets.agreement.split_half import SplitHalf, all_splits, factor_needed, random_splits, same_panel
from datasets.agreement.transitivity import Edge, Transitivity, transitivity
from measures.arrays import Floats
from training.statistics.correlation import defined, spearman

PANEL = 16
"""The most annotators of one panel all of whose splits are taken."""

FEWEST_TRIANGLES = 30
"""Fewer, and their means say nothing of transitivity."""

SHOWN_ITEMS = 20
"""So many items that need more judgements are listed."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The file: what it is called, its checksum, and the range of its judgements."""

    title: str
    checksum: str
    low: float
    high: float
    unknown: int = 0


def of_judgements(
    judgements: Judgements,
    scores: ItemScores,
    kind: Kind,
    source: SourceFile,
    asked: AgreementSettings,
    filtered: Filtered | None = None,
) -> AgreementReport:
    """The report of judgements, after the filter where there was one."""
    curve = reliability_curve(judgements, _further_sizes(judgements), seed=asked.seed)
    kappa = cohen_kappa(confusions(judgements), _weights(kind), asked.overlap, judgements.categories)
    correlations = between_annotators(judgements, asked.overlap)
    spreads = spread(judgements)
    groups = by_group(spreads, [item.group for item in judgements.items])
    notes: tuple[str, ...] = ()
    if not len(pairwise(kappa)):
        notes = (
            f"No two annotators have {asked.overlap:,} items in common; --overlap says how many are enough.",
        )
    report = AgreementReport(
        title=source.title,
        checksum=source.checksum,
        kind=kind,
        asked=asked,
        annotators=len(judgements.annotators),
        items=int((judgements.each() > 0).sum()),
        judgements=len(judgements),
        unknown=source.unknown,
        repeated=int((judgements.turn > 0).sum()),
        low=source.low,
        high=source.high,
        mean=_mean(scores.score),
        width=_mean(scores.high - scores.low),
        measures=tuple(_measures(judgements, kind, kappa, correlations, asked)),
        of_annotators=_of_annotators(judgements, kappa, filtered),
        filtered=_filter_report(filtered),
        curve=tuple(_size(one) for one in curve),
        needed=judgements_needed(curve, asked.wanted),
        groups=tuple(GroupReport(*one[:3], defined(one[3]), defined(one[4])) for one in groups),
        notes=notes,
    )
    return _with_items(report, judgements.items, scores)


def of_answers(
    answers: BestWorst, scores: ItemScores, source: SourceFile, asked: AgreementSettings
) -> AgreementReport:
    """The report of best-worst scaling."""
    halves = best_worst_splits(answers, asked.splits, asked.seed)
    shown = ~np.isnan(scores.score)
    strength = bradley_terry(*answers.comparisons(), len(answers.items))
    report = AgreementReport(
        title=source.title,
        checksum=source.checksum,
        kind="best-worst",
        asked=asked,
        annotators=len(answers.annotators),
        items=int(shown.sum()),
        judgements=len(answers),
        unknown=source.unknown,
        repeated=0,
        low=0.0,
        high=1.0,
        mean=_mean(scores.score),
        width=_mean(scores.high - scores.low),
        measures=(
            *_halves(halves, "split halves", f"{asked.splits:,} random splits", "answers a tuple"),
            Measured(
                "counting and Bradley–Terry",
                "Would a model of who won over whom rank the items alike? (Spearman)",
                defined(spearman(strength[shown], scores.score[shown])),
                f"{answers.comparisons()[0].size:,} comparisons",
            ),
        ),
        of_annotators=_of_choosers(answers),
        needed=_answers_needed(halves, asked.wanted),
    )
    return _with_items(report, answers.items, scores)


def _measures(
    judgements: Judgements, kind: Kind, kappa: Floats, correlations: Floats, asked: AgreementSettings
) -> list[Measured]:
    scales: tuple[Scale, ...] = ("nominal",) if kind == "binary" else ("nominal", "ordinal", "interval")
    compared = f"{len(pairwise(kappa)):,} pairs of annotators"
    weighed = "" if kind == "binary" else ", weighted by squares"
    measured = [
        Measured(
            f"Cohen's kappa, mean{weighed}",
            "How far do two annotators agree beyond chance?",
            defined(mean_pairwise(kappa)),
            compared,
        ),
        Measured(
            "Fleiss' kappa",
            "How far do judgements of an item agree beyond chance, no matter whose?",
            defined(fleiss_kappa(category_counts(judgements))),
        ),
    ]
    measured += [
        Measured(
            f"Krippendorff's alpha, {scale}",
            "The same, of differences on this scale",
            defined(krippendorff_alpha(judgements, scale)),
        )
        for scale in scales
    ]
    again = with_themselves(judgements)
    measured += [
        Measured(
            "between annotators",
            "How well do two annotators' judgements go together? (Pearson, Fisher's mean)",
            defined(fisher_mean(pairwise(correlations))),
            f"{len(pairwise(correlations)):,} pairs of annotators",
        ),
        Measured(
            "with the rest",
            "How well do an annotator's judgements go with the others' mean?",
            defined(fisher_mean(with_the_rest(judgements, asked.overlap))),
        ),
    ]
    if not np.isnan(again).all():
        measured.append(
            Measured(
                "with themselves",
                "How well do an annotator's judgements go with the same one's later ones?",
                defined(fisher_mean(again)),
                f"{int((~np.isnan(again)).sum()):,} annotators",
            )
        )
    halves = random_splits(judgements, asked.splits, asked.seed)
    measured += _halves(halves, "split halves", f"{asked.splits:,} random splits")
    who, what = same_panel(judgements)
    if 2 <= who.sum() <= PANEL and what.sum() >= asked.overlap:
        panel = all_splits(judgements.matrix()[np.ix_(what, who)])
        of = f"all {panel.splits:,} of {int(who.sum())} annotators, {panel.items:,} items"
        measured += _halves(panel, "split halves of one panel", of)
    return measured


def _halves(halves: SplitHalf, name: str, of: str, each: str = "judgements an item") -> list[Measured]:
    whole = f"{2 * halves.judgements:.1f} {each}"
    return [
        Measured(name, "Would half as many other judgements give these scores?", defined(halves.mean), of),
        Measured(
            f"{name}, Spearman–Brown",
            "Would as many other judgements give these scores?",
            defined(halves.corrected),
            whole,
        ),
    ]


def _of_annotators(
    judgements: Judgements, kappa: Floats, filtered: Filtered | None
) -> tuple[AnnotatorReport, ...]:
    each = np.bincount(judgements.annotator, minlength=len(judgements.annotators))
    mean = ratio(np.bincount(judgements.annotator, judgements.value, len(each)), each)
    kappas, rest, themselves = mean_kappas(kappa), with_the_rest(judgements), with_themselves(judgements)
    staying = tuple(
        AnnotatorReport(
            name,
            int(each[place]),
            defined(float(mean[place])),
            defined(float(kappas[place])),
            defined(float(rest[place])),
            defined(float(themselves[place])),
        )
        for place, name in enumerate(judgements.annotators)
    )
    return staying if filtered is None else (*staying, *_left_out(filtered))


def _left_out(filtered: Filtered) -> tuple[AnnotatorReport, ...]:
    return tuple(
        AnnotatorReport(name, given, None, defined(float(kappa)), None, None, reason)
        for name, given, kappa, reason in zip(
            filtered.annotators, filtered.judged.tolist(), filtered.mean_kappas, filtered.reasons, strict=True
        )
        if reason != "kept"
    )


def _answers_needed(halves: SplitHalf, wanted: float) -> int | None:
    """The fewest answers a tuple for a reliability, None where none is known."""
    factor = factor_needed(halves.mean, wanted)
    return None if math.isnan(factor) else math.ceil(factor * halves.judgements - 1e-9)


def _of_choosers(answers: BestWorst) -> tuple[AnnotatorReport, ...]:
    """Each annotator with Pearson's r of the scores by own answers with those by the others'."""
    choosers = []
    for place, name in enumerate(answers.annotators):
        own = answers.annotator == place
        others, said = answers.where(~own).scores(), answers.where(own).scores()
        both = ~np.isnan(others) & ~np.isnan(said)
        r = math.nan
        if both.sum() >= 3 and np.ptp(others[both]) > 0 and np.ptp(said[both]) > 0:
            r = float(np.corrcoef(others[both], said[both])[0, 1])
        choosers.append(AnnotatorReport(name, int(own.sum()), None, None, defined(r), None))
    return tuple(choosers)


def _filter_report(filtered: Filtered | None) -> FilterReport | None:
    if filtered is None:
        return None
    kept = filtered.kept
    return FilterReport(
        len(kept.annotators),
        len(filtered.reasons),
        len(kept.items),
        len(filtered.items),
        defined(filtered.kappa),
        filtered.passes,
    )


def _further_sizes(judgements: Judgements) -> tuple[int, ...]:
    each = judgements.each()
    usual = int(np.median(each)) if len(each) else 0
    return tuple(sorted({usual, 2 * usual, 3 * usual} - {0}))


def _size(one: Reliability) -> SizeReport:
    return SizeReport(one.judgements, one.measured, defined(one.predicted))


def _with_items(report: AgreementReport, items: tuple[Item, ...], scores: ItemScores) -> AgreementReport:
    """With what is to be said of the items: which need more judgements, and whether scores are transitive."""
    further = further_needed(
        scores.low, scores.high, scores.judgements, report.asked.width * (report.high - report.low)
    )
    order = np.argsort(-further, kind="stable")[:SHOWN_ITEMS]
    more = tuple(
        NeedsMore(
            named(items[place]),
            float(scores.low[place]),
            float(scores.high[place]),
            int(scores.judgements[place]),
            int(further[place]),
        )
        for place in order.tolist()
        if further[place] > 0
    )
    edges = [
        Edge(item.left, item.right, score, item.topic)
        for item, score in zip(items, scores.score.tolist(), strict=True)
        if item.left and not math.isnan(score)
    ]
    scaled = [edge._replace(score=(edge.score - report.low) / (report.high - report.low)) for edge in edges]
    of_triangles = transitivity(scaled)
    changed = {
        "more": more,
        "items_needing": int((further > 0).sum()),
        "further": int(further.sum()),
        "triangles": of_triangles.triangles,
    }
    return msgspec.structs.replace(report, **changed, **_transitivity(of_triangles))


def _transitivity(found: Transitivity) -> dict[str, object]:
    if found.triangles < FEWEST_TRIANGLES:
        return {}
    levels = zip(found.level.tolist(), found.mean.tolist(), found.differences.tolist(), strict=True)
    return {"transitivity": defined(found.pearson), "levels": tuple(LevelReport(*one) for one in levels)}


def named(item: Item) -> str:
    """What people call an item: the sides of the pair where these are known."""
    return f"{item.left} – {item.right}" if item.left else item.name


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _weights(kind: Kind) -> Literal["none", "quadratic"]:
    return "none" if kind == "binary" else "quadratic"
