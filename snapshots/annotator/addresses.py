"""Addresses and tags in a text, which are read by machines: no word in them names anything.

They are addresses of pages and of letter boxes, and the tags of HTML with their attributes.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from snapshots.naming.mentions import UNSPACED

_BEHIND = rf"""[^\s<>"{UNSPACED}\u3000-\u303f\uff00-\uffef]"""
"""What may stand in an address: no letter of a script that puts no space behind it, nor its signs."""

_ATTRIBUTE = r"""\s++[\w:.-]++\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>]++)"""

# No part may be matched in two ways, so that long texts take no longer for being odd.
_UNREAD = re.compile(
    rf"(?:https?|ftp)://{_BEHIND}*+|(?<!\w)www\.{_BEHIND}*+"
    rf"|(?<![\w.-])(?:[\w-]++\.)++(?-i:[a-z]{{2,}}+)/{_BEHIND}*+"
    r"|(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)++"
    rf"|</?[a-z][\w:-]*+(?:{_ATTRIBUTE})*+\s*+/?>",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[@</]|www\.", re.IGNORECASE)
"""What one of them cannot do without."""


def outside(text: str, spots: NDArray[np.int32]) -> NDArray[np.int32]:
    """The spots of a text that overlap no address and no tag."""
    if _SIGNS.search(text) is None or not len(spots):
        return spots
    spans = np.array([found.span() for found in _UNREAD.finditer(text)], np.int64).reshape(-1, 2)
    if not len(spans):
        return spots
    # Spans ascend and do not overlap: the first that ends behind a spot's start decides.
    first = np.searchsorted(spans[:, 1], spots[:, 0], side="right")
    starts = np.append(spans[:, 0], len(text) + 1)[first]
    return spots[starts >= spots[:, 1]]
