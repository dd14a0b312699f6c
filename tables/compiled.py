"""Compiling kernels: numba's only way in."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kept_code() -> Path:
    """The folder for machine code of this state of the sources.

    numba looks at the file of a function alone: of another file's function that it calls, it would run what
    that was when the code was kept.
    """
    state = hashlib.blake2b(digest_size=8)
    sources = Path(__file__).parent.parent
    for path in sorted((*sources.glob("tables/**/*.py"), *sources.glob("features/**/*.py"))):
        seen = path.stat()
        state.update(f"{path.relative_to(sources)} {seen.st_mtime_ns} {seen.st_size}\n".encode())
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 raises nothing
    return Path(chosen or Path(cache, "wort")) / f"kernels-{state.hexdigest()}"


def _pass_over(library: str, module: str) -> None:
    """Have numba's ``module`` do without a ``library`` that it uses where it is installed.

    It loads it with its first function, whether that has a use for it or not.
    """
    if library in sys.modules:
        return
    sys.modules[library] = None  # type: ignore[assignment]  # as Python documents it: whoever imports it fails
    try:
        importlib.import_module(module)
    finally:
        del sys.modules[library]


KEPT_CODE = kept_code()
"""Where this process keeps its machine code."""

# numba makes its settings from the environment, so that no type checker sees them.
numba.config.CACHE_DIR = str(KEPT_CODE)  # type: ignore[attr-defined]

# A fifth of a server's start: no kernel of ours multiplies matrices or calls C.
_pass_over("scipy.linalg.cython_blas", "numba.np.arraymath")
_pass_over("cffi", "numba.core.typing.cffi_utils")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code that lets other threads run.

    It is compiled when it is first called with arguments of some types, since a signature given ahead would
    refuse read-only memory maps. The code is kept for the next process in ``KEPT_CODE``: in
    ``NUMBA_CACHE_DIR`` if set, else in the user's cache folder; where that cannot be written to, beside the
    source file, and where neither can, each process compiles for itself. Floating point keeps its order: no
    ``fastmath``, the same sum in each run.
    """
    try:
        return cast(Callable[P, R], numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # what numba raises where it finds no folder for its cache
        return cast(Callable[P, R], numba.njit(nogil=True)(function))
