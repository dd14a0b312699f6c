"""What was found out about terms, kept ready within a number of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")

ENTRY = 250
"""About the bytes that an entry takes beside what it holds: its place in the dictionary, key and tuple."""


class Kept(Generic[Arguments, Value]):
    """A function whose values are kept, those that were asked for last; usable from several threads.

    Bounded by bytes, since the values of long terms are hundreds of times as large as those of short ones.
    Two threads that ask for the same at once may both compute it.
    """

    def __init__(self, function: Callable[Arguments, Value], most: int, size: Callable[[Value], int]) -> None:
        """``most``: bytes that are kept; ``size``: those of a value."""
        self._function = function
        self._most = most
        self._size = size
        self._values: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.bytes = 0

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        """The function's value."""
        key = (args, *sorted(kwargs.items()))
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
                return found[0]
        value = self._function(*args, **kwargs)
        # A character of a key takes up to four bytes.
        size = ENTRY + self._size(value) + sum(4 * len(part) for part in args if isinstance(part, str))
        with self._lock:
            if key not in self._values:
                self._values[key] = value, size
                self.bytes += size
            while self.bytes > self._most and self._values:
                _, (_, freed) = self._values.popitem(last=False)
                self.bytes -= freed
        return value

    def __len__(self) -> int:
        return len(self._values)
