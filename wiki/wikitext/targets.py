"""What the target of a link or the name of a template leads to."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final

from wiki.prefixes import LANGUAGE_CODES
from wiki.titles import TitleRules
from wiki.wikitext.external import is_address
from wiki.wikitext.magic import PARSER_WORDS, TEMPLATE_MODIFIERS

FILE: Final = 6
TEMPLATE: Final = 10
CATEGORY: Final = 14

_REMEMBERED = 1 << 16  # titles; a worker meets the same ones again and again
_LANGUAGES = frozenset(LANGUAGE_CODES)


class TargetKind(Enum):
    """What ``[[…]]`` is, which decides what becomes of it."""

    ARTICLE = "a link to an article: an edge"
    CATEGORY = "the page's membership in a category: nothing is shown"
    FILE = "a file: nothing is shown but its caption"
    LANGUAGE = "the same article in another language: nothing is shown"
    OTHER = "another namespace or project, a section of the page itself, no title: only the words are shown"


@lru_cache(_REMEMBERED)
def target(rules: TitleRules, raw: str) -> tuple[TargetKind, str]:
    """Return what ``[[raw]]`` is, and the normalised title without its namespace ("" where none counts)."""
    shown = raw.lstrip().startswith(":")
    title = None if is_address(raw) else rules.parse(raw)
    if title is None:
        prefix, colon, _ = raw.partition(":")
        is_language = colon and not shown and prefix.strip().lower() in _LANGUAGES
        return (TargetKind.LANGUAGE if is_language else TargetKind.OTHER), ""
    if title.namespace == 0:
        return TargetKind.ARTICLE, title.text
    if title.namespace == CATEGORY and not shown:
        return TargetKind.CATEGORY, title.text
    if title.namespace == FILE and not shown:
        return TargetKind.FILE, title.text
    return TargetKind.OTHER, ""


@lru_cache(_REMEMBERED)
def template(rules: TitleRules, raw: str) -> str:
    """Return the template that ``{{raw|…}}`` uses, normalised; "" for the parser's own functions."""
    name = raw.strip()
    for modifier in TEMPLATE_MODIFIERS:
        if name.lower().startswith(modifier):
            name = name[len(modifier) :].lstrip()
    word = name.partition(":")[0].strip().lower()
    if name.startswith("#") or "\n" in name or word in PARSER_WORDS:
        return ""
    title = rules.parse(name, TEMPLATE)
    return title.text if title is not None and title.namespace == TEMPLATE else ""
