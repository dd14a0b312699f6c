"""When the collector of reference cycles looks for garbage, and at what.

While modules are imported it finds none, and each time looks at all that there is: a tenth of a server's
start. What is there when a server begins to answer stays, and need not be looked at while requests wait.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def starting() -> Iterator[None]:
    """Look for no garbage meanwhile, and afterwards at nothing that was made meanwhile."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def collect() -> None:
    """Look for garbage in everything, what was made at the start included."""
    aside = gc.get_freeze_count() > 0
    gc.unfreeze()
    gc.collect()
    if aside:
        gc.freeze()
