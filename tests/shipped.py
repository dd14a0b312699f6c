"""The snapshots that the package ships, for the tests of what every one of them keeps to."""

from __future__ import annotations

from pathlib import Path

import tables
from tables.manifest import MANIFEST

SHIPPED = tuple(sorted(path.parent for path in Path(tables.__file__).parent.glob(f"*/{MANIFEST}")))
"""Their folders."""
