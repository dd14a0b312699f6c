"""What a reference was found to be. Imports nothing of ours: who reads answers need not load tables."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Status = Literal["ok", "unknown", "ambiguous", "invalid"]
Matched = Literal["title", "redirect", "variant", "alias", "page_id", "mention", "sense"]

AliasKind = Literal["bold", "stated", "unqualified", "inflected", "surname"]
"""What makes a name an alias: it is bold in the article's first sentence, or that sentence states it; it is a
title without what tells that apart from others; its plural or singular; the surname of a person."""


class WantedHelp(NamedTuple):
    """What is looked for where a reference is no title of an article."""

    suggestions: bool
    candidates: bool
    aliases: bool


class Resolution(msgspec.Struct, frozen=True, gc=False):
    """What a reference was found to be.

    ``concept`` is -1 unless ``status`` is ok. ``title`` is the article's title then, else the normalised
    title asked for, and None where the reference cannot be a title. ``matched`` says how an article was
    found. ``candidates`` are titles that an ambiguous title may mean, the best known first;
    ``suggestions`` are titles that an unknown one may have meant, and ``misspelt`` says whether the first is
    spelt nearly so. Of a concept that is one sense of several, ``prior`` is how likely it was before anything
    else was looked at, and ``others`` are the other senses with their priors, the likeliest first. Where an
    alias matched, ``prior`` is the concept's share of the name, ``others`` are those with the other shares,
    and ``alias`` says what makes it a name of the concept.
    """

    status: Status
    concept: int = -1
    title: str | None = None
    page_id: int | None = None
    matched: Matched | None = None
    candidates: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    misspelt: bool = False
    prior: float | None = None
    others: tuple[tuple[int, float], ...] = ()
    alias: tuple[AliasKind, ...] = ()
