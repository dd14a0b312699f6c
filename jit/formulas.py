"""Formulas, compiled: the very functions of ``measures``, an element at a time.

numba has a logarithm of its own, which differs from NumPy's in the last bit of one value in some hundreds. So
compiled formulas call NumPy's: the loop over float64 that the ufunc itself calls, as this processor has it.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any, cast

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

import measures
from jit.compiled import compiled
from jit.simd import Intrinsic, Numba
from jit.steps import Bound, Step
from measures import elements
from measures.arrays import Floats, Ints

Measure = Callable[..., Any]

_LOOPS = 32
"""Where a ufunc has the address of its loops: after an object's head and four ints (``PyUFuncObject``)."""

_NAME = "wort_numpy_log"


def loop_of(ufunc: np.ufunc, types: str) -> int:
    """The address of a ufunc's loop over some types, as ``ufunc.types`` names them.

    Such a loop takes pointers to its inputs and outputs, a count, their strides and data of its own, which a
    logarithm has none of: https://numpy.org/doc/stable/reference/c-api/types-and-structures.html.
    """
    loops = ctypes.c_void_p.from_address(id(ufunc) + _LOOPS).value
    loop = ctypes.cast(cast(int, loops), ctypes.POINTER(ctypes.c_void_p))[ufunc.types.index(types)]
    return cast(int, loop)


# By name, so that compiled code can be kept: the address is another in each process.
llvmlite.binding.add_symbol(_NAME, loop_of(np.log, "d->d"))


def _numpy_log(_: Numba, value: Numba) -> Intrinsic:
    """NumPy's logarithm of a float64."""

    def write(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        number, size, address = ir.DoubleType(), ir.IntType(64), ir.IntType(8).as_pointer()
        sides = cgutils.alloca_once(builder, number, 2)
        places = cgutils.alloca_once(builder, address, 2)
        counts = cgutils.alloca_once(builder, size, 3)
        for side in range(2):
            at = builder.gep(sides, [ir.Constant(size, side)])
            builder.store(builder.bitcast(at, address), builder.gep(places, [ir.Constant(size, side)]))
        for place, count in enumerate((1, 8, 8)):  # how many, and the strides
            builder.store(ir.Constant(size, count), builder.gep(counts, [ir.Constant(size, place)]))
        builder.store(arguments[0], sides)
        takes = ir.FunctionType(ir.VoidType(), [places.type, counts.type, counts.type, address])
        loop = cgutils.get_or_insert_function(builder.module, takes, _NAME)
        strides = builder.gep(counts, [ir.Constant(size, 1)])
        builder.call(loop, [places, counts, strides, ir.Constant(address, None)])
        return builder.load(builder.gep(sides, [ir.Constant(size, 1)]))

    return types.float64(types.float64), write


_log = cast(Callable[[float], float], intrinsic(_numpy_log))


@overload(elements.log, strict=False)
def _log_of(values: Numba) -> Any:  # noqa: ANN401  # numba's own
    # That of 1 is exactly 0, and the most frequent: what does not co-occur has no PMI.
    return lambda values: 0.0 if values == 1.0 else _log(np.float64(values))


@overload(elements.where, strict=False)
def _where(condition: Numba, then: Numba, otherwise: Numba) -> Any:  # noqa: ANN401  # numba's own
    return lambda condition, then, otherwise: then if condition else otherwise


for _name in measures.__all__:
    register_jitable(getattr(measures, _name))
register_jitable(elements.clipped)


def formula(measure: Measure) -> Measure:
    """A compiled ``measure`` of numbers, for kernels to call."""
    return compiled(measure)


def _picked(evidence: Floats, rows: tuple[int, ...], place: int) -> tuple[float, ...]:
    """``evidence[row, place]`` for each of ``rows``."""
    return tuple(evidence[row, place] for row in rows)


@overload(_picked, strict=False)
def _picked_of(evidence: Numba, rows: Numba, place: Numba) -> Any:  # noqa: ANN401  # numba's own
    if len(rows) == 1:
        return lambda evidence, rows, place: (evidence[rows[0], place],)
    return lambda evidence, rows, place: (evidence[rows[0], place], *_picked(evidence, rows[1:], place))


@functools.cache
def measured(measure: Measure) -> Step:
    """A step that applies a ``measure``; it is bound to the numbers of the rows that the measure takes."""

    def write(bound: Bound, left: Ints, right: Ints, rows: Floats, row: int) -> None:
        taken = bound[0]
        for place in range(rows.shape[1]):
            rows[row, place] = measure(*_picked(rows, taken, place))

    return compiled(write)
