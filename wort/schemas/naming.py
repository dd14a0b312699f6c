"""What is said of a name that somebody asked for, by servers and by clients."""

from __future__ import annotations

from collections.abc import Callable

_QUOTED = 300
"""Characters that are quoted of what somebody asked for: any title fits."""

_LONGEST_TITLE = 255
"""Bytes that MediaWiki lets a title have."""


def quoted(asked: str | int) -> str:
    """What somebody asked for, in quotes; of what is longer than any title, its beginning."""
    if isinstance(asked, str) and len(asked) > _QUOTED:
        return f"{asked[:_QUOTED]!r}…"
    return repr(asked)


def not_a_title(asked: str | int, quote: Callable[[str | int], str] = quoted) -> str:
    """Why what was asked for can be no title, as a sentence; ``quote`` says how it is quoted.

    >>> not_a_title("")
    'A concept has a name, and here is none.'
    >>> not_a_title("[x]")
    "'[x]' cannot be the title of an article."
    >>> not_a_title("ж" * 300, quote=lambda _: "It").partition(": ")[2]
    'it is too long. A title has room for its first 127 characters.'
    """
    text = str(asked).strip()
    if not text:
        return "A concept has a name, and here is none."
    # The bound is one of bytes, of which nobody counts what is typed.
    fitting = len(text.encode(errors="replace")[:_LONGEST_TITLE].decode(errors="ignore"))
    too_long = fitting < len(text) and "://" not in text
    why = f": it is too long. A title has room for its first {fitting} characters" if too_long else ""
    return f"{quote(asked)} cannot be the title of an article{why}."
