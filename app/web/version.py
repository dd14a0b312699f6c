"""The version of the interface."""

from __future__ import annotations

VERSION = "v1"
"""The version of the interface that programs call. What may change within one is in docs/api.md."""
