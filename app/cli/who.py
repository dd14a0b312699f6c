"""Who runs a command, as the registry notes it."""

from __future__ import annotations

import getpass
import os
import socket


def who(given: str | None) -> str:
    """``given``, else ``$WORT_USER``, else the user's name and the machine's."""
    named = given or os.environ.get("WORT_USER")
    if named:
        return named
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        # In a container a user may have a number alone.
        user = f"user {os.getuid()}"
    return f"{user}@{socket.gethostname()}"
