"""LRU caches that are bounded by bytes: what is known of terms, words and names differs much in size."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from operator import itemgetter
from typing import Generic, ParamSpec, TypeVar

from cachetools import LRUCache, cached

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")

ENTRY = 350
"""About the bytes that an entry takes beside its value and the characters of its key."""


class CachedFunction(Generic[Arguments, Value]):
    """A function whose values are kept, those that were asked for last; usable from several threads.

    ``entries``: the values and their bytes. A value that is larger than all bytes together is not kept. Two
    threads that ask for the same at once may both compute it.
    """

    def __init__(self, function: Callable[Arguments, Value], most: int, size: Callable[[Value], int]) -> None:
        """``most``: bytes that are kept; ``size``: those of a value."""
        self.entries: LRUCache[Hashable, tuple[Value, int]] = LRUCache(most, getsizeof=itemgetter(1))

        def with_size(*args: Arguments.args, **kwargs: Arguments.kwargs) -> tuple[Value, int]:
            value = function(*args, **kwargs)
            # A character of a key takes up to four bytes.
            characters = sum(len(part) for part in args if isinstance(part, str))
            return value, ENTRY + size(value) + 4 * characters

        self._cached = cached(self.entries, lock=threading.Lock())(with_size)

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        """The function's value."""
        return self._cached(*args, **kwargs)[0]
