"""Apostrophes: which of them are markup for bold and italic, and which are letters.

MediaWiki's rules (its ``doQuotes``), line by line: two in a row are italic, three bold, five both; of four
the first is a letter, of more than five all but the last five. If a line has an odd number of italic and of
bold marks, one bold mark was an apostrophe and an italic mark: "l'''Aube''".
"""

from __future__ import annotations

import re
from typing import Final

APOSTROPHE: Final = "&#39;"

_RUN = re.compile("''++")


def apostrophes_marked(line: str) -> str:
    """Return ``line`` with the apostrophes that are letters written as character references.

    What remains in runs of two or more is markup.
    """
    line = _RUN.sub(_without_letters, line)
    lengths = [len(run) for run in _RUN.findall(line)]
    italic = sum(length in (2, 5) for length in lengths)
    bold = sum(length in (3, 5) for length in lengths)
    if italic % 2 and bold % 2:
        start = _apostrophe_before_italic(line)
        if start >= 0:
            line = line[:start] + APOSTROPHE + line[start + 1 :]
    return line


def without_quotes(text: str) -> str:
    """Return ``text`` without the marks of bold and italic."""
    return _RUN.sub("", text)


def _without_letters(run: re.Match[str]) -> str:
    length = len(run[0])
    if length == 4:
        return APOSTROPHE + "'''"
    return APOSTROPHE * (length - 5) + "'''''" if length > 5 else run[0]


def _apostrophe_before_italic(line: str) -> int:
    """Return where the bold mark that is an apostrophe and an italic mark starts, -1 if there is none.

    The first one after a word of one letter is preferred, then after any word, then any.
    """
    after_word = after_space = -1
    for run in _RUN.finditer(line):
        if len(run[0]) != 3:
            continue
        start = run.start()
        if line[start - 1 : start] in ("", " "):
            after_space = start if after_space < 0 else after_space
        elif line[start - 2 : start - 1] == " ":
            return start
        elif after_word < 0:
            after_word = start
    return after_word if after_word >= 0 else after_space
