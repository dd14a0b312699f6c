"""What is warned of where a column of pairs or concepts has gaps instead of scores."""

from __future__ import annotations


class UnscoredWarning(UserWarning):
    """Some pairs that were asked for have no score, and NaN stands in their place.

    ``warnings.filterwarnings("ignore", category=wort.UnscoredWarning)`` is for who expects that, and
    ``"error"`` instead of ``"ignore"`` for who can have no gaps.
    """
