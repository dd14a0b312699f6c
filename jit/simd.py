"""Lanes: instructions of the processor that numba has no name for, written as LLVM has them.

LLVM turns them into what the processor at hand has: one instruction on eight numbers, or a few on fewer.
They are for kernels to call, and trust the places that they are given: nothing checks the bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from measures.arrays import Array

LANES = 8
"""How many columns of a row are looked at at once."""


Numba = Any
"""One of numba's own objects, or of LLVM's: types, values, and what writes code. None of them is typed."""

Intrinsic = tuple[Numba, Callable[[Numba, Numba, Numba, Numba], Numba]]
"""A signature, and what writes the code: of a context, a builder, the signature and the arguments' values."""

_BIT, _BYTE, _INT32, _INT64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64)


def _shared(_: Numba, left: Numba, a: Numba, right: Numba, b: Numba) -> Intrinsic:
    """Which of ``left[a:a + LANES]`` are in ``right[b:b + LANES]``: an int64, whose bit i is for left[a + i].

    Both are arrays of integers, none negative. Each column of the one is compared with each of the other: at
    once with as many as there are lanes, and then again after the others were turned by a lane.
    """

    def write(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        (of_left, _, of_right, _), (left, a, right, b) = signature.args, arguments
        wider = max(of_left.dtype, of_right.dtype, key=lambda dtype: dtype.bitwidth)
        columns = _load(context, builder, of_left, left, a, wider)
        others = _load(context, builder, of_right, right, b, wider)
        found = ir.Constant(ir.VectorType(_BIT, LANES), None)
        for turn in range(LANES):
            order = ir.Constant(
                ir.VectorType(_INT32, LANES), [(lane + turn) % LANES for lane in range(LANES)]
            )
            turned = builder.shuffle_vector(others, others, order)
            found = builder.or_(found, builder.icmp_unsigned("==", columns, turned))
        return builder.zext(builder.bitcast(found, ir.IntType(LANES)), _INT64)

    return types.int64(left, types.intp, right, types.intp), write


def _count(_: Numba, bits: Numba) -> Intrinsic:
    """How many bits of an int64 are 1."""
    return types.int64(types.int64), lambda context, builder, signature, given: builder.ctpop(given[0])


def _first(_: Numba, bits: Numba) -> Intrinsic:
    """Which is the lowest bit of an int64 that is 1; one has to be."""
    some = ir.Constant(_BIT, 1)
    return types.int64(types.int64), lambda context, builder, signature, given: builder.cttz(given[0], some)


def _fetch(_: Numba, array: Numba, place: Numba) -> Intrinsic:
    """Ask for ``array[place]`` from memory without waiting for it: it will be needed soon."""

    def write(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        address = _address(context, builder, signature.args[0], *arguments)
        address = builder.bitcast(address, _BYTE.as_pointer())
        takes = ir.FunctionType(ir.VoidType(), [address.type, _INT32, _INT32, _INT32])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], takes)
        to_read, to_keep, data = _INT32(0), _INT32(3), _INT32(1)
        builder.call(prefetch, [address, to_read, to_keep, data])
        return context.get_dummy_value()

    return types.void(array, types.intp), write


def _load(context: Numba, builder: Numba, of_array: Numba, array: Numba, place: Numba, wider: Numba) -> Numba:
    """``array[place:place + LANES]`` side by side, as integers of the type ``wider``."""
    dtype = of_array.dtype
    side_by_side = ir.VectorType(context.get_data_type(dtype), LANES)
    address = _address(context, builder, of_array, array, place)
    loaded = builder.load(builder.bitcast(address, side_by_side.as_pointer()))
    loaded.align = dtype.bitwidth // 8
    if dtype.bitwidth == wider.bitwidth:
        return loaded
    extend = builder.sext if dtype.signed else builder.zext
    return extend(loaded, ir.VectorType(context.get_data_type(wider), LANES))


def _address(context: Numba, builder: Numba, of_array: Numba, array: Numba, place: Numba) -> Numba:
    return builder.gep(context.make_array(of_array)(context, builder, array).data, [place])


shared = cast(Callable[[Array, int, Array, int], int], intrinsic(_shared))
count = cast(Callable[[int], int], intrinsic(_count))
first = cast(Callable[[int], int], intrinsic(_first))
fetch = cast(Callable[[Array, int], None], intrinsic(_fetch))
