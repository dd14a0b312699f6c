"""The memory of a process and those that it started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.memory import PeakMemory, descendants, memory_of

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="the system does not tell the memory of processes"
)

HELD = 80_000_000
HOLDING = f"""
import subprocess, sys
if len(sys.argv) > 1:
    held = b"x" * {HELD}
    subprocess.run([sys.executable, *sys.orig_argv[1:-int(sys.argv[1])], *sys.argv[2:]], check=True)
print("held", flush=True)
sys.stdin.read()
"""
"""Holds memory and starts another that does, one for each argument, until nothing is left to read."""


def start(processes: int) -> subprocess.Popen[str]:
    arguments = [str(left) for left in range(processes, 0, -1)]
    command = [sys.executable, "-c", HOLDING, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def stop(process: subprocess.Popen[str]) -> None:
    process.communicate()
    assert process.returncode == 0


def test_all_that_a_process_started_is_counted() -> None:
    process = start(2)
    assert len(descendants(process.pid)) == 3
    assert process.pid in descendants(os.getpid())
    with PeakMemory(process.pid) as one:
        pass
    stop(process)
    assert 2 * HELD < one.anonymous <= one.bytes < 3 * HELD
    assert one.private + one.shared == one.bytes


def test_the_peak_is_kept_when_memory_is_freed() -> None:
    process = start(1)
    with PeakMemory(process.pid) as held:
        before = held.bytes
        stop(process)
    assert held.samples > 1
    assert held.bytes >= before > HELD


def test_a_process_that_ended_holds_nothing() -> None:
    process = start(0)
    stop(process)
    assert memory_of(process.pid) == {}
    with PeakMemory(process.pid) as held:
        pass
    assert held.bytes == 0
