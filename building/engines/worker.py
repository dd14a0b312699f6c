"""What a worker process of the local engine begins with; it imports next to nothing, to begin soon."""

from __future__ import annotations

import atexit
import os
import threading
from multiprocessing import parent_process


def begin_worker() -> None:
    """Let this process end soon: when its work is done, or its parent killed.

    It would wait for tasks for ever where that one is gone. At its end, what it has written is written, and
    the interpreter would only take its caches down, object by object.
    """

    def wait_for_parent() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    atexit.register(os._exit, 0)
    threading.Thread(target=wait_for_parent, daemon=True).start()
