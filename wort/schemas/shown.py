"""How answers are shown at a prompt and in notebooks: short, and never with markup that others wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST_ROWS, MOST_COLUMNS = 20, 40
"""Rows and columns of a table that are shown at a prompt and in notebooks; other rows are counted."""


def in_short(parts: Sequence[str], most: int = 3) -> str:
    """The first of some parts, and how many more there are.

    >>> in_short(["Dog", "Wolf", "Fox", "Bear", "Cat"]), in_short(["Dog"]), in_short([])
    ('Dog, Wolf, Fox and 2 more', 'Dog', 'none')
    """
    more = f" and {len(parts) - most:,} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + more if parts else "none"


def scored(score: float | None, interval: object, otherwise: str) -> str:
    """A score with its interval, if it has one; ``otherwise`` where there is no score.

    >>> scored(0.5, "0.38 to 1.00 (90%)", "ok"), scored(1.0, None, "ok"), scored(None, None, "unknown")
    ('0.50, 0.38 to 1.00 (90%)', '1.00', 'unknown')
    """
    if score is None:
        return otherwise
    return share(score) if interval is None else f"{share(score)}, {interval}"


def share(score: float | None) -> str:
    """A score to two places; a dash where there is none."""
    return "–" if score is None else f"{score:.2f}"


def counted(number: int, one: str, many: str) -> str:
    """A number with what is counted.

    >>> counted(1, "pair", "pairs"), counted(1200, "pair", "pairs")
    ('1 pair', '1,200 pairs')
    """
    return f"{number:,} {one if number == 1 else many}"


def html_table(
    heads: Iterable[str], rows: Sequence[Sequence[str]], caption: str, total: int | None = None
) -> str:
    """A small table for a notebook, the first of its rows and columns; ``total``: how many rows there are.

    >>> html_table(["title"], [["<b>"]], "One")
    '<table><caption>One</caption><tr><th>title</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    total = len(rows) if total is None else total
    more = f", {MOST_ROWS} of {total:,} shown" if total > MOST_ROWS else ""
    lines = [_line("th", tuple(heads)), *(_line("td", row) for row in rows[:MOST_ROWS])]
    return f"<table><caption>{escape(caption + more)}</caption>{''.join(lines)}</table>"


def _line(tag: str, cells: Sequence[str]) -> str:
    shown = [*cells[:MOST_COLUMNS], *(["…"] if len(cells) > MOST_COLUMNS else [])]
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in shown)}</tr>"


def explained(line: str, explanation: object | None) -> str:
    """The line of a result, and below it what adds up to its score, where that was asked for."""
    return line if explanation is None else f"{line}\n{explanation}"
