"""From what the two sides of a pair name to two concepts, and what is said of how they were found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import Literal

import msgspec
import numpy as np

from app.scoring.naming.in_capitals import Abbreviated
from app.scoring.naming.meant import MeantConcepts
from app.scoring.naming.names_in_titles import is_read_as_word
from app.scoring.naming.references import MentionReference, Reference
from app.scoring.naming.suggested import SuggestedByMeaning
from features.senses.candidates import IN_SHORT, Senses
from features.senses.choosing import OF_PRIOR, CandidatePair, CandidateSenses
from features.senses.titled import told_by_titles
from snapshots.naming.compounds import compounds
from snapshots.naming.mentions import fold
from snapshots.naming.resolution import Resolution
from snapshots.naming.resolver import CANDIDATES, SUGGESTIONS, Resolver
from snapshots.naming.suggesting import is_abbreviation
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language
from snapshots.text import words
from wort.schemas.relatedness import Ambiguous
from wort.schemas.sides import Alternative, Side

Pair = tuple[Reference, Reference]

NAMESAKES = 3
"""Other concepts of the same name that are told of."""

BETTER_KNOWN = IN_SHORT
"""What the better known concepts have of the whole prior together whose titles end with a word that an
article has for another name: American football, beside Association football."""

ALONE = 0.25
"""How near to the other side the one known person is who has a surname that means more, from which on this is
meant. On the starter Hegel and Philosophy have 0.41, Bill Joy and Unix 0.45, but Bill Joy and Happiness
nothing. Of what has a qualifier, nearness says less: Phoenix (TV series) and Arizona have more than 0.25."""


@dataclass(slots=True)
class Helped:
    """The sides that got suggestions or candidates, over the batches in which a request is resolved."""

    unknown: dict[Reference, Resolution] = field(default_factory=dict)
    ambiguous: dict[Reference, Resolution] = field(default_factory=dict)


class PairResolver:
    """Resolves pairs against one snapshot. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, resolver: Resolver) -> None:
        self._snapshot, self._resolver = snapshot, resolver
        self._titles = snapshot.concept_titles
        self._page_ids = snapshot.page_ids
        self._language = base_language(snapshot.manifest.language)
        self.senses = Senses(snapshot, resolver)
        self._abbreviated = Abbreviated(snapshot, resolver, lambda: self.senses.lexicon)
        self._suggested: SuggestedByMeaning | None = None

    def suggest_by(self, meant: MeantConcepts) -> None:
        """Suggest from now on, for an unknown name, concepts that say nearly the same too."""
        self._suggested = SuggestedByMeaning(self._snapshot, self._resolver, meant)

    def one(self, reference: Reference) -> Resolution:
        """What one reference is, with suggestions or candidates where it is no concept."""
        return self.each([reference], 1, 1)[reference]

    def each(
        self,
        references: Iterable[Reference],
        suggest: int,
        candidates: int | None,
        helped: Helped | None = None,
    ) -> dict[Reference, Resolution]:
        """What each of some references is by itself; one that stands several times is looked up once.

        ``suggest``: how many of the unknown ones, the first, get suggestions; ``candidates``: how many of
        the ambiguous ones get theirs, all if None, and the first ``suggest`` of these suggestions, too.
        ``helped``: those of earlier batches that got help, which count, and get the same again; those of
        this batch are added.
        """
        distinct = dict.fromkeys(references)
        resolved: dict[Reference, Resolution] = self._resolver.articles.find(distinct)
        unknown, ambiguous = ({}, {}) if helped is None else (helped.unknown, helped.ambiguous)
        for reference in distinct:
            if reference in resolved:
                continue
            resolution = unknown.get(reference) or ambiguous.get(reference)
            if resolution is None:
                suggested = len(unknown) < suggest
                shown = candidates is None or len(ambiguous) < candidates
                resolution = self._resolve(reference, suggested, shown)
                if suggested and resolution.status == "unknown":
                    resolution = unknown[reference] = self._with_meant(resolution, reference)
                elif shown and resolution.status == "ambiguous":
                    if len(ambiguous) < suggest:
                        resolution = self._with_meant(resolution, reference)
                    ambiguous[reference] = resolution
            resolved[reference] = resolution
        return resolved

    def pairs(
        self,
        pairs: Sequence[Pair],
        suggest: int,
        candidates: int | None,
        ambiguous: Ambiguous,
        helped: Helped | None = None,
    ) -> list[tuple[Resolution, Resolution]]:
        """What the two sides of each pair are, in order.

        ``ambiguous``: whether a side that may mean several concepts stays so, or both sides' senses are
        chosen together (``features.senses.choosing``), also of another name that most often means one of
        several. The rest as for ``each``.
        """
        resolved = self.each(chain.from_iterable(pairs), suggest, candidates, helped)
        of_pairs = [(resolved[left], resolved[right]) for left, right in pairs]
        if ambiguous == "resolve":
            for row, chosen in self._chosen(pairs, of_pairs):
                of_pairs[row] = chosen
        return of_pairs

    def side(self, reference: Reference, resolution: Resolution) -> Side:
        """What an answer says of a side: how it was understood."""
        return Side(
            reference.text if isinstance(reference, MentionReference) else reference,
            resolution.status,
            resolution.title,
            resolution.page_id,
            resolution.matched,
            resolution.prior,
            tuple(
                Alternative(self._titles[other], self._page_ids[other], prior)
                for other, prior in resolution.others
            )
            if resolution.others
            else (),
            resolution.candidates,
            resolution.suggestions,
            resolution.alias,
        )

    def namesakes(self, side: Side) -> list[str]:
        """Titles of other concepts that are called as a side's title is, ``NAMESAKES`` at the most.

        There are none of a side that was asked for otherwise than by its title, but what a name in capitals
        may abbreviate, and what an article's other word ends the title of, if it is better known; and of one
        whose sense was chosen, what its name says, but none of those has it.
        """
        if side.title is None:
            return []
        if side.matched == "sense":
            senses = (side.title, *(other.title for other in side.alternatives))
            said = [title for title in self.one(side.asked).suggestions if title not in senses]
            return list(dict.fromkeys((*said, *self.abbreviated(side.asked, side.title))))[:NAMESAKES]
        if side.matched != "title":
            kinds = self._better_known_kinds(str(side.asked), side.title, side.alias)
            return list(dict.fromkeys((*kinds, *self.abbreviated(side.asked, side.title))))[:NAMESAKES]
        return self._resolver.namesakes(side.title)[:NAMESAKES]

    def _better_known_kinds(self, name: str, title: str, alias: Collection[str]) -> list[str]:
        """Titles of what is better known than what has a word for another name, and ends with it."""
        is_word = not {"bold", "stated"}.isdisjoint(alias)
        return self._resolver.better_known_kinds(name, title) if is_word else []

    def abbreviated(self, asked: str | int, title: str) -> list[str]:
        """Titles of what a name in capitals may abbreviate that was read as another title's word."""
        if not is_read_as_word(asked, title):
            return []
        titles = (self._titles[concept] for concept in self._abbreviated.concepts(str(asked)))
        return [other for other in titles if other != title][:NAMESAKES]

    def together(self, left: Side, right: Side) -> list[str]:
        """Titles of other concepts that those of two sides make together, ``NAMESAKES`` at the most.

        Who compares Computer and Mouse may mean a Computer mouse, which no article need link to as "mouse".
        """
        if left.title is None or right.title is None or not left.status == right.status == "ok":
            return []
        made = compounds(left.title, right.title, self._resolver.article, self._language)
        return [title for title in made if title not in (left.title, right.title)][:NAMESAKES]

    def with_sense(
        self, senses: CandidateSenses, concept: int, matched: Literal["mention", "sense"]
    ) -> Resolution:
        """A side that has one of some senses."""
        return Resolution(
            "ok",
            concept,
            self._titles[concept],
            self._page_ids[concept],
            matched,
            prior=senses.prior(concept),
            others=tuple(senses.others(concept)),
        )

    def _resolve(self, reference: Reference, suggest: bool, candidates: bool) -> Resolution:
        """What a reference is by itself."""
        if not isinstance(reference, MentionReference):
            return self._likeliest_first(
                self._resolver.resolve(reference, suggest=suggest, candidates=candidates)
            )
        resolution = self._resolver.resolve(reference.text, suggest=suggest, candidates=False)
        senses = self.senses.of_name(reference.text, resolution, reference.context)
        if len(senses) == 0:
            return resolution
        if len(senses) == 1:
            (concept,) = senses.concepts.tolist()
            return self.with_sense(senses, concept, "mention")
        titles = tuple(self._titles[concept] for concept in senses.concepts.tolist()) if candidates else ()
        return Resolution("ambiguous", title=resolution.title, candidates=titles)

    def _likeliest_first(self, resolution: Resolution) -> Resolution:
        """An ambiguous title with its candidates as somebody is to choose among them (``Senses.shown``).

        How often articles link to a concept says less: they may do so by other names. What no link under this
        name leads to stays as it was, by its in-links.
        """
        if len(resolution.candidates) < 2:
            return resolution
        title, most = resolution.title or "", len(resolution.candidates)
        likely = self.senses.shown(title, resolution)
        possible = set(self._resolver.senses(title, limit=None))
        possible.update(in_short := self._resolver.called_in_short(title, tuple(possible)))
        most = min(most + len(in_short), CANDIDATES)
        meant = [self._titles[concept] for concept in likely if concept in possible]
        # In front stands what is meant sooner than any that the name is one of: "Yankees", a team.
        sooner = takewhile(lambda each: self._resolver.article(each) not in possible, resolution.candidates)
        titles = tuple(dict.fromkeys((*sooner, *meant, *resolution.candidates)))[:most]
        return msgspec.structs.replace(resolution, candidates=titles)

    def _with_meant(self, resolution: Resolution, reference: Reference) -> Resolution:
        """A name of no concept, or of several, with what says nearly the same, where an encoder can tell.

        In front stands what articles call by capitals that are no name: Tuberculosis, "TB".
        """
        if self._suggested is not None:
            resolution = self._suggested.beside(resolution, reference)
        title = resolution.title or ""
        if resolution.status != "unknown" or not is_abbreviation(title):
            return resolution
        suggestions = self._abbreviated.with_called(title, resolution.suggestions)
        return msgspec.structs.replace(resolution, suggestions=suggestions[:SUGGESTIONS])

    def _chosen(
        self, pairs: Sequence[Pair], resolved: Sequence[tuple[Resolution, Resolution]]
    ) -> Iterator[tuple[int, tuple[Resolution, Resolution]]]:
        """The rows of which a side may mean several and both have senses, with senses chosen for both."""
        rows = [row for row, sides in enumerate(resolved) if any(map(may_mean_several, sides))]
        possible: dict[Reference, CandidateSenses] = {}
        for row in rows:
            for reference, resolution in zip(pairs[row], resolved[row], strict=True):
                if reference not in possible:
                    possible[reference] = self.possible(reference, resolution)
        # Each pair is looked at in one order: of equally good senses the first win, whichever side is left.
        asked = {
            row: min(pairs[row], pairs[row][::-1], key=_order)
            for row in rows
            if all(len(possible[reference]) for reference in pairs[row])
        }
        distinct = list(dict.fromkeys(asked.values()))
        weighed = {reference: weighed_senses(reference, senses) for reference, senses in possible.items()}
        concepts: dict[Pair, tuple[int, int]] = {}
        # A context says what is meant, and the other side adds no more to it than it does to a term.
        within = [pair for pair in distinct if any(map(_context_of, pair))]
        alone = [pair for pair in distinct if not any(map(_context_of, pair))]
        for some, choose in ((alone, self.senses.choose_of_names), (within, self.senses.choose)):
            senses = choose(self._told(some, weighed))
            concepts |= zip(some, zip(senses.left.tolist(), senses.right.tolist(), strict=True), strict=True)
        for row, pair in asked.items():
            of_left, of_right = concepts[pair] if pair == pairs[row] else concepts[pair][::-1]
            (left, right), (first, second) = pairs[row], resolved[row]
            is_open = any(
                self._is_open(each, possible[side])
                for each, side in zip(resolved[row], pairs[row], strict=True)
            )
            if is_open and not self._are_near(resolved[row], of_left, of_right):
                continue
            # A side that was clear from the start stays as it is.
            yield (
                row,
                (
                    first if first.concept == of_left else self.with_sense(possible[left], of_left, "sense"),
                    second
                    if second.concept == of_right
                    else self.with_sense(possible[right], of_right, "sense"),
                ),
            )

    def _is_open(self, resolution: Resolution, senses: CandidateSenses) -> bool:
        """Whether one sense alone is known of a surname that means more: Bill Joy, of "Joy"."""
        is_one = resolution.status == "ambiguous" and len(senses) == 1
        return is_one and bool(self._resolver.named(resolution.title or ""))

    def _are_near(self, sides: tuple[Resolution, Resolution], left: int, right: int) -> bool:
        """Whether the concepts of two sides are so near that an open one means its only known sense."""
        if left == right:
            return any(side.status == "ok" for side in sides)
        return bool(self.senses.nearness_of_names(np.array([left]), np.array([right]))[0] >= ALONE)

    def _told(
        self, pairs: Sequence[Pair], weighed: Mapping[Reference, CandidateSenses]
    ) -> list[CandidatePair]:
        """The senses of some pairs, those that titles tell of likelier than the others (``told_by_titles``).

        Where a context was given, that says more.
        """
        said = {
            reference: [frozenset(words(fold(self._titles[concept]))) for concept in senses.concepts.tolist()]
            for reference, senses in weighed.items()
        }
        sides = [((left, right), (weighed[left], weighed[right])) for left, right in pairs]
        return [
            senses if any(map(_context_of, pair)) else told_by_titles(senses, (said[pair[0]], said[pair[1]]))
            for pair, senses in sides
        ]

    def possible(self, reference: Reference, resolution: Resolution) -> CandidateSenses:
        """What a side may mean: its concept, or its senses where it is ambiguous; nothing of other sides.

        Of another name that is mostly one concept's, those that have it, and the better known that end with
        it. Where one sense alone is known of another name that means more, there is nothing to choose: that
        "doctor" is Doctor (Doctor Who) has to be said by who asks. For a surname, the other side may speak,
        too (``ALONE``).
        """
        text = reference.text if isinstance(reference, MentionReference) else reference
        if resolution.status == "ok" and may_mean_several(resolution):
            return self._of_other_name(str(text), resolution)
        if resolution.status != "ambiguous":
            return CandidateSenses.known(resolution.concept)
        alone = self._resolver.resolve(text, suggest=False, candidates=False)
        if isinstance(reference, MentionReference):
            senses = self.senses.of_name(reference.text, alone, reference.context)
        else:
            senses = self.senses.of_name(alone.title or "", alone)
        named = self._resolver.named(alone.title or "")
        is_no_surname = bool(named) and not any("surname" in each.kinds for each in named)
        return CandidateSenses.known(-1) if len(senses) == 1 and is_no_surname else senses

    def _of_other_name(self, name: str, resolution: Resolution) -> CandidateSenses:
        """What another name may mean that is mostly one concept's."""
        shares = {resolution.concept: resolution.prior or 0.0, **dict(resolution.others)}
        kinds = self._better_known_kinds(name, resolution.title or "", resolution.alias)
        known = {self._resolver.article(title) for title in kinds} - shares.keys()
        if known:
            total = sum(shares.values())
            shares = {concept: share * (1 - BETTER_KNOWN) for concept, share in shares.items()}
            shares |= dict.fromkeys(sorted(known), total * BETTER_KNOWN / len(known))
        return CandidateSenses.likeliest((concept, share, 0) for concept, share in shares.items())


def may_mean_several(resolution: Resolution) -> bool:
    """Whether a side may mean several concepts, though it may be mostly one of them that has the name."""
    return resolution.status == "ambiguous" or resolution.matched == "alias"


def weighed_senses(reference: Reference, senses: CandidateSenses) -> CandidateSenses:
    """The senses of a name with priors as they count beside others: in full where a context made them."""
    return senses if _context_of(reference) else senses.weighed(OF_PRIOR)


def _context_of(reference: Reference) -> str | None:
    """The text around a mention, where there is one."""
    return reference.context if isinstance(reference, MentionReference) else None


def _order(pair: Pair) -> list[tuple[int, str, str]]:
    """What puts the two orders of a pair into an order."""
    return [
        (2, side.text, side.context or "")
        if isinstance(side, MentionReference)
        else (int(isinstance(side, str)), str(side), "")
        for side in pair
    ]
