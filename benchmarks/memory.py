"""How much memory a process and all that it started hold together."""

from __future__ import annotations

import os
import re
import threading
from collections import defaultdict
from pathlib import Path
from types import TracebackType
from typing import Self

_PROC = Path("/proc")
_SAMPLES_A_SECOND = 10


class PeakMemory:
    """Samples the memory of a process and its descendants while the ``with`` block runs.

    ``bytes`` is the largest sum of their proportional set sizes (PSS): a page that several of them map counts
    once in all, so shared libraries, forked memory and mapped files are not counted twice. ``private`` and
    ``shared`` are its parts at that moment: the pages that one process alone maps, and the rest. Pages of
    mapped files count while they are mapped and resident, although the kernel may drop them at any time;
    ``anonymous`` is the largest sum without them. Peaks between two samples are missed.

    Linux only: it reads ``/proc/PID/smaps_rollup`` of processes that the user may look at.
    """

    def __init__(self, process: int | None = None, samples_a_second: float = _SAMPLES_A_SECOND) -> None:
        """Watch ``process``, this one by default."""
        self.bytes = self.private = self.shared = self.anonymous = self.samples = 0
        self._process = os.getpid() if process is None else process
        self._pause = 1 / samples_a_second
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._sample()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._sample()

    def _watch(self) -> None:
        while not self._ended.wait(self._pause):
            self._sample()

    def _sample(self) -> None:
        held = [memory_of(process) for process in descendants(self._process)]
        together = {name: sum(each.get(name, 0) for each in held) for name in ("all", "private", "anonymous")}
        self.samples += 1
        self.anonymous = max(self.anonymous, together["anonymous"])
        if together["all"] > self.bytes:
            self.bytes, self.private = together["all"], together["private"]
            self.shared = self.bytes - self.private


def descendants(process: int) -> list[int]:
    """``process`` and every process that it or one of them started, as far as they live."""
    children: dict[int, list[int]] = defaultdict(list)
    for folder in _PROC.iterdir():
        if folder.name.isdigit():
            try:
                # The parent is the second field after the name, which stands in parentheses.
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has just ended
                continue
            children[parent].append(int(folder.name))
    found = [process]
    for known in found:
        found.extend(children[known])
    return found


def memory_of(process: int) -> dict[str, int]:
    """What a process holds: ``all`` (PSS), ``private`` and ``anonymous`` of it; nothing once it ended."""
    try:
        rollup = (_PROC / str(process) / "smaps_rollup").read_text()
    except OSError:
        return {}
    sizes = {name: 1024 * int(size) for name, size in re.findall(r"^(\w+):\s+(\d+) kB", rollup, re.MULTILINE)}
    if "Pss" not in sizes:  # it is ending: its memory is gone
        return {}
    return {
        "all": sizes["Pss"],
        "private": sizes["Private_Clean"] + sizes["Private_Dirty"],
        "anonymous": sizes.get("Pss_Anon", sizes["Anonymous"]) + sizes.get("Pss_Shmem", 0),
    }
