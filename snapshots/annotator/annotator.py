"""The annotator: which concepts a text mentions, and where (TagMe, Ferragina & Scaiella 2010)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from measures.arrays import Array
from snapshots.annotator.addresses import outside
from snapshots.annotator.alias_mentions import AliasMentions
from snapshots.annotator.alone import NEAR, are_alone, are_whole
from snapshots.annotator.annotation import Annotation, as_doubted
from snapshots.annotator.doubting.doubts import DoubtedSense, Doubts
from snapshots.annotator.kernels import longest_spots, vote
from snapshots.annotator.leads import Fits, Leads, SenseShares, no_cosines
from snapshots.annotator.names.spelt import LINKED
from snapshots.annotator.spotting import Spotter
from snapshots.annotator.windows import windows
from snapshots.annotator.within import without_longer
from snapshots.arrays import map_array, map_csr
from snapshots.csr import CSR
from snapshots.errors import SnapshotError, damaged
from snapshots.naming.aliases import Aliases
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot

TRIE = "mentions.marisa"
"""The file that holds the mention dictionary, in a stage's folder and in a snapshot."""

TRIED_WITHIN = 3
"""How often mentions are tried within longer ones that were pruned."""


@dataclass(frozen=True, slots=True)
class Passages:
    """Paragraphs as the annotator takes them in bulk.

    ``spots`` int32[n, 4]: paragraph, start, end and mention of every spot, in this order; ``links``
    int32[m, 4]: paragraph, start, end and concept of what is known, ordered likewise, without overlaps;
    ``context`` int32[paragraphs, k]: concepts that every paragraph is about.
    """

    spots: NDArray[np.int32]
    links: NDArray[np.int32]
    context: NDArray[np.int32]


class Annotations(NamedTuple):
    """Annotations as parallel arrays, ordered by paragraph and start.

    ``spans`` int32[n, 3]: paragraph, start and end; ``mention`` is -1 for a link that was given.
    """

    spans: NDArray[np.int32]
    mention: NDArray[np.int32]
    concept: NDArray[np.int32]
    link_probability: NDArray[np.float32]
    commonness: NDArray[np.float32]
    coherence: NDArray[np.float32]
    rho: NDArray[np.float32]


