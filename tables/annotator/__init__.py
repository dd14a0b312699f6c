"""The annotator: the concepts that a text mentions, found as TagMe finds them."""

from tables.annotator.annotator import Annotation, Annotator

__all__ = ["Annotation", "Annotator"]
