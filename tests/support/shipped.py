"""The snapshots that the package ships, for the tests of what every one of them keeps to."""

from __future__ import annotations

from pathlib import Path

import snapshots
from snapshots.manifest import MANIFEST

SHIPPED = tuple(sorted(path.parent for path in Path(snapshots.__file__).parent.glob(f"*/{MANIFEST}")))
"""Their folders."""
