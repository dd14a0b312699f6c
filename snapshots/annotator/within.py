"""Mentions within longer ones: what a text names where the longest name in it is given up.

Nothing may speak for the longest mention in "the economy of the United States", and yet the text names the
United States. A mention is tried within a longer one where stop words stand between it and the rest: of
"Pearl Harbor", neither Pearl nor Harbor is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

_LAST_WORD, _FIRST_WORD = re.compile(r"(\w+)\W*\Z"), re.compile(r"\W*(\w+)")


def without_longer(
    spots: NDArray[np.int32],
    wanted: NDArray[np.bool_],
    given_up: NDArray[np.int32],
    paragraphs: Sequence[tuple[int, str]],
    is_stop: Callable[[str], bool],
) -> NDArray[np.bool_]:
    """Which spots are left once some mentions are given up for those within them: bool[spots].

    A mention that has none within it stays, since it still votes.

    Args:
        spots: int32[spots, 4], paragraph, start, end and mention of every spot of a text.
        wanted: whether each is a link often enough to be looked at.
        given_up: int32[n, 3], paragraph, start and end of the mentions.
        paragraphs: each with where it starts in the text.
        is_stop: whether a word in small letters is a stop word.
    """
    left = np.ones(len(spots), np.bool_)
    for number, start, end in given_up.tolist():
        inside = (spots[:, 0] == number) & (spots[:, 1] >= start) & (spots[:, 2] <= end)
        whole = inside & (spots[:, 1] == start) & (spots[:, 2] == end)
        first, text = paragraphs[number]
        longer = text[start - first : end - first]
        apart = np.zeros(len(spots), np.bool_)
        for place in np.flatnonzero(inside & ~whole & wanted).tolist():
            apart[place] = _stands_apart(longer, spots[place, 1] - start, spots[place, 2] - start, is_stop)
        if apart.any():
            left &= ~inside | apart
    return left


def _stands_apart(longer: str, start: int, end: int, is_stop: Callable[[str], bool]) -> bool:
    """Whether stop words part ``longer[start:end]`` from what else there is in ``longer``."""
    beside = _LAST_WORD.search(longer, 0, start), _FIRST_WORD.match(longer, end)
    return all(word is None or is_stop(word[1].lower()) for word in beside)
