"""Articles by title and by page id, many at a time, and those that were looked up before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import marisa_trie

from snapshots.naming.names import ARTICLE, REDIRECT
from snapshots.naming.resolution import Matched, Resolution
from snapshots.page_ids import PageIds
from snapshots.strings import StringTable
from wiki.titles import TitleRules

REMEMBERED = 1 << 15
"""References whose articles a process remembers, some ten megabytes. When there are as many, all are
forgotten: to find out which were asked least of late takes as long as to look one up again."""


class ArticleCache:
    """Looks up articles, and remembers them. Usable from several threads."""

    def __init__(
        self,
        rules: TitleRules,
        titles: marisa_trie.RecordTrie,
        concept_titles: StringTable,
        page_ids: PageIds,
        most_kept: int = REMEMBERED,
    ) -> None:
        """``titles``: the trie of titles and redirects; ``most_kept``: how many references are remembered."""
        self._rules, self._titles = rules, titles
        self._concept_titles, self._page_ids = concept_titles, page_ids
        self._kept: dict[object, Resolution] = {}
        self._most_kept = most_kept

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, references: Iterable[object]) -> dict[Any, Resolution]:
        """The articles of those of ``references`` that are page ids or plainly written titles; no others.

        Many are found in less time than one by one, and those that were found lately in a tenth of it.
        """
        likely, look_up, page_ids, kept = self._rules.likely, self._titles.get, self._page_ids, self._kept
        resolved: dict[Any, Resolution] = {}
        added: dict[object, Resolution] = {}
        asked: list[int] = []
        for reference in references:
            if (resolution := kept.get(reference)) is not None:
                resolved[reference] = resolution
            elif isinstance(reference, int):
                asked.append(reference)
            elif isinstance(reference, str) and (title := likely(reference)) and (records := look_up(title)):
                kind, concept = records[0]
                if kind == ARTICLE:
                    added[reference] = Resolution("ok", concept, title, page_ids[concept], "title")
                elif kind == REDIRECT:
                    added[reference] = self.of_concept(concept, "redirect")
        if asked:
            concepts = zip(asked, page_ids.concepts(asked), strict=True)
            known = [(page_id, concept) for page_id, concept in concepts if concept >= 0]
            titles = self._concept_titles.many([concept for _, concept in known])
            for (page_id, concept), title in zip(known, titles, strict=True):
                added[page_id] = Resolution("ok", concept, title, page_id, "page_id")
        if added:
            self._keep(added)
            resolved |= added
        return resolved

    def of_concept(self, concept: int, matched: Matched) -> Resolution:
        """The article of a concept, and how it was found."""
        return Resolution("ok", concept, self._concept_titles[concept], self._page_ids[concept], matched)

    def _keep(self, added: dict[object, Resolution]) -> None:
        """Remember some articles, and forget those before where they become too many together."""
        if len(added) > self._most_kept:
            return
        # A new dictionary then: others may be reading the one that was kept.
        kept = self._kept if len(self._kept) + len(added) <= self._most_kept else {}
        kept.update(added)
        self._kept = kept
