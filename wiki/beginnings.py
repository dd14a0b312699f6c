"""How the articles of a dump begin, of those that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from wiki.dump import Dump, read_pages
from wiki.titles import TitleRules, title_rules
from wiki.wikitext import parse

CHARACTERS = 2_000
"""How much of an article is kept, in whole paragraphs: as many as it takes to have so many characters."""


class Articles(NamedTuple):
    """What was read of a dump's articles.

    ``paragraphs``: the first ones of those that were asked for, by title as asked. ``titles``: of all of
    them, sorted.
    """

    paragraphs: dict[str, tuple[str, ...]]
    titles: tuple[str, ...]


def read_articles(
    dump: Dump, titles: Collection[str], progress: Callable[[int, int | None], None] | None = None
) -> Articles:
    """How the articles of some titles begin; those that are not in the dump are left out.

    Redirects are followed once, by reading the dump a second time. ``progress`` counts bytes of the dump.

    Raises:
        DamagedDump: the dump cannot be read to its end.
    """
    rules = title_rules(dump.siteinfo)
    asked = {title: rules.normalize(title) for title in titles}
    read = _read(dump, set(asked.values()), rules, progress)
    begins = read.begins
    if behind := set(read.targets.values()) - set(begins):
        begins = begins | _read(dump, behind, rules, progress).begins
    beginnings = {title: begins.get(read.targets.get(name, name)) for title, name in asked.items()}
    paragraphs = {title: first for title, first in beginnings.items() if first is not None}
    return Articles(paragraphs, tuple(sorted(read.titles)))


@dataclass(slots=True)
class _Read:
    """Of the wanted titles: how articles begin, and where redirects lead; and every article's title."""

    begins: dict[str, tuple[str, ...]] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)


def _read(
    dump: Dump,
    wanted: Collection[str],
    rules: TitleRules,
    progress: Callable[[int, int | None], None] | None,
) -> _Read:
    read = _Read()
    for chunk in dump.chunks():
        for page in read_pages(chunk, dump.siteinfo):
            title = rules.normalize(page.title) if page.namespace == 0 else ""
            if not title:
                continue
            if page.redirect is None:
                read.titles.add(title)
            if title not in wanted:
                continue
            if page.redirect is not None:
                read.targets[title] = rules.normalize(page.redirect)
            else:
                read.begins[title] = _first(parse(page.text, rules).paragraphs)
        if progress is not None:
            progress(chunk.end, dump.size)
    return read


def _first(paragraphs: tuple[str, ...]) -> tuple[str, ...]:
    size = 0
    for place, paragraph in enumerate(paragraphs, start=1):
        size += len(paragraph)
        if size >= CHARACTERS:
            return paragraphs[:place]
    return paragraphs
