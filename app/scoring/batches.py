"""Many pairs, a few at a time: what is scored in one go, so that no thread is held for long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class BatchSizes(NamedTuple):
    """How much is done in one go.

    Between two batches of a request others have their turn, and a request that nobody waits for ends.

    ``pairs``: plain pairs of concepts; a thousand take 50 milliseconds, and a quarter of a second at worst.
    ``terms``, ``term_characters``: pairs of terms, and characters of them and their contexts; half a second
    at most. ``matrix``: pairs of a matrix, and titles of one that are looked up; a tenth of a second, where
    thousands link to each of the concepts.
    """

    pairs: int = 1000
    terms: int = 50
    term_characters: int = 10_000
    matrix: int = 2000


DEFAULT_SIZES = BatchSizes()


def batches(
    items: Sequence[T], most: int, weight: Callable[[T], int], heaviest: int
) -> Iterator[Sequence[T]]:
    """``items`` in order, ``most`` together at the most, as long as they weigh no more than ``heaviest``.

    One that weighs more by itself stands alone.

    >>> list(batches("aabBbbcdd", 3, lambda letter: 5 if letter == "B" else 1, 5))
    ['aab', 'B', 'bbc', 'dd']
    """
    start, total = 0, 0
    for at, item in enumerate(items):
        weighs = weight(item)
        if at > start and (at - start == most or total + weighs > heaviest):
            yield items[start:at]
            start, total = at, 0
        total += weighs
    if start < len(items):
        yield items[start:]
