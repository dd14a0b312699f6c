"""What the server installs: one name among all that an environment holds, behind which its packages are kept.

The packages of wort have names that others have too: ``models`` and ``app`` are packages of most web
services. Installed, they lie in a folder of this package that cannot be imported from. The command ``wort``
puts that folder before all others in its own process, and so does ``wort.open`` in the process that calls it.
Who wants more of them calls ``activate``::

    import wort_server

    wort_server.activate()
    from features.extract import extract
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.in_process import Wort

NAMES = (
    "app",
    "building",
    "datasets",
    "encoders",
    "features",
    "jit",
    "measures",
    "models",
    "papers",
    "snapshots",
    "training",
    "wiki",
)
"""The packages that ``activate`` makes known."""


class NamesTaken(ImportError):
    """Another package has a name that one of wort's has."""


def folder() -> Path:
    """Where the packages lie: within this package where it was installed, beside it in a checkout."""
    here = Path(__file__).resolve().parent
    installed = here / "own-packages"
    return installed if installed.is_dir() else here.parent


def activate(*, shadow: bool = False) -> None:
    """Have this process, and those that it spawns, find the packages of wort before any others.

    ``shadow``: do so also where another package of the same name could be imported, which then cannot be.

    Raises:
        NamesTaken: another package of such a name is loaded, or could be and is not to be shadowed.
    """
    ours = folder()
    for name in NAMES:
        origin = _elsewhere(name, ours)
        if origin is not None and name in sys.modules:
            raise NamesTaken(
                f"wort has a package {name!r}, and this process has loaded another one, from {origin}. "
                "Run wort in a process of its own, as the command wort does, and ask it through wort.Client.",
                name=name,
            )
        if origin is not None and not shadow:
            raise NamesTaken(
                f"wort has a package {name!r}, and would hide the one of {origin}. If nothing here needs "
                "that one, call activate(shadow=True); else run wort in a process of its own, as the command "
                "wort does, and ask it through wort.Client.",
                name=name,
            )
    sys.path[:] = [str(ours), *(entry for entry in sys.path if entry != str(ours))]


def _elsewhere(name: str, ours: Path) -> str | None:
    """From where a package ``name`` that is not in ``ours`` is loaded, or would be; None if there is none."""
    loaded = sys.modules.get(name)
    if loaded is None:
        spec = find_spec(name)
        # A folder without an __init__.py, as one of data is, is hidden by any package and is none itself.
        if spec is None or not spec.has_location:
            return None
        places, origin = spec.submodule_search_locations, spec.origin
    else:
        places, origin = getattr(loaded, "__path__", None), getattr(loaded, "__file__", None)
    if any(Path(place).resolve() == ours / name for place in places or ()):
        return None
    return str(origin or next(iter(places or ()), "nowhere"))


def open(snapshot: str | os.PathLike[str] | None = None, model: str | os.PathLike[str] | None = None) -> Wort:
    """What ``wort.open`` opens, once the packages are found.

    Raises:
        NamesTaken: as ``activate``.
        Exception: as ``app.in_process.Wort.open``.
    """
    activate()
    from app.in_process import Wort  # noqa: PLC0415  # found only now

    return Wort.open(snapshot, model)


def main() -> None:
    """The command ``wort``: its process is its own, whatever the folder around it holds."""
    try:
        activate(shadow=True)
    except NamesTaken as error:
        print(f"wort: {error}", file=sys.stderr)
        # As app.cli.exit_codes has it, which cannot be loaded: the machine is not as wort needs it.
        sys.exit(4)
    from app.cli import main as run  # noqa: PLC0415  # found only now

    run()
