"""Started with by a process that shall reach no other machine: each attempt is written down, and fails."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

OWN = {"localhost", "127.0.0.1", "::1", "", "0.0.0.0", None}


def _alone(event: str, arguments: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        address = arguments[1]
        # A file of this machine, and a pair of sockets, have no host.
        host = address[0] if isinstance(address, tuple) else None
    elif event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
        host = arguments[0]
    else:
        return
    if host not in OWN:
        with Path(os.environ["REACHED_FOR"]).open("a") as file:
            file.write(f"{event} {host}\n")
        raise PermissionError(f"this process shall not reach {host}")


sys.addaudithook(_alone)
