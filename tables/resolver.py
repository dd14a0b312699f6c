"""From what people write to a concept: titles, redirects, page ids and URLs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from tables.names import DISAMBIGUATION, FILE, REDIRECT, Names
from tables.snapshot import Snapshot
from tables.strings import StringTable
from wiki.folding import fold
from wiki.siteinfo import Siteinfo
from wiki.titles import TitleRules, title_of_url

RECORD = "<Bi"
"""What the tries of titles keep for a title: what it is (``tables.names``) and its concept or -1."""

Status = Literal["ok", "unknown", "ambiguous", "invalid"]
Matched = Literal["title", "redirect", "variant", "page_id"]

SUGGESTIONS = 5


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a reference was found to be.

    ``concept`` is -1 unless ``status`` is ok. ``title`` is the article's title then, else the normalised
    title asked for, and None where the reference cannot be a title. ``matched`` says how an article was
    found. ``candidates`` are the titles that an ambiguous title may mean, the most linked first;
    ``suggestions`` are titles spelt nearly like an unknown one.
    """

    status: Status
    concept: int = -1
    title: str | None = None
    page_id: int | None = None
    matched: Matched | None = None
    candidates: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


class Resolver:
    """Resolves references against one snapshot. Reads only; usable from several threads."""

    def __init__(
        self,
        rules: TitleRules,
        titles: marisa_trie.RecordTrie,
        variants: marisa_trie.RecordTrie,
        concept_titles: StringTable,
        page_ids: NDArray[np.int64],
        names: Names,
    ) -> None:
        self._rules = rules
        self._titles = titles
        self._variants = variants
        self._concept_titles = concept_titles
        self._page_ids = page_ids
        self._names = names

    @classmethod
    def open(cls, snapshot: Snapshot) -> Resolver:
        """The resolver of a snapshot."""
        return cls(
            TitleRules(Siteinfo.from_json(snapshot.manifest.siteinfo)),
            snapshot.trie("titles", RECORD),
            snapshot.trie("title_variants", RECORD),
            snapshot.concept_titles,
            snapshot.array("page_ids"),
            Names(snapshot.folder / FILE),
        )

    def resolve(self, reference: str | int, *, suggest: bool = True) -> Resolution:
        """What ``reference`` names: a title or a Wikipedia URL (str), or a page id (int).

        ``suggest``: whether to look for titles near an unknown one, which takes some milliseconds.
        """
        if isinstance(reference, int):
            return self._by_page_id(reference)
        url = title_of_url(reference) if "/" in reference else None
        title = self._rules.parse(url or reference)
        if title is None:
            return Resolution("invalid")
        if title.namespace != 0:
            return Resolution("unknown", title=self._rules.normalize(reference))
        found = self._titles.get(title.text)
        variant = found is None
        if variant:
            found = self._variants.get(fold(title.text))
        if found is None:
            near = self._names.near(title.text, SUGGESTIONS) if suggest else []
            return Resolution("unknown", title=title.text, suggestions=tuple(near))
        kind, concept = found[0]
        if kind == DISAMBIGUATION:
            senses = tuple(self._concept_titles[sense] for sense in self._names.senses(title.text))
            return Resolution("ambiguous", title=title.text, candidates=senses)
        return self._article(concept, "variant" if variant else "redirect" if kind == REDIRECT else "title")

    def resolve_many(self, references: Sequence[str | int], suggest: int = 0) -> list[Resolution]:
        """``resolve`` for each of ``references``; one that stands several times is looked up once.

        ``suggest``: how many of the unknown ones, the first, get suggestions.
        """
        known: dict[str | int, Resolution] = {}
        for reference in references:
            if reference not in known:
                found = known[reference] = self.resolve(reference, suggest=suggest > 0)
                suggest -= found.status == "unknown"
        return [known[reference] for reference in references]

    def search(self, prefix: str, limit: int = 10) -> list[str]:
        """Titles that begin with ``prefix``, whatever its case and accents, the most linked first."""
        return self._names.beginning_with(prefix, limit)

    def _by_page_id(self, page_id: int) -> Resolution:
        # A Python int may be beyond what the array's dtype holds.
        if 0 <= page_id < 2**63:
            concept = int(np.searchsorted(self._page_ids, page_id))
            if concept < len(self._page_ids) and self._page_ids[concept] == page_id:
                return self._article(concept, "page_id")
        return Resolution("unknown")

    def _article(self, concept: int, matched: Matched) -> Resolution:
        return Resolution("ok", concept, self._concept_titles[concept], int(self._page_ids[concept]), matched)
