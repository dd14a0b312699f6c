"""From what people write to a concept: titles, redirects, page ids and URLs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from tables.errors import NotASnapshot
from tables.manifest import MANIFEST
from tables.names import DISAMBIGUATION, FILE, REDIRECT, Names
from tables.snapshot import Snapshot
from tables.strings import StringTable
from wiki.folding import fold
from wiki.siteinfo import Siteinfo
from wiki.titles import TitleRules, read_url

RECORD = "<Bi"
"""What the tries of titles keep for a title: what it is (``tables.names``) and its concept or -1."""

Status = Literal["ok", "unknown", "ambiguous", "invalid"]
Matched = Literal["title", "redirect", "variant", "page_id"]

SUGGESTIONS = 5
CANDIDATES = 20
"""The most titles that are shown instead of an unknown one and of an ambiguous one."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a reference was found to be.

    ``concept`` is -1 unless ``status`` is ok. ``title`` is the article's title then, else the normalised
    title asked for, and None where the reference cannot be a title. ``matched`` says how an article was
    found. ``candidates`` are titles that an ambiguous title may mean, the most linked first;
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
        self._wikis = _codes(rules.siteinfo)
        self._titles = titles
        self._variants = variants
        self._concept_titles = concept_titles
        self._page_ids = page_ids
        self._names = names

    @classmethod
    def open(cls, snapshot: Snapshot) -> Resolver:
        """The resolver of a snapshot.

        Raises:
            NotASnapshot: the manifest does not say what the wiki's titles are like.
            DamagedSnapshot: the file of names cannot be read.
        """
        try:
            siteinfo = Siteinfo.from_json(snapshot.manifest.siteinfo)
        except (KeyError, TypeError, ValueError) as error:
            raise NotASnapshot(
                f"{snapshot.folder} is not a snapshot: the siteinfo of its {MANIFEST} lacks {error}."
            ) from None
        return cls(
            TitleRules(siteinfo),
            snapshot.trie("titles", RECORD),
            snapshot.trie("title_variants", RECORD),
            snapshot.concept_titles,
            snapshot.array("page_ids"),
            Names(snapshot.folder / FILE),
        )

    def resolve(self, reference: str | int, *, suggest: bool = True, candidates: bool = True) -> Resolution:
        """What ``reference`` names: a title or a Wikipedia URL (str), or a page id (int).

        A URL of another wiki names no concept of this one, even where a title here is written the same.
        ``suggest``: whether to look for titles near an unknown one, which takes some milliseconds;
        ``candidates``: whether to list what an ambiguous one may mean.
        """
        if isinstance(reference, int):
            return self._by_page_id(reference)
        url = read_url(reference) if "/" in reference else None
        if url is not None and url.wiki and url.wiki not in self._wikis:
            return Resolution("unknown")
        if url is not None and url.page_id is not None:
            return self._by_page_id(url.page_id)
        title = self._rules.parse(reference if url is None else url.title)
        if title is None:
            return Resolution("invalid")
        if title.namespace != 0:
            return Resolution("unknown", title=self._rules.full(title))
        return self._by_title(title.text, suggest, candidates)

    def resolve_many(
        self, references: Sequence[str | int], suggest: int = 0, candidates: int | None = None
    ) -> list[Resolution]:
        """``resolve`` for each of ``references``; one that stands several times is looked up once.

        ``suggest``: how many of the unknown ones, the first, get suggestions; ``candidates``: how many of
        the ambiguous ones get theirs, all if None.
        """
        left = len(references) if candidates is None else candidates
        known: dict[str | int, Resolution] = {}
        for reference in references:
            if reference not in known:
                found = self.resolve(reference, suggest=suggest > 0, candidates=left > 0)
                known[reference] = found
                suggest -= found.status == "unknown"
                left -= found.status == "ambiguous"
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

    def _by_title(self, title: str, suggest: bool, candidates: bool) -> Resolution:
        found = self._titles.get(title)
        variant = found is None
        if variant:
            found = self._variants.get(fold(title))
        if found is None:
            near = self._names.near(title, SUGGESTIONS) if suggest else []
            return Resolution("unknown", title=title, suggestions=tuple(near))
        kind, concept = found[0]
        if kind == DISAMBIGUATION:
            senses = self._names.senses(title, CANDIDATES) if candidates else []
            meant = tuple(self._concept_titles[sense] for sense in senses)
            return Resolution("ambiguous", title=title, candidates=meant)
        return self._article(concept, "variant" if variant else "redirect" if kind == REDIRECT else "title")

    def _article(self, concept: int, matched: Matched) -> Resolution:
        return Resolution("ok", concept, self._concept_titles[concept], int(self._page_ids[concept]), matched)


def _codes(siteinfo: Siteinfo) -> frozenset[str]:
    """What a host of Wikipedia may be called where it serves this wiki: its language, its database's name."""
    return frozenset((siteinfo.language.lower(), siteinfo.dbname.removesuffix("wiki").replace("_", "-")))
