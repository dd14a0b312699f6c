"""The further sections of a report on the terminal: what each shows, as a table and the lines below it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from training.evaluation.ablation import Scores
from training.evaluation.report import Report
from training.statistics.significance import Difference, shown_p

Section = tuple[Table, list[str]]


def of(report: Report, full: bool = False) -> Iterator[Section]:
    """Each section that the report has; of the differences those of the model alone, unless ``full``."""
    if report.rejected:
        yield rejected(report), []
    if any(full or report.model in (each.first, each.second) for each in report.differences):
        every = len(report.all_differences)
        told = f"Tests of every two measures, {every:,}, are in the report (--report, --html)."
        yield differences(report, full), [_OF_DIFFERENCES, *([told] if every else [])]
    if report.deciles:
        yield deciles(report), []
    if report.ablation:
        yield ablation(report), []
    if report.learners:
        yield learners(report), []


_OF_DIFFERENCES = (
    "p: Steiger's Z, two-sided. MRDS: the least difference of r, or of ρ, that is significant at 0.05 for "
    "measures that correlate so. Both take pairs to be independent, which pairs of one topic are not quite."
)


def rejected(report: Report) -> Table:
    """The measures that no model has."""
    table = _table("Measures that the paper tried and left out", "", "evidence", "Pearson", "Spearman")
    for measure in report.rejected:
        figures = (measure.pearson.pooled.value, measure.spearman.pooled.value)
        table.add_row(measure.name, f"{measure.evidence:,}", *map(number, figures))
    return table


def differences(report: Report, full: bool) -> Table:
    """The tests of the model against its rivals, and where ``full`` those of neighbours in the order."""
    table = _table(
        "Differences from the best feature, the baselines and the neighbours in the order",
        "",
        "r",
        "beside",
        "r",
        "MRDS",
        "p",
        "",
    )
    for kind in ("pearson", "spearman"):
        of_kind = [
            each
            for each in report.differences
            if each.kind == kind and (full or report.model in (each.first, each.second))
        ]
        for row, each in enumerate(of_kind):
            table.add_row(
                escape(each.first),
                number(each.r_first),
                escape(each.second),
                number(each.r_second),
                number(each.mrds_05),
                shown_p(each.log10_p),
                _mark(each),
                end_section=row == len(of_kind) - 1,
            )
    return table


def deciles(report: Report) -> Table:
    """The model, the best feature and Milne-Witten by the in-links of the less linked concept."""
    asked = dict.fromkeys((report.model, report.margins["spearman"].best, "MW"))
    names = [
        name
        for name in asked
        if name is not None and all(name in decile.pearson for decile in report.deciles)
    ]
    table = _table(
        "By in-links of the less linked concept, in tenths of the pairs: Pearson / Spearman",
        "in-links",
        "pairs",
        *names,
    )
    for decile in report.deciles:
        cells = (f"{number(decile.pearson[name])} / {number(decile.spearman[name])}" for name in names)
        table.add_row(f"{decile.low:,} to {decile.high:,}", f"{decile.pairs:,}", *cells)
    return table


def ablation(report: Report) -> Table:
    """The design without each feature, and with it alone."""
    table = _table(
        "Fitted to this benchmark, out of fold: Pearson / Spearman", "", "alone", "without", "what it adds"
    )
    for row in report.ablation:
        table.add_row(row.feature, _both(row.alone), _both(row.without), _both(row.drop, "+.4f"))
    return table


def learners(report: Report) -> Table:
    """Other learners, on the same folds."""
    table = _table(
        "Learners on the same folds", "", "Pearson", "Spearman", "Pearson\nby topic", "Spearman\nby topic"
    )
    for row in report.learners:
        figures = (row.pearson, row.spearman, row.pearson_mean, row.spearman_mean)
        table.add_row(row.learner, *map(number, figures))
    return table


def number(value: float | None, form: str = ".3f") -> str:
    """A figure, a dash where it is undefined."""
    return "–" if value is None else format(value, form)


def _both(scores: Scores | None, form: str = ".4f") -> str:
    return "" if scores is None else f"{number(scores.pearson, form)} / {number(scores.spearman, form)}"


def _mark(difference: Difference) -> str:
    return "significant" if difference.significant else ""


def _table(title: str, first: str, *headings: str) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        min_width=len(title),
    )
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(escape(heading), justify="left" if heading == "beside" else "right", no_wrap=True)
    return table