@dataclass(eq=False)
class Annotator:
    """Finds mentions and chooses their senses. Reads only; usable from several threads.

    ``link_probability`` float32[mentions]; ``senses``: mentions by concepts, commonness; ``in_links``:
    concepts by concepts; ``universe``: the number of concepts behind relatedness. In an excerpt,
    a concept beyond the rows of ``in_links`` has no voice, but may still be the commonest sense. ``aliases``:
    names beyond the dictionary, which count in a text; ``leads``: what articles begin with, by which
    senses are chosen again; ``doubts``: which of the senses are then more likely wrong than right. A build,
    which counts links, looks at none of these.
    """

    spotter: Spotter
    link_probability: NDArray[np.float32]
    senses: CSR
    in_links: CSR
    universe: int
    settings: BuildSettings
    aliases: AliasMentions | None = None
    leads: Leads | None = None
    doubts: Doubts | None = None

    @property
    def commonness(self) -> Array:
        """The values of ``senses``."""
        return np.zeros(0, np.float32) if self.senses.values is None else self.senses.values

    @classmethod
    def of_stages(cls, anchors: Path, links: Path, settings: BuildSettings) -> Self:
        """The annotator over what the stages "anchors" and "links" left in their folders."""
        in_links = map_csr(links, "in_links")
        return cls(
            Spotter.open(anchors / TRIE),
            map_array(anchors / "link_probability.npy"),
            map_csr(anchors, "senses"),
            in_links,
            in_links.columns,
            settings,
        )

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Self:
        """The annotator over a snapshot's tables, with the settings that it was built with.

        Raises:
            SnapshotError: the snapshot has no mention dictionary, was changed since it was opened, or is
                damaged.
        """
        if not (snapshot.folder / TRIE).is_file():
            raise SnapshotError(
                f"{snapshot.folder} has no mention dictionary ({TRIE}), so it cannot annotate texts. "
                "Build a snapshot with `wort build`, or name another."
            )
        spotter = Spotter.of_snapshot(snapshot)
        aliases = AliasMentions.of_snapshot(snapshot, spotter)
        if aliases is None:
            doubts = Doubts.of_snapshot(snapshot, Aliases.none())
        else:
            doubts = Doubts.of_snapshot(snapshot, aliases.aliases, aliases.surnames)
        return cls(
            spotter,
            snapshot.array("link_probability"),
            snapshot.csr("senses"),
            snapshot.csr("in_links"),
            snapshot.universe,
            msgspec.convert(snapshot.manifest.settings, BuildSettings),
            aliases,
            Leads.of_snapshot(snapshot),
            doubts,
        )

    def keeping(self, minimum_coherence: float) -> Annotator:
        """The same annotator, which prunes what has a ρ below ``minimum_coherence`` and nothing else."""
        settings = msgspec.structs.replace(self.settings, minimum_coherence=minimum_coherence)
        return replace(self, settings=settings)

    def annotate(self, text: str, context: Sequence[int] = ()) -> list[Annotation]:
        """The annotations of ``text``, from left to right, without overlaps.

        ``context``: concepts that the text is known to be about; they vote, but are not annotated.
        """
        return self.annotate_paragraphs([(0, text)], context)

    def annotate_paragraphs(
        self, paragraphs: Sequence[tuple[int, str]], context: Sequence[int] = ()
    ) -> list[Annotation]:
        """The annotations of some paragraphs of a text, each with where it starts there, in order.

        A mention takes part in the choice of senses in its own paragraph alone. The places of annotations are
        those in the text; ``context`` as for ``annotate``.
        """
        nothing = np.zeros((0, 4), np.int32)
        spots = [self._spots_of(number, *paragraph) for number, paragraph in enumerate(paragraphs)]
        all_spots = np.concatenate([nothing, *spots])
        if not len(all_spots):
            return []
        around = np.tile(np.array(context, np.int32), (len(paragraphs), 1))
        if self.aliases is None:
            spans, *others = self.annotate_passages(Passages(all_spots, nothing, around))
        else:
            # Of the few mentions of a text, aliases among them, tables are made that have a row for each.
            mentions, all_spots[:, 3] = np.unique(all_spots[:, 3], return_inverse=True)
            tables = self.aliases.tables(mentions, self.link_probability, self.senses)
            # Whoever gives a name and nothing else has something in mind, however seldom it is a link.
            whole = all_spots[are_whole(all_spots, paragraphs, self.aliases.is_stop), 3]
            tables[0][whole] = np.maximum(tables[0][whole], LINKED)
            own = replace(self, link_probability=tables[0], senses=tables[1], aliases=None)
            passages = Passages(all_spots, nothing, around)
            spans, numbers, *others = own._annotate_within(passages, paragraphs, self.aliases.is_stop)
            others.insert(0, mentions[numbers])
        columns = [column.tolist() for column in (spans[:, 1], spans[:, 2], *others)]
        annotations = [Annotation(*row) for row in zip(*columns, strict=True)]
        numbers = spans[:, 0].tolist()
        shares: dict[int, float] = {}
        if self.leads is not None:
            annotations, shares = self._by_leads(self.leads, paragraphs, numbers, annotations, context)
        least = self.settings.minimum_coherence
        kept = [place for place, each in enumerate(annotations) if each.rho >= least]
        if self.doubts is not None and kept:
            texts = [text for _, text in paragraphs]
            chosen = [
                as_doubted(annotations[each], numbers[each], paragraphs[numbers[each]][0], shares.get(each))
                for each in kept
            ]
            for short, full in self.doubts.full_names(texts, chosen, context).items():
                annotations[kept[short]] = annotations[kept[short]].standing_for(annotations[kept[full]])
                taken = chosen[full]
                chosen[short] = taken._replace(
                    paragraph=chosen[short].paragraph, start=chosen[short].start, end=chosen[short].end
                )
            likely = self.doubts.likely(texts, chosen, context)
            left = np.flatnonzero(likely).tolist()
            kept, chosen = [kept[place] for place in left], [chosen[place] for place in left]
            for short, longer in self.doubts.longer_before(texts, chosen, context).items():
                annotations[kept[short]] = annotations[kept[short]].standing_for(annotations[kept[longer]])
        return [annotations[place] for place in kept]

    def _by_leads(
        self,
        leads: Leads,
        paragraphs: Sequence[tuple[int, str]],
        numbers: list[int],
        annotations: list[Annotation],
        context: Sequence[int],
    ) -> tuple[list[Annotation], dict[int, float]]:
        """The annotations, with the senses that ``leads`` speak for, of those that are written so.

        And the shares that these have by the second look, where there are several, by place.
        """
        concepts, senses_of = [annotation.concept for annotation in annotations], cache(self._senses_of)

        def senses(place: int) -> SenseShares:
            one, (start, text) = annotations[place], paragraphs[numbers[place]]
            every = senses_of(one.mention)
            if self.doubts is None or len(every.concepts) < 2:
                return every
            span = one.start - start, one.end - start
            return every.only(self.doubts.may_be(text, *span, every.concepts.tolist()))

        fits: Fits = no_cosines
        if self.doubts is not None:
            rows = zip(annotations, numbers, strict=True)
            placed = [as_doubted(one, number, paragraphs[number][0]) for one, number in rows]
            fits = self.doubts.fits([text for _, text in paragraphs], placed, context)
        looked = leads.second_look(numbers, concepts, senses, context, fits)
        for each in looked:
            one = annotations[each.place]
            if each.concept == one.concept:
                continue
            coherence = leads.coherence(each.concept, each.around)
            alone = not each.around and each.fit >= NEAR
            rho = one.link_probability if alone else (one.link_probability + coherence) / 2
            annotations[each.place] = replace(
                one, concept=each.concept, commonness=each.share, coherence=coherence, rho=rho
            )
        return annotations, {each.place: each.likely_share for each in looked}

    def _senses_of(self, mention: int) -> SenseShares:
        """What a mention may stand for, by editors' links and as an alias: as many as may be candidates."""
        shares: dict[int, float] = {}
        if self.aliases is not None:
            row = self.aliases.row(mention, self.link_probability, self.senses)
            shares = dict(zip(row.concepts.tolist(), row.shares.tolist(), strict=True))
            for named in self.aliases.named(mention):
                shares.setdefault(named.concept, named.share)
            placed = self.aliases.placed(mention, list(shares))
            rest = 1 - sum(each.share for each in placed)
            shares = {concept: rest * share for concept, share in shares.items()}
            shares |= {each.concept: each.share for each in placed}
        elif mention < self.senses.rows:
            row_values = self.senses.row_values(mention)
            shares = dict(zip(self.senses.row(mention).tolist(), row_values.tolist(), strict=True))
        kept = sorted(shares.items(), key=lambda item: -item[1])[: self.settings.candidate_senses]
        kept = [each for each in kept if each[1] >= self.settings.minimum_commonness]
        return SenseShares(
            np.array([each for each, _ in kept], np.int64), np.array([share for _, share in kept])
        )

    def _spots_of(self, number: int, start: int, paragraph: str) -> NDArray[np.int32]:
        """The spots of a paragraph, at their places in the text, with the paragraph's number in front."""
        spots = self.spotter.spots(paragraph)
        if self.aliases is not None:
            spots = self.aliases.spots(paragraph, spots, self._is_linked)
        spots = outside(paragraph, spots)
        spots[:, :2] += start
        return np.column_stack([np.full(len(spots), number, np.int32), spots])

    def _is_linked(self, mention: int) -> bool:
        often = self.link_probability[mention] >= self.settings.minimum_link_probability
        return bool(often) and not (self.aliases is not None and self.aliases.is_none(mention, self.senses))

    def annotate_passages(self, passages: Passages) -> Annotations:
        """The annotations of many paragraphs at once, the links that were given among them."""
        return self._kept_of(self._chosen(passages))

    def _annotate_within(
        self, passages: Passages, paragraphs: Sequence[tuple[int, str]], is_stop: Callable[[str], bool]
    ) -> Annotations:
        """As ``annotate_passages``, but for mentions that are tried within longer ones that are pruned."""
        chosen = self._chosen_of_text(passages, paragraphs)
        for _ in range(TRIED_WITHIN):
            given_up = chosen.spans[~self._is_kept(chosen)]
            left = without_longer(
                passages.spots, self._are_wanted(passages.spots), given_up, paragraphs, is_stop
            )
            if left.all():
                break
            passages = replace(passages, spots=passages.spots[left])
            chosen = self._chosen_of_text(passages, paragraphs)
        return self._kept_of(chosen)

    def _chosen_of_text(self, passages: Passages, paragraphs: Sequence[tuple[int, str]]) -> Annotations:
        """As ``_chosen``; but ρ is the link probability of what stands by itself among words that fit it."""
        chosen = self._chosen(passages)
        alone = are_alone(chosen.spans[:, 0]) & (chosen.concept >= 0)
        if self.doubts is None or passages.context.shape[1] or not alone.any():
            return chosen
        doubted = [
            DoubtedSense(number, start - first, end - first, concept, 0.0, 0.0, 0.0)
            for (number, start, end), concept in zip(
                chosen.spans[alone].tolist(), chosen.concept[alone].tolist(), strict=True
            )
            for first in [paragraphs[number][0]]
        ]
        near = self.doubts.cosines([text for _, text in paragraphs], doubted) >= NEAR
        rho = chosen.rho.copy()
        rho[alone] = np.where(near, chosen.link_probability[alone], rho[alone])
        return chosen._replace(rho=rho)

    def _are_wanted(self, spots: NDArray[np.int32]) -> NDArray[np.bool_]:
        probabilities = self.link_probability[spots[:, 3]]
        wanted: NDArray[np.bool_] = probabilities >= self.settings.minimum_link_probability
        return wanted

    def _kept_of(self, chosen: Annotations) -> Annotations:
        kept = self._is_kept(chosen)
        return Annotations._make(column[kept] for column in chosen)

    def _is_kept(self, chosen: Annotations) -> NDArray[np.bool_]:
        """Which annotations are not pruned."""
        likely = (chosen.rho >= self.settings.minimum_coherence) & (chosen.concept >= 0)
        return likely | (chosen.mention < 0)

    def _chosen(self, passages: Passages) -> Annotations:
        """The annotations before any is pruned."""
        spots, links = passages.spots, passages.links
        wanted = self._are_wanted(spots)
        spots = spots[longest_spots(spots[:, 0], spots[:, 1], spots[:, 2], wanted, links[:, :3])]
        spans = np.concatenate([spots[:, :3], links[:, :3]])
        order = np.lexsort((spans[:, 1], spans[:, 0]))
        mention = np.concatenate([spots[:, 3], np.full(len(links), -1, np.int32)])[order]
        known = np.concatenate([np.full(len(spots), -1, np.int32), links[:, 3]])[order]
        spans = spans[order]
        concept, commonness, coherence = self._choose(spans[:, 0], mention, known, passages.context)
        given = mention < 0
        probability = np.ones(len(mention), np.float32)
        probability[~given] = self.link_probability[mention[~given]]
        rho = (probability + coherence) / np.float32(2)
        return Annotations(spans, mention, concept, probability, commonness, coherence, rho)

    def _choose(
        self,
        paragraph: NDArray[np.int32],
        mention: NDArray[np.int32],
        known: NDArray[np.int32],
        context: NDArray[np.int32],
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]:
        """Concept, commonness and coherence of every mention, chosen window by window.

        A paragraph is cut into equal windows of at most ``window_mentions``, and its context is put at the
        end of each.

        Raises:
            DamagedSnapshot: a table names concepts that there are not.
        """
        cuts = windows(paragraph, self.settings.window_mentions)
        # Every window's context is appended to its mentions, so that it votes like a mention whose sense
        # is known.
        around = context[paragraph[cuts[:-1]]]
        places = np.repeat(cuts[1:], around.shape[1])
        voters = np.insert(known, places, around.ravel())
        own = np.insert(np.ones(len(known), bool), places, False)
        try:
            result = vote(
                cuts + around.shape[1] * np.arange(len(cuts)),
                np.insert(mention, places, -1),
                voters,
                self.senses.indptr,
                self.senses.indices,
                self.commonness,
                self.in_links.indptr,
                self.in_links.indices,
                self.universe,
                self.settings.candidate_senses,
                self.settings.minimum_commonness,
                self.settings.sense_epsilon,
                np.zeros(self.in_links.columns, np.uint8),
            )
        except IndexError:
            raise damaged(
                f"{self.senses.source or 'senses'} or in_links", "it names concepts that there are not"
            ) from None
        concept, commonness, coherence = (column[own] for column in result)
        return concept, commonness, coherence
