"""What is random in a project, and yet the same whenever it is asked for: numbers made of names."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

PRIME = 2**31 - 1
"""Above every number that is drawn; an integer of the database holds it."""


def drawn(*names: object) -> int:
    """A number in [0, ``PRIME``) that is random by names.

    >>> drawn("an", "item") == drawn("an", "item") != drawn("ani", "tem")
    True
    """
    return int.from_bytes(_digest(names)) % PRIME


def different(count: int, *names: object) -> list[int]:
    """So many numbers in [0, ``PRIME``), no two alike, that are random by names.

    >>> len(set(different(1000, "items")))
    1000
    """
    rng = np.random.default_rng(int.from_bytes(_digest(names)))
    numbers: dict[int, None] = {}
    while len(numbers) < count:
        numbers |= dict.fromkeys(rng.integers(0, PRIME, count - len(numbers)).tolist())
    return list(numbers)


def shuffled(size: int, *names: object) -> Sequence[int]:
    """The places of so many, in the order that names stand for.

    >>> sorted(shuffled(4, "Ann", 7))
    [0, 1, 2, 3]
    """
    seed = int.from_bytes(_digest(names))
    places: list[int] = np.random.default_rng(seed).permutation(size).tolist()
    return places


def chosen(step: int, share: float, *names: object) -> bool:
    """Whether a step is one of those of a share: of each 1 / ``share`` steps one, at a place of its own.

    >>> [sum(chosen(step, 0.1, "Ann") for step in range(at, at + 10)) for at in (0, 10, 20)]
    [1, 1, 1]
    """
    if share <= 0:
        return False
    block = max(1, round(1 / share))
    return step % block == drawn(*names, step // block) % block


def _digest(names: tuple[object, ...]) -> bytes:
    return blake2b("\0".join(map(str, names)).encode(), digest_size=16).digest()
