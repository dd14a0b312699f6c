"""How much memory the builds of tests have."""

from __future__ import annotations

ROOM = 1_000_000_000
"""Bytes with which a worker's process stays from one map to the next: to start one takes longer than a toy's
maps."""
