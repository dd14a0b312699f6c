"""What the annotator finds: mentions, and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from snapshots.annotator.doubting.doubts import DoubtedSense


@dataclass(frozen=True, slots=True)
class Annotation:
    """A mention in a text and the concept that it stands for.

    ``text[start:end]`` is the mention as written, ``mention`` its id; the ids of aliases, of titles as they
    are spelt and of surnames by themselves come behind those of mentions. ``rho``, by which annotations are
    pruned, is the mean of link probability and coherence; of the only mention of a paragraph, among words
    that fit it, the link probability. All four numbers lie in [0, 1]. Those of a mention that is short for a
    longer one before it, or the surname of a full name, are the longer one's.
    """

    start: int
    end: int
    mention: int
    concept: int
    link_probability: float
    commonness: float
    coherence: float
    rho: float

    def standing_for(self, other: Annotation) -> Annotation:
        """This mention, taken for what ``other`` is: ``other``, but for the place and the mention's id."""
        return replace(other, start=self.start, end=self.end, mention=self.mention)


def as_doubted(
    annotation: Annotation, number: int, start: int, commonness: float | None = None
) -> DoubtedSense:
    """An annotation as it is doubted: of the paragraph with this number, which starts there in the text.

    ``commonness``: what the second look made of its own; None where it is that.
    """
    return DoubtedSense(
        number,
        annotation.start - start,
        annotation.end - start,
        annotation.concept,
        annotation.link_probability,
        annotation.commonness if commonness is None else commonness,
        annotation.coherence,
    )
