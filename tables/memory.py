"""How much memory a process has held."""

from __future__ import annotations

import re
import resource
from pathlib import Path


def peak_bytes() -> int:
    """The largest resident size that this process has had. It never falls."""
    try:
        # Unlike ru_maxrss, this does not begin with the size of the process that started this one.
        found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    return 1024 * (int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
