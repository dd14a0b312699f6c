"""Which concepts each sentence or paragraph of a document mentions."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal

from datasets.selection.texts import Document
from snapshots.annotator import Annotator
from snapshots.text import sentences

Unit = Literal["sentence", "paragraph"]
"""What is counted: a concept is in a unit or not, however often."""


def concepts_of_units(annotator: Annotator, document: Document, unit: Unit, article: int) -> list[set[int]]:
    """The concepts of each unit of a document, in order.

    Senses are chosen among the mentions of the whole paragraph, with the ``article``'s concept as context.
    """
    starts: list[int] = []
    paragraphs: list[tuple[int, str]] = []
    offset = 0
    for paragraph in document.paragraphs:
        paragraphs.append((offset, paragraph))
        starts += [offset] if unit == "paragraph" else [offset + place for place in _places(paragraph)]
        offset += len(paragraph) + 1
    units: list[set[int]] = [set() for _ in starts]
    for annotation in annotator.annotate_paragraphs(paragraphs, [article]):
        units[bisect_right(starts, annotation.start) - 1].add(annotation.concept)
    return units


def _places(paragraph: str) -> list[int]:
    """Where each sentence of a paragraph starts; the first at 0, whatever stands before it."""
    places = []
    end = 0
    for sentence in sentences(paragraph):
        start = paragraph.index(sentence, end)
        places.append(start)
        end = start + len(sentence)
    return [0, *places[1:]]
