"""Commands that may hold so much memory and no more: in a control group of their own (Linux, as root).

The kernel counts all that a group's processes hold, mapped files and the page cache included. At the limit
it drops what is on disk as well; where that is not enough, it kills. A command that runs to its end kept to
the limit.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_SECOND_VERSION = {"memory.max": "{}", "memory.swap.max": "0"}
_FIRST_VERSION = {"memory.limit_in_bytes": "{}", "memory.memsw.limit_in_bytes": "{}"}
_ENDING_SECONDS = 10
_ENTERED = 'echo $$ > "$0" && exec "$@"'


@contextmanager
def confined(memory: int) -> Iterator[list[str] | None]:
    """What to write before a command that shall hold at most ``memory`` bytes, all that it starts included.

    None where this process may not make control groups. The command has to end before the block does; what
    it started may take some seconds longer.
    """
    name = f"wort-{os.getpid()}-{memory}"
    first = re.search(r":memory:/(.*)", Path("/proc/self/cgroup").read_text())
    group = _GROUPS / "memory" / first[1] / name if first else _GROUPS / name
    limits = _FIRST_VERSION if first else _SECOND_VERSION
    if not _made(group, {file: limit.format(memory) for file, limit in limits.items()}):
        yield None
        return
    try:
        yield ["sh", "-c", _ENTERED, str(group / "cgroup.procs")]
    finally:
        _remove(group)


def _made(group: Path, limits: dict[str, str]) -> bool:
    try:
        group.mkdir()
    except OSError:
        return False
    try:
        for file, limit in limits.items():
            (group / file).write_text(limit)
    except OSError:
        group.rmdir()
        return False
    return True


def _remove(group: Path) -> None:
    deadline = time.monotonic() + _ENDING_SECONDS
    while (group / "cgroup.procs").read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    group.rmdir()
