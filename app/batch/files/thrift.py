"""Thrift's compact protocol, in which Parquet writes what stands beside its values: the footer, page headers.

Only to look before somebody else reads: every field of a struct, by its number, without names.
Source: Apache Thrift, ``doc/specs/thrift-compact-protocol.md``.
"""

from __future__ import annotations

import struct
from typing import Any

Struct = dict[int, Any]
"""The fields of a struct: numbers, bytes, truth values, lists, structs."""

DEPTH = 32
"""Structs and lists within each other."""

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_BITS = {_I16: 16, _I32: 32, _I64: 64}


class NotThrift(ValueError):
    """The bytes are none of the protocol, or not such as this reads."""


class Truncated(NotThrift):
    """The bytes end before the struct does."""


class CompactReader:
    """Reads structs from ``data``, one after another; ``at`` is where the next begins.

    ``most``: values that it may hold, so that a few bytes do not become any number of them.
    """

    def __init__(self, data: bytes, most: int) -> None:
        self.at = 0
        self._data = data
        self._left = most

    def struct(self, depth: int = 0) -> Struct:
        """The next struct.

        Raises:
            Truncated: the data ends within it.
            NotThrift: it is none; nests too deeply, holds too much, or says a field twice.
        """
        fields: Struct = {}
        number = 0
        while (head := self._byte()) != 0:
            kind, step = head & 0x0F, head >> 4
            number = number + step if step else self._integer(_I16)
            if number in fields:
                raise NotThrift(f"field {number} stands twice")
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:  # noqa: ANN401 - what a field may hold
        self._left -= 1
        if self._left < 0 or depth > DEPTH:
            raise NotThrift("it holds too much, or is nested too deeply")
        if kind in _BITS:
            return self._integer(kind)
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_LIST, _SET):
            return self._list(depth + 1)
        if kind in (_BYTE, _TRUE, _FALSE):
            return self._byte()
        if kind == _DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        # Parquet has no maps.
        raise NotThrift(f"type {kind} is none")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4
        if size == 15:
            size = self._unsigned()
        if size > len(self._data) - self.at:
            raise Truncated
        return [self._value(head & 0x0F, depth) for _ in range(size)]

    def _byte(self) -> int:
        if self.at >= len(self._data):
            raise Truncated
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        if size > len(self._data) - self.at:
            raise Truncated
        self.at += size
        return self._data[self.at - size : self.at]

    def _unsigned(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise NotThrift("a number is too long")

    def _integer(self, kind: int) -> int:
        zigzag = self._unsigned()
        if zigzag >> _BITS[kind]:
            raise NotThrift("a number is too large")
        return (zigzag >> 1) ^ -(zigzag & 1)
