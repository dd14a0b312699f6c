"""Steps: compiled functions, each bound to what it reads, that compiled code runs one after another.

A call from Python takes a microsecond or more, whatever it does: each argument is looked at, and turned into
what machine code takes. So what is always done together is bound once, and run by a single call. A step is a
function of ``(bound, left, right, rows, row)``: ``bound[0]`` is the tuple that it was bound to, ``left`` and
``right``, int64[n], are what it looks at, and it writes into ``rows``, float64[size, n], from ``row`` on.

Steps are called by their addresses: whatever are run together, none is compiled for it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.extending import intrinsic

from jit.compiled import compiled
from jit.simd import Intrinsic, Numba
from measures.arrays import Floats, Ints

Bound = Sequence[Any]
"""Where a step finds what it was bound to: a pointer, of which ``[0]`` is the tuple."""

Step = Callable[[Bound, Ints, Ints, Floats, int], None]
"""A compiled function that can be run with others."""

_TAKES = (types.int64[::1], types.int64[::1], types.float64[:, ::1], types.intp)
"""What a step takes beside what it is bound to."""


class Program:
    """Steps that run one after another, and what they are bound to. ``size``: how many rows they write.

    ``calls`` int64[steps, 3] is what ``run`` takes: the addresses of each step's machine code and of what it
    is bound to, and its row. They hold as long as this is kept.
    """

    def __init__(
        self, steps: Sequence[tuple[Step, tuple[Any, ...], int]], size: int, inner: Program | None = None
    ) -> None:
        """``steps``: of each the function, what it is bound to, and the row from which on it writes.

        What a step is bound to are arrays, numbers, None, and tuples of these. ``inner``: steps that one of
        these runs, kept with them.
        """
        self.size, self._inner = size, inner
        self._bound = [(bound, np.frombuffer(b"".join(_fields(bound)))) for _, bound, _ in steps]
        calls = [
            (_address(step, typeof(bound)), fields.ctypes.data, row)
            for (step, _, row), (bound, fields) in zip(steps, self._bound, strict=True)
        ]
        self.calls: Ints = np.array(calls, np.int64).reshape(-1, 3)


def _address(step: Step, bound: Numba) -> int:
    """Where the machine code of a step is that is bound to a tuple of some type."""
    takes = (types.CPointer(bound), *_TAKES)
    dispatcher: Numba = step
    dispatcher.compile(takes)
    made = dispatcher.overloads[takes]
    return cast(int, made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def _fields(value: Any) -> Iterator[bytes]:  # noqa: ANN401  # whatever a step is bound to
    """A value as it lies in memory for compiled code, eight bytes a field."""
    match value:
        case tuple():
            for part in value:
                yield from _fields(part)
        case np.ndarray():
            # Nobody counts references to it, as the first two fields would have it: it is kept.
            place = (value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)
            yield struct.pack(f"{len(place) + 2}q", 0, 0, *place)
        case None:
            yield struct.pack("q", 0)
        case _ if type(value) is int:
            yield struct.pack("q", value)
        case _ if type(value) is float:
            yield struct.pack("d", value)
        case _:
            raise TypeError(f"a step cannot be bound to a {type(value).__name__}")


def _call(
    _: Numba, address: Numba, bound: Numba, left: Numba, right: Numba, rows: Numba, row: Numba
) -> Intrinsic:
    """Call the machine code at an address, a step's, with the address of what it is bound to."""

    def write(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        address, bound, *given = arguments
        takes, convention = (types.voidptr, *_TAKES), context.call_conv
        function = convention.get_function_type(types.none, takes).as_pointer()
        pointers = builder.inttoptr(address, function), builder.inttoptr(bound, ir.IntType(8).as_pointer())
        status, _ = convention.call_function(builder, pointers[0], types.none, takes, [pointers[1], *given])
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(types.intp, types.intp, *_TAKES), write


_called = cast(Callable[[int, int, Ints, Ints, Floats, int], None], intrinsic(_call))


@compiled
def run(calls: Ints, left: Ints, right: Ints, rows: Floats) -> Floats:
    """``rows``, float64[size, n], once steps have written them, one after another, for each pair of n.

    ``calls`` and ``size`` are those of a ``Program``. Whatever a step raises is raised.
    """
    for place in range(len(calls)):
        _called(calls[place, 0], calls[place, 1], left, right, rows, calls[place, 2])
    return rows
