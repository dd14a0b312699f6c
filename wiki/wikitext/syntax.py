"""The shape of a link, as MediaWiki reads it."""

from __future__ import annotations

import re
from typing import Final

# The words behind the bar may hold single brackets, but no double ones. Of three at the end, the first closes
# a bracket within the words: "[[Quotation|[sic]]]".
_LABEL = r"[^\[\]]*+(?:(?:\[[^\[\]]*+\](?!\](?!\]))|\[(?!\[)|\](?!\]))[^\[\]]*+)*+"

LINK: Final = re.compile(rf"\[\[([^\[\]|\n]*+)(?:\|({_LABEL}))?\]\]([^\W\d_]*+)")
"""Target, words behind the bar (None without one), and the trail: letters right behind, of any script."""

_CUT_OFF = re.compile(r"\[\[[^\[\]\n]*+\n")
_OVER_LINES = re.compile(rf"\[\[[^\[\]|\n]++\|{_LABEL}\]\]")


def with_links_on_one_line(text: str) -> str:
    """Return ``text`` with spaces for the line ends within links."""
    if _CUT_OFF.search(text) is None:
        return text
    return _OVER_LINES.sub(lambda link: link[0].replace("\n", " "), text)
