"""Characters that stand for something between two passes over a text.

They are control characters, which XML 1.0 forbids, so no page of a dump holds them; ``parse`` drops them
from any other text before it starts.
"""

from __future__ import annotations

from typing import Final

CUT: Final = "\x01"
"""Something without words of its own stood here: a template, a reference. It makes a title invalid and ends
a link's trail, as what stood here would have."""

CAPTION: Final = "\x02"
"""A file's caption starts here."""

CAPTION_END: Final = "\x03"
"""A file's caption ends here."""


def without_marks(text: str) -> str:
    """Return ``text`` without the characters that are marks here."""
    for mark in (CUT, CAPTION, CAPTION_END):
        if mark in text:
            text = text.replace(mark, "")
    return text
