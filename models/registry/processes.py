"""Which process a retraining runs in, told apart from every other one; from /proc, where there is one."""

from __future__ import annotations

import os
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAMESPACE = Path("/proc/self/ns/pid")
_ENDED = ("Z", "X")
"""The states of a process that has ended and waits to be collected."""


def identity_of(pid: int) -> str | None:
    """What tells the process from others that have its number: before it, after it, or on other machines.

    The boot of the machine, the namespace in which its processes are numbered, and the start of this one in
    ticks since the boot, so that no clock takes part. None if none runs, or where there is no /proc.
    """
    place, start = _place(), _start(pid)
    return None if place is None or start is None else f"{place} {start}"


def runs(pid: int | None, identity: str | None) -> bool | None:
    """Whether the process of this number and identity runs; None if that cannot be told from here."""
    place = _place()
    if pid is None or identity is None or place is None or not identity.startswith(f"{place} "):
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # It is another user's, whose processes may be hidden.
        if _start(pid) is None:
            return None
    return identity_of(pid) == identity


def _place() -> str | None:
    """Where process ids mean the same: a boot of a machine, and a namespace of it."""
    try:
        return f"{_BOOT.read_text().strip()} {_NAMESPACE.readlink()}"
    except OSError:
        return None


def _start(pid: int) -> str | None:
    """When a process started, in ticks since the boot; None if none runs under this number."""
    try:
        # The name of the program stands in parentheses and may hold anything; the state is the third field.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if len(fields) < 20 or fields[0] in _ENDED else fields[19]
