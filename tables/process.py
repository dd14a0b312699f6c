"""What a worker process of the local engine begins with; it imports next to nothing, to begin soon."""

from __future__ import annotations

import os
import threading
from multiprocessing import parent_process


def end_with_parent() -> None:
    """Let this worker end when the process that started it is killed: it would wait for tasks for ever."""

    def wait_for_parent() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait_for_parent, daemon=True).start()
