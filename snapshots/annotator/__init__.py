"""The annotator: the concepts that a text mentions, found as TagMe finds them.

``names`` has how a text writes names, ``doubting`` what is left out of that which was found.
"""

from snapshots.annotator.annotation import Annotation
from snapshots.annotator.annotator import Annotator

__all__ = ["Annotation", "Annotator"]
