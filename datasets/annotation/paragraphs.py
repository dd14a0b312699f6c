"""First paragraphs of articles, for items whose sides are concepts."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from datasets.annotation.records import ItemSide, NewItem, Stimulus
from datasets.selection.dump_texts import DumpTexts
from training.progress import Steps

LONGEST = 1500
"""Characters of a paragraph that are shown."""


def with_first_paragraphs(
    items: Iterable[NewItem], texts: DumpTexts, steps: Steps
) -> tuple[list[NewItem], list[str]]:
    """Items whose sides have the first paragraph of their article, and titles without an article.

    What has a text already keeps it.
    """
    kept = list(items)
    lacking = {side.name for item in kept for asked in item.asked for side in asked.sides if not side.gloss}
    articles = texts.found(sorted(lacking), steps)
    first = {title: _cut(document.paragraphs[0]) for title, document in articles.items()}

    def filled(side: ItemSide) -> ItemSide:
        return side if side.gloss else msgspec.structs.replace(side, gloss=first.get(side.name, ""))

    changed = [
        msgspec.structs.replace(
            item, asked=tuple(Stimulus(one.name, tuple(map(filled, one.sides))) for one in item.asked)
        )
        for item in kept
    ]
    return changed, sorted(lacking - first.keys())


def _cut(paragraph: str) -> str:
    # Control characters of old articles are no text for people.
    text = " ".join("".join(one if one.isprintable() else " " for one in paragraph).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rsplit(' ', 1)[0]}…"
