"""Folding: what remains of a title when case and accents are put aside."""

from __future__ import annotations

from unicodedata import combining, normalize


def fold(title: str) -> str:
    """Return ``title`` without case and accents, for comparing what people type with what stands there.

    >>> fold("Pokémon"), fold("STRASSE") == fold("Straße"), fold("Łódź")
    ('pokemon', True, 'łodz')
    """
    if title.isascii():  # which has no accents
        return title.lower().strip()
    decomposed = normalize("NFKD", title.casefold())
    return normalize("NFC", "".join(c for c in decomposed if not combining(c))).casefold().strip()
