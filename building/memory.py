"""How much memory a process has held, and giving back what it no longer needs."""

from __future__ import annotations

import ctypes
import os
import re
import resource
from pathlib import Path

_LARGE = 1 << 18
"""From how many bytes on a piece of memory is the system's again as soon as it is freed."""

_MMAP_THRESHOLD = -3
"""What ``malloc.h`` of the GNU C library calls this setting."""


def peak_bytes() -> int:
    """The largest resident size that this process has had since ``reset_peak``, or since it began."""
    try:
        # Unlike ru_maxrss, this does not begin with the size of the process that started this one.
        match = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        match = None
    return 1024 * (int(match[1]) if match else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def reset_peak() -> None:
    """Let ``peak_bytes`` begin again at what this process holds now, where the system can (Linux)."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def keep_little_memory() -> None:
    """Let this process, and those that it starts, give large pieces of memory back when they are freed.

    Arrow's own allocator would keep them for later, and so would the C library, which learns to do so from
    the first one that is freed. Arrow reads its setting when it is first imported.
    """
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(_LARGE))
    _c_library("mallopt", _MMAP_THRESHOLD, _LARGE)


def release_memory() -> None:
    """Give the system back what Arrow and the C library keep of memory that nobody uses any more."""
    import pyarrow as pa  # noqa: PLC0415 see keep_little_memory

    pa.default_memory_pool().release_unused()
    _c_library("malloc_trim", 0)


def _c_library(function: str, *arguments: int) -> None:
    symbol = getattr(ctypes.CDLL(None), function, None)  # both are the GNU C library's own
    if symbol is not None:
        symbol(*arguments)
