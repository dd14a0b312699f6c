"""The annotator: the concepts that a text mentions, found as TagMe finds them."""

from snapshots.annotator.annotator import Annotation, Annotator

__all__ = ["Annotation", "Annotator"]
