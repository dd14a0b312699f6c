"""Compiling kernels: numba's only way in."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import os
import pickle
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import llvmlite
import numba

from jit.cache import CodeCache, user_cache
from jit.shipped import ShippedCode, shipped_code

P = ParamSpec("P")
R = TypeVar("R")

COMPILED = ("jit", "measures", "snapshots", "building", "features")
"""The packages in which compiled functions stand, and what they call."""


def code_folder(sources: Path = Path(__file__).parent.parent) -> Path:
    """The folder for machine code of this state of the sources, by these versions of what compiles it.

    A function's own file does not say what it does: it calls those of other files.
    """
    made_by = f"{platform.python_version()} {numba.__version__} {llvmlite.__version__}\n"
    state = hashlib.blake2b(made_by.encode(), digest_size=8)
    for path in sorted(path for name in COMPILED for path in sources.glob(f"{name}/**/*.py")):
        seen = path.stat()
        state.update(f"{path.relative_to(sources)} {seen.st_mtime_ns} {seen.st_size}\n".encode())
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen or user_cache()) / f"kernels-{state.hexdigest()}"


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


CODE_CACHE = CodeCache(code_folder())
"""Where this process keeps its machine code."""

# A fifth of a server's start: no kernel of ours multiplies matrices or calls C.
_pass_over("scipy.linalg.cython_blas", "numba.np.arraymath")
_pass_over("cffi", "numba.core.typing.cffi_utils")

# Imported here: what is passed over has to be so by now.
from numba.core.caching import NullCache  # noqa: E402
from numba.core.compiler import CompileResult  # noqa: E402
from numba.core.event import Listener, register  # noqa: E402
from numba.core.serialize import dumps  # noqa: E402

SHIPPED = shipped_code()
"""What came compiled; None where it is not for this process, which then compiles for its own processor."""

_waiting: list[Callable[[], None]] = []


def before_compiling(tell: Callable[[], None]) -> None:
    """Have ``tell`` called once, before this process compiles anything from now on; never if it need not."""
    _waiting.append(tell)


def compiled(
    function: Callable[P, R], kept: CodeCache = CODE_CACHE, shipped: ShippedCode | None = SHIPPED
) -> Callable[P, R]:
    """The function as machine code that lets other threads run.

    It is compiled when it is first called with arguments of some types, since a signature given ahead would
    refuse read-only memory maps. It need not be where its code came ``shipped``. Else the code is ``kept``
    for the next process: in ``NUMBA_CACHE_DIR`` if set, else in the user's cache folder; where that cannot be
    used, each process compiles for itself. Of several processes that need the same, one compiles. Floating
    point keeps its order: no ``fastmath``, the same sum in each run.
    """
    made = numba.njit(nogil=True)(function)
    if hasattr(made, "_cache"):  # a function as it is, where numba is told to compile nothing
        made._cache = _FunctionCode(function, kept, shipped)
    return cast(Callable[P, R], made)


class _FunctionCode(NullCache):
    """What numba asks for the code of one function before it compiles it, and gives it to afterwards.

    numba's own files are unpickled as they are found, and its folders made when a module is imported.
    """

    def __init__(self, function: Callable[..., Any], kept: CodeCache, shipped: ShippedCode | None) -> None:
        self._function = function
        self._kept = kept
        self._shipped = shipped
        self._holds = False

    @property
    def cache_path(self) -> str:
        """The folder, which numba shows among a function's statistics."""
        return str(self._kept.folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401  # numba's own objects
        """The function for arguments of these types; None where it is to be compiled, and nowhere else."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        found = self._load(key, target_context)
        if found is None and self._kept.lock():
            self._holds = True
            found = self._load(key, target_context)  # which another process may have kept meanwhile
            if found is not None:
                self.let_go()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401  # numba's own objects
        """Keep a compiled function, unless it holds addresses of this process."""
        try:
            if not data.library.has_dynamic_globals:
                key = self._key(sig, data.codegen)
                self._kept.keep(self._name(key), dumps((key, data._reduce())))
        finally:
            self.let_go()

    def let_go(self) -> None:
        """Let other processes compile; called too where compiling failed."""
        if self._holds:
            self._holds = False
            self._kept.unlock()

    def _load(self, key: tuple[Any, ...], target_context: Any) -> Any:  # noqa: ANN401  # numba's own objects
        name = self._name(key)
        content = self._shipped.take(name) if self._shipped is not None else None
        is_kept = content is None
        if content is None:
            content = self._kept.take(name)
        if content is None:
            return None
        try:
            of, reduced = pickle.loads(content)  # noqa: S301  # wort's or this user's, and its checksum holds
            return CompileResult._rebuild(target_context, *reduced) if of == key else None
        except Exception:
            # Whatever it is: it can be compiled anew.
            if is_kept:
                self._kept.drop(name)
            return None

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:  # noqa: ANN401  # numba's own objects
        """What the code is for: the function as it stands, the types of its arguments, and the processor."""
        code = self._function.__code__
        inner = [cell.cell_contents for cell in self._function.__closure__ or ()]
        own = hashlib.blake2b(dumps((code.co_code, inner)), digest_size=16).hexdigest()
        return (sig, *codegen.magic_tuple(), code.co_firstlineno, own, _source(inspect.getfile(code)))

    def _name(self, key: tuple[Any, ...]) -> str:
        stands_for = hashlib.blake2b(repr(key).encode(), digest_size=16).hexdigest()
        return f"{self._function.__module__}.{self._function.__qualname__}-{stands_for}.code"


class _Compiling(Listener):
    """Is told by numba of each function that it compiles."""

    def on_start(self, event: Any) -> None:  # noqa: ANN401  # numba's own object
        """Tell who waits for it."""
        while _waiting:
            _waiting.pop()()

    def on_end(self, event: Any) -> None:  # noqa: ANN401  # numba's own object
        """Let other processes go on where nothing will be kept."""
        cache = getattr(event.data["dispatcher"], "_cache", None)
        # Its `is_failed` says the contrary of what it is called.
        if event._exc_details is not None and isinstance(cache, _FunctionCode):
            cache.let_go()


register("numba:compile", _Compiling())


@functools.cache
def _source(path: str) -> str:
    """The checksum of a source file, in hex; empty where there is none."""
    try:
        return hashlib.blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""
