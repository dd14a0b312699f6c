"""Links to other sites: only their words are text."""

from __future__ import annotations

import re

_PROTOCOL = r"(?:(?:https?|ftps?|ircs?|gopher|git|svn)://|news:|mailto:)"
_ADDRESS = re.compile(rf"\s*+{_PROTOCOL}", re.IGNORECASE)
_LINK = re.compile(
    rf"\[(?:{_PROTOCOL}|//)[^\s\[\]<>\"]++"
    r"[ \t]*+((?:[^\[\]\n]++|\[\[[^\[\]\n]*+\]\])*+)\]",
    re.IGNORECASE,
)


def without_external_links(text: str) -> str:
    """Return ``text`` with the words of links to other sites in their place; without words, with nothing."""
    return _LINK.sub(r"\1", text)


def is_address(raw: str) -> bool:
    """Return whether ``raw`` is the address of another site, which no title may look like."""
    return _ADDRESS.match(raw) is not None
