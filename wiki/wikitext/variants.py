"""Language variants ``-{…}-``: text that some wikis show in one script or another."""

from __future__ import annotations

import re
from typing import Final

# Languages whose wikis convert between variants; elsewhere the characters mean themselves.
CONVERTED_LANGUAGES: Final = frozenset(
    "ban crh gan iu kk ku mni sh shi sr tg tly uz wuu zgh zh".split()  # noqa: SIM905 reads as the list it is
)

_VARIANTS = re.compile(r"-\{([^{}]*+)\}-")
_FIRST = re.compile(r"(?:[^;:]*+=>)?\s*+[A-Za-z-]++\s*+:([^;]*+)")


def with_one_variant(text: str) -> str:
    """Return ``text`` with the first variant of each choice, nothing for those that only set a rule."""
    return _VARIANTS.sub(_choice, text)


def _choice(variants: re.Match[str]) -> str:
    flags, bar, content = variants[1].partition("|")
    if not bar or "[[" in flags:
        flags, content = "", variants[1]
    if set("HT-") & set(flags.upper().replace(" ", "")):  # a rule for later, a title: nothing is shown here
        return ""
    first = _FIRST.match(content)
    return first[1].strip() if first else content
