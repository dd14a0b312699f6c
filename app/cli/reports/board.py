"""The leaderboard on the terminal: tables for covered pairs and for all, two lines a benchmark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from textwrap import wrap

from models.figures import figure
from training.evaluation.baselines import RANDOM
from training.evaluation.leaderboard import BEST, CONCEPTS, FEATURE, MILNE_WITTEN, TERMS, is_model
from training.evaluation.report import Figure, Leaderboard, LeaderboardRow, too_few
from training.reports.boards import (
    KINDS,
    PAIRS,
    Pairs,
    judged_of,
    judged_rows,
    role_entry,
    role_figure,
    role_name,
    roles_of,
    standing,
)
from training.reports.declared import Beneath, Column, ReportTable
from training.reports.text import SEEN
from training.statistics.correlation import CorrelationKind

_TITLES: dict[Pairs, str] = {
    "covered": "Pairs with a concept on both sides",
    "all_pairs": "All pairs; what a measure does not cover counts as 0",
}
_HEADINGS = {
    CONCEPTS: "concept\nmodel",
    TERMS: "term\nmodel",
    BEST: "best single\nfeature",
    MILNE_WITTEN: "Milne-\nWitten",
    RANDOM: "random:\n95 %",
}

WIDE = 12
"""Characters of a figure and its interval; longer headings are broken."""

MOST = 6
"""Measures side by side: more do not fit on a terminal, and stand in further tables."""


def tables(rows: Sequence[LeaderboardRow]) -> list[ReportTable]:
    """The figures on covered pairs, and those on all pairs; none where every row has too few pairs."""
    report_tables = []
    for pairs, title in _TITLES.items():
        judged = judged_rows(rows, pairs)
        roles = _in_order(judged, pairs)
        for start in range(0, len(roles), MOST):
            caption = f"{title}, continued" if start else title
            report_tables.append(_table(caption, judged, pairs, roles[start : start + MOST]))
    return report_tables


def few(rows: Sequence[LeaderboardRow]) -> tuple[str, ...]:
    """Which of them have no figures on covered pairs, in a line; no line where all have."""
    return too_few({row.benchmark: row.covered.pairs for row in rows if row.kind != "documents"})


def best(rows: Sequence[LeaderboardRow]) -> str:
    """Which feature was the best, on which benchmarks, in a line."""
    sentences = []
    for pairs, title in PAIRS:
        benchmarks = defaultdict(list)
        for row in judged_rows(rows, pairs):
            if (entry := standing(row, pairs).of(BEST)) is not None:
                benchmarks[entry.names].append(row.benchmark)
        if benchmarks:
            features = (f"{name} ({', '.join(names)})" for name, names in benchmarks.items())
            sentences.append(f"{title.capitalize()}: {'; '.join(features)}.")
    return " ".join(
        ("Best single feature, chosen for r and for ρ apart.", *(sentences or ["There is none."]))
    )


def lines(board: Leaderboard) -> list[str]:
    """What a reader of the tables must know, a line each."""
    resampling = board.resampling
    sentences = [
        "r: Pearson, ρ: Spearman, each with its 95 % interval; of rankings the mean ρ over the seeds.",
        f"Intervals: {resampling.resamples:,} resamples, of {resampling.unit}, seed {resampling.seed}.",
        best(board.rows),
        *few(board.rows),
    ]
    sentences += seen(board.rows)
    absent = [f"{row.benchmark} ({row.absent})" for row in board.rows if row.absent]
    if absent:
        sentences.append(f"Rows left out because the file has no article for a side: {', '.join(absent)}.")
    sentences += list(board.notes)
    if board.left_out:
        sentences.append("Left out:")
        sentences += [f"  {entry.benchmark}: {entry.reason}" for entry in board.left_out]
    return sentences


def seen(rows: Sequence[LeaderboardRow]) -> list[str]:
    """What the mark of figures of seen pairs means, where there is one."""
    if not any(row.seen for row in rows):
        return []
    return [
        f"{SEEN} saw pairs of the benchmark before: when it was trained or tuned, or by an encoder that was."
    ]


def _in_order(rows: Sequence[LeaderboardRow], pairs: Pairs) -> list[str]:
    """The roles that somebody has: models, the best feature, the rest as they come, single features last."""
    leading = (CONCEPTS, None, TERMS, BEST, MILNE_WITTEN)

    def place(role: str) -> int:
        if role in leading:
            return leading.index(role)
        if is_model(role):
            return leading.index(None)
        return len(leading) + role.startswith(f"{FEATURE} ")

    entered = sorted(roles_of(rows, pairs), key=place)
    return [role for role in entered if any(role_entry(row, pairs, role) for row in rows)]


def _heading(role: str, rows: Sequence[LeaderboardRow], pairs: Pairs) -> str:
    """What a column is headed with; where there are further models, a model of concepts by its name."""
    several = any(is_model(each) and each not in _HEADINGS for each in roles_of(rows, pairs))
    if is_model(role) and role != TERMS and several:
        return _broken(role_name(rows, pairs, role))
    if role.startswith(f"{FEATURE} "):
        return role.removeprefix(f"{FEATURE} ").replace(" of terms", "\nof terms")
    return _HEADINGS.get(role) or _broken(role)


def _broken(name: str) -> str:
    """A name in lines that are no wider than what stands below it.

    >>> _broken("wort-plus-enwiki").splitlines()
    ['wort-plus-', 'enwiki']
    """
    return "\n".join(wrap(name, WIDE))


def _table(title: str, rows: Sequence[LeaderboardRow], pairs: Pairs, roles: Sequence[str]) -> ReportTable:
    columns = (
        Column(of=partial(_name, pairs=pairs), text=True),
        Column(of=lambda one: "r" if one[1] == KINDS[0] else "ρ", text=True),
        *(Column(_heading(role, rows, pairs), partial(_cell, pairs=pairs, role=role)) for role in roles),
    )
    lines = [(row, kind) for row in rows for kind in KINDS]
    return ReportTable(title, lines, columns, ends=frozenset(range(1, len(lines), 2)), narrow=True)


def _name(line: tuple[LeaderboardRow, CorrelationKind], pairs: Pairs) -> str:
    """The benchmark in the line of Pearson, and its pairs below, in that of Spearman."""
    row, kind = line
    return row.benchmark if kind == KINDS[0] else Beneath(judged_of(row, pairs))


def _cell(line: tuple[LeaderboardRow, CorrelationKind], pairs: Pairs, role: str) -> str:
    row, kind = line
    figure, mark = role_figure(row, pairs, role, kind, " ")
    # Of chance alone the range says something.
    return _interval(figure) if role == RANDOM else _figure(figure, mark)


def _figure(figure: Figure | None, mark: str) -> str:
    """A figure, its mark and its interval in 12 characters: .612 .58–.65."""
    if figure is None:
        return ""
    return "–" if figure.value is None else f"{_short(figure.value, 3)}{mark}{_interval(figure):>7}"


def _interval(figure: Figure | None) -> str:
    if figure is None or figure.low is None or figure.high is None:
        return ""
    return f"{_short(figure.low)}–{_short(figure.high)}"


def _short(number: float, digits: int = 2) -> str:
    """A number from −1 to 1 without the 0 before its point.

    >>> _short(0.654), _short(-0.02), _short(1.0, 3)
    ('.65', '-.02', '1.000')
    """
    shown = figure(number, f".{digits}f")
    return shown.replace("0.", ".", 1) if abs(number) < 1 and "0." in shown else shown
