"""Strings by id, in two arrays that all processes share."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snapshots.errors import damaged


@dataclass(frozen=True, slots=True)
class StringTable:
    """Strings by id: ``offsets`` int64[n + 1] into ``data``, the UTF-8 bytes (uint8) one after another.

    ``source``: which table it is, for messages.
    """

    offsets: NDArray[np.int64]
    data: NDArray[np.uint8]
    source: str = ""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self):
            raise IndexError(f"no string {index} in a table of {len(self)}")
        string = self.data[self.offsets[index] : self.offsets[index + 1]].tobytes()
        try:
            return string.decode()
        except UnicodeDecodeError:
            raise damaged(self.source or "a table of strings", f"string {index:,} is no UTF-8") from None

    def many(self, indices: Sequence[int]) -> list[str]:
        """The strings at ``indices``, from 0 on, in less time than one by one."""
        places = np.array(indices, np.int64)
        ends, data = self.offsets[places + 1].tolist(), self.data.data
        bounds = zip(self.offsets[places].tolist(), ends, strict=True)
        try:
            return [str(data[start:end], "utf-8") for start, end in bounds]
        except UnicodeDecodeError:
            return [self[index] for index in indices]  # which says what is damaged

    @classmethod
    def of(cls, strings: Iterable[str]) -> StringTable:
        """The table that holds ``strings`` under their places."""
        # Two growing blocks, and no object for each of some million strings.
        offsets, data = array("q", [0]), bytearray()
        for string in strings:
            data += string.encode()
            offsets.append(len(data))
        return cls(np.frombuffer(offsets, np.int64), np.frombuffer(data, np.uint8))
