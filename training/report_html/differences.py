"""Which measures differ: the tests of neighbours as a list, those of every two measures as a square."""

from __future__ import annotations

from collections.abc import Sequence

from training.evaluation.report import Report
from training.report_html.drawing import signed
from training.report_html.parts import Section, Table, table
from training.statistics.correlation import CorrelationKind
from training.statistics.significance import Difference, shown_p

_KINDS: tuple[CorrelationKind, ...] = ("pearson", "spearman")

_TEXT = (
    "Steiger's Z of two correlations on the same pairs, with its two-sided p, and the least difference that "
    "is significant at 0.05 for measures that correlate as these do (MRDS)."
)
_SQUARE = (
    " In the squares of every two measures, p stands above the diagonal, with * where it is below 0.05, and "
    "below it by how much the measure of the column is better than that of the row."
)


def differences(report: Report) -> Section:
    """The tests that a report has."""
    tables = [_listed(report.differences)] if report.differences else []
    for kind in _KINDS:
        if of_kind := [each for each in report.all_differences if each.kind == kind]:
            tables.append(square(kind, of_kind))
    text = _TEXT + (_SQUARE if report.all_differences else "")
    return Section("Which differences are significant", text, (), tuple(tables))


def _listed(found: Sequence[Difference]) -> Table:
    rows = [
        (
            f"{one.first} – {one.second}",
            one.kind.capitalize(),
            f"{signed(one.r_first)} – {signed(one.r_second)}",
            signed(one.r_between),
            signed(one.z, 2),
            shown_p(one.log10_p),
            signed(one.mrds_05),
        )
        for one in found
    ]
    columns = ("measures", "kind", "correlations", "between them", "Z", "p", "MRDS")
    return table(f"{len(rows)} comparisons", columns, rows, texts=2)


def square(kind: CorrelationKind, found: Sequence[Difference]) -> Table:
    """Every two measures; ``found``: of each two one, the better one first, as ``compare_all`` has them."""
    known = {each.first: each.r_first for each in found} | {each.second: each.r_second for each in found}
    names = list(dict.fromkeys([each.first for each in found] + [each.second for each in found]))
    of_two = {(each.first, each.second): each for each in found}
    rows = [
        (f"{place}. {name}", signed(known[name]), *(_cell(of_two, name, other) for other in names))
        for place, name in enumerate(names, start=1)
    ]
    numbers = tuple(str(place) for place in range(1, len(names) + 1))
    return table(f"{kind.capitalize()} of every two measures", ("measure", "r", *numbers), rows)


def _cell(of_two: dict[tuple[str, str], Difference], row: str, column: str) -> str:
    if (above := of_two.get((row, column))) is not None:
        return shown_p(above.log10_p) + ("*" if above.significant else "")
    below = of_two.get((column, row))
    if below is None:
        return ""
    apart = None if below.r_first is None or below.r_second is None else below.r_first - below.r_second
    return signed(apart)
