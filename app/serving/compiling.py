"""Makes the compiled code that comes with wort anew: ``python -m app.serving.compiling SNAPSHOT ...``.

Everything that a server computes is computed once over each snapshot, by a process that finds no compiled
code and keeps its own in a folder of its own. Code is for the types of a snapshot's tables, which an excerpt
packs tighter than a build: ``make kernels`` names one of either kind. Run it by each version of Python that
wort supports, after a file of ``jit.shipped.SOURCES`` changed.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import numba

import jit
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import open_scorer
from jit.cache import CodeCache
from jit.compiled import CODE_CACHE
from jit.shipped import FOLDER, TARGETS, Archive, write_archive

_HERE = "--here"
"""What tells a process to be the one that compiles."""


def make(snapshots: list[Path], folder: Path = FOLDER) -> Archive:
    """Write the archive for processes like this one into ``folder``."""
    target = TARGETS[platform.machine()].name
    with tempfile.TemporaryDirectory() as kept_in:
        # With settings of its own, a process uses no code that comes with wort.
        settings = {"NUMBA_CACHE_DIR": kept_in, "NUMBA_CPU_NAME": target, "NUMBA_CPU_FEATURES": ""}
        command = [sys.executable, "-m", "app.serving.compiling", _HERE, *map(str, snapshots)]
        # What the second takes is enough: functions that others alone call are part of these.
        for _ in range(2):
            done = subprocess.run(  # noqa: S603  # this very program
                command, env=os.environ | settings, check=True, stdout=subprocess.PIPE
            )
        (kept,) = map(CodeCache, Path(kept_in).iterdir())
        content = {name: kept.take(name) for name in done.stdout.decode().split()}
    return write_archive(
        {name: _without_paths(code) for name, code in content.items() if code is not None}, folder
    )


def serve_all(snapshots: list[Path]) -> set[str]:
    """Compute once, over each of these snapshots, what a server over it computes.

    Returns by what names kept code was taken for that.
    """
    for folder in snapshots:
        Serving(open_scorer(folder, None), TermSettings()).warm()
    return CODE_CACHE.taken


def _without_paths(content: bytes) -> bytes:
    """Compiled code without the folders of its sources, which errors name: slashes stand in their places."""
    roots = [str(Path(str(package.__file__)).parent.parent).encode() for package in (jit, numba)]
    # The longest first: numba may stand within the checkout.
    for root in sorted(roots, key=len, reverse=True):
        content = content.replace(root, b"/" * len(root))
    return content


def main(arguments: list[str]) -> None:
    """Make the archive, or be the process that compiles."""
    snapshots = [Path(argument) for argument in arguments if argument != _HERE]
    if not snapshots:
        raise SystemExit("Name a snapshot that was cut, and one that was not: `make kernels` does.")
    if _HERE in arguments:
        print(*serve_all(snapshots))
    else:
        made = make(snapshots)
        print(f"{FOLDER / made.file}: {made.sha256}")


if __name__ == "__main__":
    main(sys.argv[1:])
