"""Whether somebody who writes a name means one of the concepts that have it as an alias.

Two signs say that something else may be meant, which has no article here. The name is a word that stands in
far more sentences than articles link to all that have it: "rose" is hardly ever Lionel Rose. Or nothing makes
it a name but that one title has it before a parenthesis: "Doctor (Doctor Who)" says that there are others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from snapshots.annotator.aliases import LONGEST, AliasSense
from snapshots.annotator.mentions import mention_of
from snapshots.annotator.word_counts import WordCounts
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from wiki.inflections import Inflection

SELDOM = 0.01
"""The links to all that have a name, and they themselves, for each sentence with it, below which it is hardly
ever theirs. Of names below it in the starter nearly all are words, of those above it most are names."""


class AliasUse:
    """Of the aliases of a snapshot, which are meant by who writes them. Usable from several threads."""

    def __init__(
        self, opened: Callable[[], tuple[WordCounts, CSR]], titles: StringTable, singular: Inflection | None
    ) -> None:
        """``opened``: the counts of words, and the in-links of the concepts, called when they are asked for.

        ``singular``: gives the singular of a noun, if it is a plural; None where no rules are known.
        """
        self._opened = opened
        self._titles = titles
        self._singular = singular

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot, singular: Inflection | None) -> AliasUse:
        """Those of a snapshot."""
        return cls(
            lambda: (WordCounts.of_snapshot(snapshot), snapshot.csr("in_links")),
            snapshot.concept_titles,
            singular,
        )

    @cached_property
    def _tables(self) -> tuple[WordCounts, CSR]:
        return self._opened()

    def is_meant(self, name: str, named: Sequence[AliasSense]) -> bool:
        """Whether ``name``, as somebody wrote it, may well mean one of ``named``, which have it as an alias.

        An abbreviation in capitals is no word, nor is a name of several words; the plural of a title means
        what the title means.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        best, key = named[0], mention_of(name, LONGEST)
        if key is None or " " in key or ("stated" in best.kinds and len(name) > 1 and name.isupper()):
            return True
        if best.kinds == ("inflected",) and self._is_plural_of(name, best.concept):
            return True
        counted, in_links = self._tables
        # Links to all that have the name are those to the best one, by its share.
        links = 1 + float(in_links.sizes(best.concept))
        return links >= SELDOM * best.share * counted.sentences(key)

    def is_one_of_several(self, named: Sequence[AliasSense]) -> bool:
        """Whether ``named`` is a single concept, whose title says by a parenthesis that there are others."""
        best = named[0]
        return best.share == 1 and best.kinds == ("unqualified",) and self._titles[best.concept].endswith(")")

    def _is_plural_of(self, name: str, concept: int) -> bool:
        singular = None if self._singular is None else self._singular(name)
        return singular is not None and singular.lower() == self._titles[concept].lower()
