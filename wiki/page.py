"""What a dump holds: a page as it was read, and a page as it was understood."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec


@dataclass(frozen=True, slots=True)
class RawPage:
    """One ``<page>`` of a dump, untouched.

    ``namespace`` is the dump's ``<ns>``; dumps before schema 0.6 have none, and then it follows from the
    title's prefix. ``redirect`` is the target as the dump states it (``<redirect title=…>``) or as the text
    does (``#REDIRECT [[…]]``, in the wiki's own word), else ``None``.
    """

    page_id: int
    namespace: int
    title: str
    redirect: str | None
    text: str


class Link(msgspec.Struct, frozen=True, gc=False):
    """An editor's link to an article, where it stands in the clean text.

    ``paragraphs[paragraph][start : start + len(anchor)] == anchor`` holds for every link. A link that
    stands in no paragraph (in a table, a template argument or a reference) has ``paragraph`` and
    ``start`` -1: it is an edge of the link graph, but no mention in the text.

    A dump has them by the hundred million: this kind of class is made the quickest, and is no work for the
    garbage collector.
    """

    target: str
    anchor: str
    paragraph: int
    start: int


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What the wikitext of one page says.

    ``links`` hold targets in the article namespace only, normalised, without section. ``categories`` and
    ``templates`` are normalised titles without their namespace, each once, in order of appearance.
    ``disambiguation`` and ``hidden_category`` are what the page itself shows (a behaviour switch such as
    ``__HIDDENCAT__``, or a well-known English template); a template that carries the switch in a local
    language is found through ``templates`` when the tables are built. ``bold`` are the words in bold of the
    first sentence that has any, before the first heading: names of what the article is about.
    """

    paragraphs: tuple[str, ...]
    links: tuple[Link, ...]
    categories: tuple[str, ...]
    templates: tuple[str, ...]
    disambiguation: bool
    hidden_category: bool
    bold: tuple[str, ...] = ()
