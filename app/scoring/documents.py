"""Two texts to how related they are: through the concepts that they mention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.scoring.concepts import Scorer
from app.scoring.matrix import Matrix
from app.scoring.terms import LONGEST_TERM
from measures import shares, text_relatedness, weight_in_text, weighted_best_matches
from measures.arrays import Floats, Ints
from measures.ranks import greatest
from snapshots.annotator import Annotation
from snapshots.snapshot import Snapshot
from wort.schemas.texts import DocumentConcept, DocumentSide, DocumentsResponse, Match

HEAVIEST = 50
"""Concepts of a text that count: each is scored with each of the other text."""


@dataclass(frozen=True, slots=True)
class ConceptBag:
    """What a text is about: its concepts, the heaviest first, without repeats.

    ``concepts`` int64[n]; ``weights`` float64[n], all above 0; ``mentions`` int64[n]: how often each is
    mentioned.
    """

    concepts: Ints
    weights: Floats
    mentions: Ints

    @classmethod
    def of(cls, snapshot: Snapshot, annotations: Sequence[Annotation]) -> ConceptBag:
        """The document that has some annotations; a concept that all articles link to has no weight."""
        mentioned = [annotation.concept for annotation in annotations]
        concepts, place = np.unique(np.array(mentioned, np.int64), return_inverse=True)
        rho = np.bincount(place, [annotation.rho for annotation in annotations], len(concepts))
        in_links = snapshot.csr("in_links").sizes(concepts)
        weights = weight_in_text(rho, in_links, snapshot.universe)
        order = greatest(weights, HEAVIEST)
        order = order[weights[order] > 0]
        return cls(concepts[order], weights[order], np.bincount(place, minlength=len(concepts))[order])


def document_relatedness(
    scorer: Scorer,
    left: ConceptBag,
    right: ConceptBag,
    explain: bool = False,
    instead: str | None = None,
) -> DocumentsResponse:
    """How related two documents are, by the scores that ``scorer`` gives their concepts.

    ``instead``: what is noted where one of them has none.
    """
    related = Matrix(scorer, left.concepts, right.concepts).filled()
    sides = [_Matched(left, right, related), _Matched(right, left, related.T)]
    none = not len(left.concepts) or not len(right.concepts)
    identical = not none and _same(left, right)
    score = None if none else 1.0 if identical else float(text_relatedness(*sides[0].sums, *sides[1].sums))
    first, second = (side.described(scorer.snapshot, explain and not none) for side in sides)
    return DocumentsResponse(
        score,
        "no-concepts" if none else "identical" if identical else "ok",
        first,
        second,
        scorer.model_info,
        scorer.snapshot_info,
        instead if none else thin_basis(first.concepts, second.concepts),
    )


def as_terms(left: str, right: str, how: str = "`POST /v1/terms/relatedness`") -> str | None:
    """That two texts can be compared as terms, and ``how``; None where one is too long for that.

    >>> as_terms("a puppy", "The dog chased the cat.", "`terms`")
    'Texts of at most 255 characters, as these are, can be compared as terms: `terms` does.'
    """
    if max(len(left), len(right)) > LONGEST_TERM or not (left.strip() and right.strip()):
        return None
    return f"Texts of at most {LONGEST_TERM} characters, as these are, can be compared as terms: {how} does."


def thin_basis(first: Sequence[DocumentConcept], second: Sequence[DocumentConcept]) -> str | None:
    """On how little a score rests, as a sentence: a text has one concept alone. None where both have more."""
    alone = [
        (place, concepts[0].title)
        for place, concepts in (("first", first), ("second", second))
        if len(concepts) == 1
    ]
    if len(alone) == 2:
        titles = " and ".join(dict.fromkeys(title for _, title in alone))
        return f"One concept was found in each text: {titles}. The score rests on that alone."
    if alone:
        ((place, title),) = alone
        return f"One concept was found in the {place} text: {title}. The score rests on it alone."
    return None


class _Matched:
    """One of two documents, and the best match of each of its concepts in the other."""

    def __init__(self, document: ConceptBag, other: ConceptBag, related: Floats) -> None:
        self.document = document
        self.other = other
        self.best = related.max(axis=1, initial=0.0)
        self.match = related.argmax(axis=1) if related.size else np.zeros(0, np.int64)

    @property
    def sums(self) -> tuple[Floats, Floats]:
        """Its weights and best scores, as the measure takes them."""
        return self.document.weights, self.best

    def described(self, snapshot: Snapshot, explain: bool) -> DocumentSide:
        """It as a response has it."""
        document = self.document
        titles, page_ids = snapshot.concept_titles, snapshot.page_ids
        matches: list[Match | None] = [None] * len(document.concepts)
        parts: list[float | None] = [None] * len(document.concepts)
        if explain:
            others = self.other.concepts[self.match].tolist()
            matches = [
                Match(titles[concept], page_ids[concept], score)
                for concept, score in zip(others, self.best.tolist(), strict=True)
            ]
            parts = weighted_best_matches(document.weights, self.best).tolist()
        rows = zip(
            document.concepts.tolist(),
            document.mentions.tolist(),
            shares(document.weights).tolist(),
            matches,
            parts,
            strict=True,
        )
        concepts = [
            DocumentConcept(titles[concept], page_ids[concept], *of_concept) for concept, *of_concept in rows
        ]
        return DocumentSide("ok" if concepts else "no-concepts", concepts)


def _same(left: ConceptBag, right: ConceptBag) -> bool:
    """Whether two texts have the same concepts, and each the same share of the one as of the other."""
    return np.array_equal(left.concepts, right.concepts) and np.allclose(
        shares(left.weights), shares(right.weights), rtol=1e-9
    )
