"""Compiling kernels: numba's only way in."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code that lets other threads run.

    It is compiled when it is first called with arguments of some types, since a signature given ahead would
    refuse read-only memory maps. The code is kept for the next process in ``NUMBA_CACHE_DIR`` if set, else
    beside the source file, else in the user's cache folder; where none of them can be written to, each
    process compiles for itself. Floating point keeps its order: no ``fastmath``, the same sum in each run.
    """
    try:
        return cast(Callable[P, R], numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # what numba raises where it finds no folder for its cache
        return cast(Callable[P, R], numba.njit(nogil=True)(function))
