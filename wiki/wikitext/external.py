"""Links to other sites: only their words are text."""

from __future__ import annotations

import re

_LINK = re.compile(
    r"\[(?:(?:https?|ftps?|ircs?|news|gopher|git|svn)://|//|mailto:)[^\s\[\]<>\"]++"
    r"[ \t]*+((?:[^\[\]\n]++|\[\[[^\[\]\n]*+\]\])*+)\]",
    re.IGNORECASE,
)


def without_external_links(text: str) -> str:
    """Return ``text`` with the words of links to other sites in their place; without words, with nothing."""
    return _LINK.sub(r"\1", text)
