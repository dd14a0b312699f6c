"""From what the two sides of a pair name to two concepts, and what is said of how they were found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

import msgspec

from app.scoring.references import Mention, Reference
from features.senses.candidates import Senses
from features.senses.choosing import CandidateSenses
from snapshots.resolution import Resolution
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from wort.schemas.relatedness import Alternative, Ambiguous, Side

Pair = tuple[Reference, Reference]


class End(msgspec.Struct, frozen=True, gc=False):
    """One end of a pair: the concept, -1 where there is none, and what the answer says of it."""

    concept: int
    side: Side


@dataclass(slots=True)
class Helped:
    """The sides that got suggestions or candidates, over the batches in which a request is resolved."""

    unknown: dict[Reference, End] = field(default_factory=dict)
    ambiguous: dict[Reference, End] = field(default_factory=dict)


class PairResolver:
    """Resolves pairs against one snapshot. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, resolver: Resolver) -> None:
        self._resolver = resolver
        self._titles = snapshot.concept_titles
        self._page_ids = snapshot.page_ids
        self.senses = Senses(snapshot, resolver)

    def ends(
        self,
        references: Iterable[Reference],
        suggest: int,
        candidates: int | None,
        helped: Helped | None = None,
    ) -> dict[Reference, End]:
        """What each of some references is by itself; one that stands several times is looked up once.

        ``suggest``: how many of the unknown ones, the first, get suggestions; ``candidates``: how many of
        the ambiguous ones get theirs, all if None. ``helped``: those of earlier batches that got help, which
        count, and get the same again; those of this batch are added.
        """
        ends: dict[Reference, End] = {}
        unknown, ambiguous = ({}, {}) if helped is None else (helped.unknown, helped.ambiguous)
        for reference in references:
            if reference in ends:
                continue
            end = unknown.get(reference) or ambiguous.get(reference)
            if end is None:
                suggested = len(unknown) < suggest
                shown = candidates is None or len(ambiguous) < candidates
                end = self._end(reference, suggested, shown)
                if end.concept < 0:
                    if suggested and end.side.status == "unknown":
                        unknown[reference] = end
                    elif shown and end.side.status == "ambiguous":
                        ambiguous[reference] = end
            ends[reference] = end
        return ends

    def pairs(
        self,
        pairs: Sequence[Pair],
        suggest: int,
        candidates: int | None,
        ambiguous: Ambiguous,
        helped: Helped | None = None,
    ) -> list[tuple[End, End]]:
        """The two ends of each pair, in order.

        ``ambiguous``: whether a side that may mean several concepts stays so, or both sides' senses are
        chosen together (``features.senses.choosing``). The rest as for ``ends``.
        """
        ends = self.ends(chain.from_iterable(pairs), suggest, candidates, helped)
        of_pairs = [(ends[left], ends[right]) for left, right in pairs]
        if ambiguous == "resolve":
            for row, chosen in self._chosen(pairs, of_pairs):
                of_pairs[row] = chosen
        return of_pairs

    def _end(self, reference: Reference, suggest: bool, candidates: bool) -> End:
        """What a reference is by itself."""
        if not isinstance(reference, Mention):
            resolution = self._resolver.resolve(reference, suggest=suggest, candidates=candidates)
            return End(resolution.concept, _side(reference, resolution))
        resolution = self._resolver.resolve(reference.text, suggest=suggest, candidates=False)
        senses = self.senses.of_name(reference.text, resolution, reference.context)
        if len(senses) == 0:
            return End(-1, _side(reference.text, resolution))
        if len(senses) == 1:
            (concept,) = senses.concepts.tolist()
            return End(concept, self._sense(reference.text, senses, concept, "mention"))
        titles = tuple(self._titles[concept] for concept in senses.concepts.tolist()) if candidates else ()
        side = Side(reference.text, "ambiguous", resolution.title, None, None, candidates=titles)
        return End(-1, side)

    def _chosen(
        self, pairs: Sequence[Pair], found: Sequence[tuple[End, End]]
    ) -> Iterator[tuple[int, tuple[End, End]]]:
        """The rows of which a side is ambiguous and both have senses, and their ends with senses chosen."""
        rows = [row for row, ends in enumerate(found) if _is_ambiguous(*ends)]
        possible: dict[Reference, CandidateSenses] = {}
        for row in rows:
            for reference, end in zip(pairs[row], found[row], strict=True):
                if reference not in possible:
                    possible[reference] = self._possible(reference, end)
        # Each pair is looked at in one order: of equally good senses the first win, whichever side is left.
        asked = {
            row: min(pairs[row], pairs[row][::-1], key=_order)
            for row in rows
            if all(len(possible[reference]) for reference in pairs[row])
        }
        distinct = list(dict.fromkeys(asked.values()))
        senses = self.senses.choose([(possible[left], possible[right]) for left, right in distinct])
        chosen = zip(senses.left.tolist(), senses.right.tolist(), strict=True)
        concepts = dict(zip(distinct, chosen, strict=True))
        ends_of: dict[tuple[Reference, int], End] = {}
        for row, pair in asked.items():
            left, right = concepts[pair] if pair == pairs[row] else concepts[pair][::-1]
            for reference, end, concept in zip(pairs[row], found[row], (left, right), strict=True):
                if (reference, concept) not in ends_of:
                    ends_of[reference, concept] = self._with_sense(end, possible[reference], concept)
            yield row, (ends_of[pairs[row][0], left], ends_of[pairs[row][1], right])

    def _possible(self, reference: Reference, end: End) -> CandidateSenses:
        """What a side may mean: its concept, or its senses where it is ambiguous; nothing of other sides."""
        if end.side.status != "ambiguous":
            return CandidateSenses.known(end.concept)
        text = reference.text if isinstance(reference, Mention) else reference
        alone = self._resolver.resolve(text, suggest=False, candidates=False)
        if isinstance(reference, Mention):
            return self.senses.of_name(reference.text, alone, reference.context)
        return self.senses.of_name(alone.title or "", alone)

    def _with_sense(self, end: End, senses: CandidateSenses, concept: int) -> End:
        """The end with one of its senses chosen; as it is where it has been clear from the start."""
        if end.side.status == "ok":
            return end
        return End(concept, self._sense(end.side.asked, senses, concept, "sense"))

    def _sense(
        self, asked: str | int, senses: CandidateSenses, concept: int, matched: Literal["mention", "sense"]
    ) -> Side:
        """What is said of a side that has one of some senses."""
        others = tuple(
            Alternative(self._titles[other], self._page_ids[other], prior)
            for other, prior in senses.others(concept)
        )
        title, page_id = self._titles[concept], self._page_ids[concept]
        return Side(asked, "ok", title, page_id, matched, senses.prior(concept), others)


def _side(asked: str | int, found: Resolution) -> Side:
    if found.status == "ok":
        return Side(asked, "ok", found.title, found.page_id, found.matched)
    return Side(
        asked,
        found.status,
        found.title,
        None,
        None,
        candidates=found.candidates,
        suggestions=found.suggestions,
    )


def _is_ambiguous(left: End, right: End) -> bool:
    return "ambiguous" in (left.side.status, right.side.status)


def _order(pair: Pair) -> list[tuple[int, str, str]]:
    """What puts the two orders of a pair into an order."""
    return [
        (2, side.text, side.context or "")
        if isinstance(side, Mention)
        else (int(isinstance(side, str)), str(side), "")
        for side in pair
    ]
