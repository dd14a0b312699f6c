"""Many pairs, a few at a time: what is scored in one go, so that no thread is held for long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def slices(pairs: Sequence[T], most: int, weight: Callable[[T], int], heaviest: int) -> Iterator[Sequence[T]]:
    """``pairs`` in order, ``most`` together at the most, as long as they weigh no more than ``heaviest``.

    A pair that weighs more by itself stands alone.

    >>> list(slices("aabBbbcdd", 3, lambda letter: 5 if letter == "B" else 1, 5))
    ['aab', 'B', 'bbc', 'dd']
    """
    start, total = 0, 0
    for at, pair in enumerate(pairs):
        weighs = weight(pair)
        if at > start and (at - start == most or total + weighs > heaviest):
            yield pairs[start:at]
            start, total = at, 0
        total += weighs
    if start < len(pairs):
        yield pairs[start:]
