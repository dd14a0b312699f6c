"""Texts to the concepts that they mention: the annotator behind the service, a little text at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.scoring.concepts import HELPED, Scorer
from app.scoring.naming.references import named
from snapshots.annotator import Annotation, Annotator
from snapshots.naming.alias_use import lists_meanings
from snapshots.snapshot import Snapshot
from wort.schemas.references import Concept
from wort.schemas.sides import Side
from wort.schemas.texts import TextAnnotation

BATCH_CHARACTERS = 2_000
"""Characters that are annotated in one go. Of a text made of the names of the 400 most linked of 28,250
articles, so many took 2 to 4 ms; the work grows with the in-links of what is mentioned, and a large Wikipedia
has more."""

_BETWEEN = re.compile(r"\n[^\S\n]*\n\s*")
_SENTENCE_ENDS = (". ", "! ", "? ", ".\n", "!\n", "?\n", "。")

Passage = tuple[int, str]
"""Where some text starts in the whole, and the text."""


OFFERED_SENSES = 8
"""Other senses of a mention that are offered, the commonest."""


@dataclass(frozen=True, slots=True)
class OfferedSense:
    """A concept that a mention may stand for, and its share of the mention, 0 where that is not known."""

    title: str
    share: float


class TextAnnotator:
    """The annotator of a snapshot, which answers with titles and page ids. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, annotator: Annotator) -> None:
        self._snapshot = snapshot
        self._annotator = annotator

    @classmethod
    def open(cls, snapshot: Snapshot) -> TextAnnotator:
        """The annotator over an open snapshot.

        Raises:
            SnapshotError: the snapshot has no mention dictionary, or was changed since it was opened.
        """
        return cls(snapshot, Annotator.of_snapshot(snapshot))

    @property
    def minimum_rho(self) -> float:
        """The least ρ of an annotation where no other is asked for."""
        return self._annotator.settings.minimum_coherence

    def undoubting(self) -> TextAnnotator:
        """The same annotator, which keeps senses that are more likely wrong than right."""
        return TextAnnotator(self._snapshot, replace(self._annotator, doubts=None))

    def warm(self) -> None:
        """Annotate a little, so that the first text does not wait for code to be compiled."""
        title = self._snapshot.concept_titles[0]
        self.found([(0, f"{title} {title}")], [0])

    def found(
        self, passages: Sequence[Passage], context: Sequence[int] = (), minimum_rho: float | None = None
    ) -> list[Annotation]:
        """The annotations of some passages of a text, in order, with their places in the text.

        Each is of a concept that can be asked for: one beyond the rows of an excerpt is left out.
        ``context``: ids of concepts that vote. ``minimum_rho``: the least ρ, in [0, 1]; None for that of the
        snapshot's build.
        """
        annotator = self._annotator if minimum_rho is None else self._annotator.keeping(minimum_rho)
        annotations = annotator.annotate_paragraphs(passages, context)
        return [annotation for annotation in annotations if annotation.concept < self._snapshot.concepts]

    def annotated(
        self, text: str, context: Sequence[int] = (), minimum_rho: float | None = None
    ) -> list[Annotation]:
        """The annotations of a whole text, as ``found``."""
        return [
            annotation
            for passages in passage_batches(text)
            for annotation in self.found(passages, context, minimum_rho)
        ]

    def described(self, text: str, annotations: Sequence[Annotation]) -> list[TextAnnotation]:
        """The annotations of ``text`` as a response has them."""
        titles, page_ids = self._snapshot.concept_titles, self._snapshot.page_ids
        return [
            TextAnnotation(
                start=annotation.start,
                end=annotation.end,
                mention=text[annotation.start : annotation.end],
                title=titles[annotation.concept],
                page_id=page_ids[annotation.concept],
                link_probability=annotation.link_probability,
                commonness=annotation.commonness,
                coherence=annotation.coherence,
                rho=annotation.rho,
            )
            for annotation in annotations
        ]


def resolved_context(scorer: Scorer, concepts: Sequence[Concept]) -> tuple[tuple[Side, ...], list[int]]:
    """The sides of the concepts of a context, and the ids of those that resolve to one, each once."""
    references = [named(concept) for concept in concepts]
    resolved = scorer.pairs.each(references, HELPED, HELPED)
    ids = dict.fromkeys(resolved[reference].concept for reference in references)
    sides = tuple(scorer.pairs.side(reference, resolved[reference]) for reference in references)
    return sides, [each for each in ids if each >= 0]


def senses_of(scorer: Scorer, mention: str, besides: int = -1) -> list[OfferedSense]:
    """What ``mention`` may stand for, the commonest first, ``OFFERED_SENSES`` at the most.

    Shares are of links; or of a name, where no link has it, or none leads to what it is taken for: links of
    a machine may all take "Windows" for windows, and what they say is then no share of what it stands for.
    ``besides``: the concept that it is taken for already, which is left out, as pages of meanings are.
    """
    dictionary, snapshot = scorer.pairs.senses.dictionary, scorer.snapshot
    number = dictionary.number(mention)
    links = dictionary.senses(number) if number >= 0 else {}
    named_so = {each.concept: each.share for each in scorer.resolver.named(mention)}
    by_name = not links or (besides in named_so and besides not in links)
    shares = named_so if by_name else links
    for concept in (*links, *named_so):
        shares.setdefault(concept, 0.0)
    for concept in scorer.resolver.senses(mention):
        shares.setdefault(concept, 0.0)
    known = sorted(
        (-share, snapshot.concept_titles[concept])
        for concept, share in shares.items()
        if concept != besides
        and 0 <= concept < snapshot.concepts
        and not lists_meanings(snapshot.concept_titles[concept])
    )
    return [OfferedSense(title, -share) for share, title in known[:OFFERED_SENSES]]


def passage_batches(text: str) -> Iterator[list[Passage]]:
    """The passages of ``text``, in order, as many together as are annotated in one go."""
    batch: list[Passage] = []
    characters = 0
    for start, passage in _passages(text):
        if batch and characters + len(passage) > BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
        batch.append((start, passage))
        characters += len(passage)
    if batch:
        yield batch


def _passages(text: str) -> Iterator[Passage]:
    """The paragraphs of ``text``, what is longer than a batch cut, with nothing left out but blanks."""
    start = 0
    for end, following in [*(match.span() for match in _BETWEEN.finditer(text)), (len(text), len(text))]:
        while end - start > BATCH_CHARACTERS:
            cut = _edge(text, start, start + BATCH_CHARACTERS)
            yield start, text[start:cut]
            start = cut
        if end > start:
            yield start, text[start:end]
        start = following


def _edge(text: str, start: int, end: int) -> int:
    """Where to cut: after the last sentence of the latter half, else after its last blank, or at its end."""
    half = (start + end) // 2
    ends = [place + len(mark) for mark in _SENTENCE_ENDS if (place := text.rfind(mark, half, end)) >= 0]
    if ends:
        return max(ends)
    blank = max(text.rfind(" ", half, end), text.rfind("\n", half, end))
    return blank + 1 if blank >= 0 else end
